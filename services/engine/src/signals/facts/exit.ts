import { z } from "zod";
import { exitLink, exitText } from "./exit-link.ts";
import { exitReasonSchema, figuresOfReason } from "./exit-reason.ts";
import { factKind } from "./fact-kind.ts";

const exitSchema = z
  .object({
    kind: z.enum(["out-of-memory", "killed", "hung", "host-lost", "everything-lost"]),
    service: z.string(),
    hosts: z.array(z.string()).readonly(),
    services: z.array(z.string()).readonly(),
    /** The processes that stopped reporting; of a crash loop, its rounds. */
    processes: z.number(),
    /** How likely it is by the heartbeats, 0 to 1. */
    likelihood: z.number(),
    reasons: z.array(exitReasonSchema).readonly(),
    /** The first start, the last one, and how long the shortest and the longest round reported; null if it isn't a loop. */
    loop: z
      .object({ firstAt: z.string(), lastAt: z.string(), shortestMs: z.number(), longestMs: z.number() })
      .readonly()
      .nullable(),
  })
  .readonly();

/** How processes may have ended, and what the heartbeats say about it. */
export type ExitFact = z.output<typeof exitSchema>;

export const exit = factKind({
  name: "exit",
  means: "How processes may have ended, by their heartbeats",
  data: z.object({ exit: exitSchema }),
  evidence: ({ exit: one }) => exitText(one),
  figures: ({ exit: { hosts, reasons } }) => [hosts.length, ...reasons.flatMap(figuresOfReason)],
  isComputed: true,
  isMoment: () => false,
  // Its reasons are listed instead.
  isSupport: () => false,
  link: exitLink,
});
