import { z } from "zod";
import { exitReasonSchema } from "./exit-reason.ts";

/** The arguments of how processes may have ended. */
export const exitSchema = z
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
