import { z } from "zod";
import { categorySchema } from "../failures/category.ts";
import { limits } from "../limits.ts";

export const verdicts = ["right", "wrong", "partly"] as const;
export type Verdict = (typeof verdicts)[number];

const name = z.string().min(1).max(limits.fileNameLengthMax);

/** The actual cause, given when the report was wrong or only partly right. */
export const actualCauseSchema = z.object({
  file: name.optional(),
  category: categorySchema.optional(),
  service: z.string().min(1).max(limits.serviceLengthMax).optional(),
});
export type ActualCause = z.infer<typeof actualCauseSchema>;

/** The body of `POST /api/incidents/{id}/feedback`: whether the report's first candidate is the cause. */
export const feedbackRequestSchema = z.object({
  verdict: z.enum(verdicts),
  reason: z.string().max(limits.feedbackReasonLengthMax).optional(),
  actual_cause: actualCauseSchema.optional(),
});
export type FeedbackRequest = z.infer<typeof feedbackRequestSchema>;

/** One opinion, and when it was given. */
export const opinionSchema = z.object({
  verdict: z.enum(verdicts),
  reason: z.string().nullable(),
  actual_cause: actualCauseSchema.nullable(),
  at: z.string(),
  /** Whether another investigation has replaced the report since: the opinion says nothing about the current one. */
  on_earlier_report: z.boolean(),
});
export type Opinion = z.infer<typeof opinionSchema>;

export const authorKinds = ["member", "agent", "key"] as const;

/** An author's verdict on a report, and their earlier ones, the latest first. */
export const feedbackSchema = opinionSchema.extend({
  /** A signed-in person, an agent, or an organization's key; `id` is the user's, the agent's, or the key's. */
  author: z.object({ kind: z.enum(authorKinds), id: z.string() }),
  /**
   * Whether it calibrates later reports. A key's or an agent's verdict on its own analysis doesn't, nor does one on an
   * earlier report.
   */
  counts: z.boolean(),
  earlier: z.array(opinionSchema),
});
export type Feedback = z.infer<typeof feedbackSchema>;

/** The answer to a verdict. */
export const feedbackAnswerSchema = z.object({
  /** Whether this verdict calibrates later reports. A key's or an agent's verdict on its own analysis doesn't. */
  counts: z.boolean(),
  /** All feedback on the incident's reports, the latest first. */
  feedback: z.array(feedbackSchema),
});
export type FeedbackAnswer = z.infer<typeof feedbackAnswerSchema>;
