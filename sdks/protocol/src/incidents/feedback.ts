import { z } from "zod";
import { categorySchema } from "../failures/category.ts";
import { limits } from "../limits.ts";

export const verdicts = ["right", "wrong", "partly"] as const;
export type Verdict = (typeof verdicts)[number];

const name = z.string().min(1).max(limits.fileNameLengthMax);

/** What it was, when the report had it wrong or only in part. */
export const actualCauseSchema = z.object({
  file: name.optional(),
  category: categorySchema.optional(),
  service: z.string().min(1).max(limits.serviceLengthMax).optional(),
});
export type ActualCause = z.infer<typeof actualCauseSchema>;

/** The body of `POST /api/incidents/{id}/feedback`: whether the first candidate of the report is the cause. */
export const feedbackRequestSchema = z.object({
  verdict: z.enum(verdicts),
  reason: z.string().max(limits.feedbackReasonLengthMax).optional(),
  actual_cause: actualCauseSchema.optional(),
});
export type FeedbackRequest = z.infer<typeof feedbackRequestSchema>;

/** One opinion, as it was given at a time. */
export const opinionSchema = z.object({
  verdict: z.enum(verdicts),
  reason: z.string().nullable(),
  actual_cause: actualCauseSchema.nullable(),
  at: z.string(),
  /** Given on a report that another investigation has replaced since: it says nothing of the present one. */
  on_earlier_report: z.boolean(),
});
export type Opinion = z.infer<typeof opinionSchema>;

export const authorKinds = ["member", "agent", "key"] as const;

/** An author's verdict on a report, and their earlier ones, the latest first. */
export const feedbackSchema = opinionSchema.extend({
  /** A signed-in person, an agent, or an organization's key; `id` is the user's, the agent's, or the key's. */
  author: z.object({ kind: z.enum(authorKinds), id: z.string() }),
  /** Whether it calibrates later reports: not that of a key or an agent about its own analysis, nor of an earlier report. */
  counts: z.boolean(),
  earlier: z.array(opinionSchema),
});
export type Feedback = z.infer<typeof feedbackSchema>;

/** The answer to a verdict. */
export const feedbackAnswerSchema = z.object({
  /** Whether the verdict of this request calibrates later reports: not that of a key or an agent about its own analysis. */
  counts: z.boolean(),
  /** What everybody says of the incident's reports, the author first who spoke last. */
  feedback: z.array(feedbackSchema),
});
export type FeedbackAnswer = z.infer<typeof feedbackAnswerSchema>;
