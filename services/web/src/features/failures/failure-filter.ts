import { z } from "zod";

/** The parameters of the list's address; one that makes no sense counts as not given. */
export const failureFilterSchema = z.object({
  /** Those too that are investigated, not only those that are not. */
  show: z.literal("all").optional().catch(undefined),
  /** Name of the rule that decided. */
  rule: z.string().min(1).max(100).optional().catch(undefined),
});
export type FailureFilter = z.infer<typeof failureFilterSchema>;
