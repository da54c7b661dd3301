import { z } from "zod";
import { categorySchema } from "../failures/category.ts";

const count = z.int().min(0);
const share = z.number().min(0).max(1).nullable();

/** The verdicts of one kind of judge, each report counted once. */
const judgedSchema = z.object({ confirmed: count, partly: count, refuted: count });

/**
 * How accurate reports were. A person's judgment counts first, then an agent's, then predictions; without any, the
 * report isn't judged.
 */
const accuracyFiguresSchema = z.object({
  reports: count,
  people: judgedSchema,
  agents: judgedSchema,
  predictions: judgedSchema,
  /** Averages over the judged reports: their confidence, and the share that was right. Null without any. */
  confidence: share,
  right: share,
  /** The mean squared difference between the two: 0 is perfect; always saying 0.5 gives 0.25. */
  brier: share,
});
export type AccuracyFigures = z.infer<typeof accuracyFiguresSchema>;

/** The answer of `GET /api/accuracy`: how accurate the organization's newest reports were. */
export const accuracySchema = z.object({
  /** When the oldest report that counts was created; null without any. */
  since: z.string().nullable(),
  all: accuracyFiguresSchema,
  /** By the confidence of the reports. `to` is exclusive, except for 1. */
  bands: z.array(accuracyFiguresSchema.extend({ from: z.number(), to: z.number() })),
  /** The categories that occur, the most frequent first. */
  categories: z.array(accuracyFiguresSchema.extend({ category: categorySchema })),
});
export type Accuracy = z.infer<typeof accuracySchema>;
