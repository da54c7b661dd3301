import { z } from "zod";

/** The query parameters of the list's URL; an invalid one is ignored. */
export const failureFilterSchema = z.object({
  /** Includes failures that are investigated. */
  show: z.literal("all").optional().catch(undefined),
  /** The name of the rule that decided. */
  rule: z.string().min(1).max(100).optional().catch(undefined),
});
export type FailureFilter = z.infer<typeof failureFilterSchema>;
