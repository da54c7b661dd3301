import { z } from "zod";
import { categorySchema } from "../failures/category.ts";

const count = z.int().min(0);
const share = z.number().min(0).max(1).nullable();

/** What one kind of judge says of reports, each report counted once. */
const judgedSchema = z.object({ confirmed: count, partly: count, refuted: count });

/** How right reports were. People judge a report first, then agents, then predictions; otherwise it isn't judged. */
const accuracyFiguresSchema = z.object({
  reports: count,
  people: judgedSchema,
  agents: judgedSchema,
  predictions: judgedSchema,
  /** Of those judged, on average: how sure they were, and how many were right. Null without any. */
  confidence: share,
  right: share,
  /** The mean square of the difference between the two: 0 is perfect, 0.25 is what always saying 0.5 gives. */
  brier: share,
});
export type AccuracyFigures = z.infer<typeof accuracyFiguresSchema>;

/** The answer of `GET /api/accuracy`: how right the organization's reports were, the newest ones. */
export const accuracySchema = z.object({
  /** When the oldest report that counts here was made; null without any. */
  since: z.string().nullable(),
  all: accuracyFiguresSchema,
  /** By the confidence of the reports; `to` is exclusive, except for 1. */
  bands: z.array(accuracyFiguresSchema.extend({ from: z.number(), to: z.number() })),
  /** Those that there are, the most frequent first. */
  categories: z.array(accuracyFiguresSchema.extend({ category: categorySchema })),
});
export type Accuracy = z.infer<typeof accuracySchema>;
