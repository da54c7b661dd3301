import { z } from "zod";
import { count, inlineCode } from "../../words/prose.ts";
import { factKind, partOfWhole } from "./fact-kind.ts";

const counts = z.object({ all: z.number(), failed: z.number() }).readonly();

/** A route that fails more often than it did, by the metrics of the service. */
const failingRouteSchema = z
  .object({
    service: z.string(),
    own: z.boolean(),
    /** Requests that it answers, or messages that it processes. */
    of: z.enum(["route", "process"]),
    /** The route, or the destination of the messages; may be empty. */
    name: z.string(),
    /** In the five minutes before the failure. */
    recent: counts,
    /** In the rest of the hour. */
    earlier: counts,
  })
  .readonly();

/** How much it says of a service that was called, next to a process that is unwell. */
const severity = 0.6;

export const failingRoute = factKind({
  name: "failing-route",
  means: "A route, or messages of a destination, that failed more often just before the failure, by metrics",
  data: z.object({ route: failingRouteSchema }),
  example: {
    route: {
      service: "payments",
      own: false,
      of: "route",
      name: "POST /charges",
      recent: { all: 120, failed: 48 },
      earlier: { all: 1_400, failed: 2 },
    },
  },
  evidence: ({ route: { service, of, name, recent, earlier } }) => {
    const what = of === "route" ? "request" : "message";
    const where = name === "" ? "" : ` ${of === "route" ? "to" : "of"} ${inlineCode(name)}`;
    const before = earlier.all === 0 ? "" : `, and ${earlier.failed} of ${earlier.all} in the rest of the hour`;
    return `${inlineCode(service)} failed ${recent.failed} of ${count(recent.all, what)}${where} in the five minutes before the failure${before}`;
  },
  figures: ({ route: { recent, earlier } }) => [recent.failed, recent.all, earlier.failed, earlier.all],
  isComputed: true,
  problems: ({ route: { recent, earlier } }) => [
    ...partOfWhole(recent.failed, recent.all),
    ...partOfWhole(earlier.failed, earlier.all),
  ],
  isMoment: () => false,
  // That its own route fails is the failure itself.
  isSupport: ({ route: { own } }) => !own,
  weights: ["unwellProcess", "unrelated"],
  reason: ({ route: { service, own } }, { worth, isAnnounced, isFailing }) => {
    if (own) return null;
    const fits = isAnnounced || isFailing(service);
    return { service, weight: worth.unwellProcess * severity * (fits ? 1 : worth.unrelated), category: null };
  },
});
