import { z } from "zod";
import { exitReasonSchema } from "./exit-reason.ts";

/** The arguments of a way in which processes may have ended. */
export const exitSchema = z
  .object({
    kind: z.enum(["out-of-memory", "killed", "hung", "host-lost", "everything-lost"]),
    service: z.string(),
    /** What ran the process, such as `node 26.0.0`; empty when unknown. */
    runtime: z.string(),
    hosts: z.array(z.string()).readonly(),
    services: z.array(z.string()).readonly(),
    /** The number of processes that stopped reporting; in a crash loop, the number of restarts. */
    processes: z.number(),
    /** Its likelihood according to the heartbeats, from 0 to 1. */
    likelihood: z.number(),
    reasons: z.array(exitReasonSchema).readonly(),
    /** The first and last start, and how long the shortest and the longest run reported; null if it isn't a loop. */
    loop: z
      .object({ firstAt: z.string(), lastAt: z.string(), shortestMs: z.number(), longestMs: z.number() })
      .readonly()
      .nullable(),
  })
  .readonly();

/** A way in which processes may have ended, and what the heartbeats say about it. */
export type ExitFact = z.output<typeof exitSchema>;
