import { z } from "zod";
import { limits } from "../limits.ts";
import { sourceCommitSchema } from "../releases/sources.ts";

/** The commit with which a command began to fail, found by running it at others. */
export const firstFailingCommitSchema = z.object({
  commit: sourceCommitSchema,
  /** What the commit changed; cut at its end when it is longer. */
  diff: z.string().max(20_000),
  /** The revision at which the command passed, as it was given. */
  good: z.string().max(limits.serviceLengthMax),
});
export type FirstFailingCommit = z.infer<typeof firstFailingCommitSchema>;
