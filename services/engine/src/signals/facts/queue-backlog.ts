import { z } from "zod";
import { count, inlineCode } from "../../words/prose.ts";
import { factKind } from "./fact-kind.ts";

/** A queue in which more messages waited than usual. */
const queueBacklogSchema = z
  .object({
    service: z.string(),
    own: z.boolean(),
    /** May be empty. */
    name: z.string(),
    waiting: z.number(),
    /** The median of the hour before. */
    usual: z.number(),
  })
  .readonly();

/** How much it says of a service, next to a process that is unwell. */
const severity = 0.4;

export const queueBacklog = factKind({
  name: "queue-backlog",
  means: "A queue in which more messages waited than usual, by metrics",
  data: z.object({ queue: queueBacklogSchema }),
  example: { queue: { service: "billing", own: true, name: "orders", waiting: 4_200, usual: 12 } },
  evidence: ({ queue: { service, name, waiting, usual } }) => {
    const queue = name === "" ? "a queue" : `the queue ${inlineCode(name)}`;
    return `${count(waiting, "message")} ${waiting === 1 ? "was" : "were"} waiting in ${queue} of ${inlineCode(service)}, and usually ${usual}`;
  },
  figures: ({ queue: { waiting, usual } }) => [waiting, usual],
  isComputed: true,
  isMoment: () => false,
  weights: ["unwellProcess", "unrelated"],
  reason: ({ queue: { service, own } }, { worth, said, isAnnounced, isFailing }) => {
    const fits = isAnnounced || (own ? said === "timeout" : isFailing(service));
    return { service, weight: worth.unwellProcess * severity * (fits ? 1 : worth.unrelated), category: null };
  },
});
