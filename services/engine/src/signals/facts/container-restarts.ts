import { z } from "zod";
import { inlineCode } from "../../words/prose.ts";
import { factKind } from "./fact-kind.ts";

/** Restarts of a service's containers in the hour before the failure, as the platform counts them. */
const containerRestartsSchema = z
  .object({
    service: z.string(),
    own: z.boolean(),
    times: z.number(),
    /** RFC 3339: when the last one was counted. */
    at: z.string(),
  })
  .readonly();

/** How much it says of a service that was called, next to a process that is unwell. */
const severity = 0.6;

export const containerRestarts = factKind({
  name: "container-restarts",
  means: "Containers of a service that its platform restarted in the hour before the failure",
  data: z.object({ restarts: containerRestartsSchema }),
  example: { restarts: { service: "cart", own: true, times: 3, at: "2026-03-01T09:58:00.000Z" } },
  evidence: ({ restarts: { service, times, at } }) =>
    `containers of ${inlineCode(service)} restarted ${times === 1 ? "once" : `${times} times`} in the hour before the failure, the last time by ${at}`,
  figures: ({ restarts: { times } }) => [times],
  isComputed: true,
  weights: ["unwellProcess", "unrelated", "restarted"],
  reason: ({ restarts: { service, own } }, { worth, isAnnounced, isFailing, hasOwnRelease }) => {
    // A release restarts containers, too, and counts on its own.
    if (own) return { service, weight: hasOwnRelease ? 0 : worth.restarted, category: null };
    const fits = isAnnounced || isFailing(service);
    return { service, weight: worth.unwellProcess * severity * (fits ? 1 : worth.unrelated), category: null };
  },
});
