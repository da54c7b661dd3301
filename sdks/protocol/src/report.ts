import { z } from "zod";
import { categorySchema } from "./category.ts";
import { evidenceSchema, locationSchema } from "./evidence.ts";
import { predictionSchema } from "./prediction.ts";

const evidenceIds = z.array(z.string());
const score = z.number().min(0).max(1);

/** The service that has the cause, by the name it reports under; null when that is not known. */
const service = z.string().nullable();

/** A possible cause. */
export const candidateSchema = z.object({
  rank: z.int().min(1),
  category: categorySchema,
  statement: z.string(),
  location: locationSchema.nullable(),
  service,
  score,
  evidence_ids: evidenceIds,
  /** What speaks for it and what against it, one line each. */
  support: z.array(z.string()),
  against: z.array(z.string()),
});
export type Candidate = z.infer<typeof candidateSchema>;

export const solutionSchema = z.object({ title: z.string(), detail: z.string(), evidence_ids: evidenceIds });
export type Solution = z.infer<typeof solutionSchema>;

export const impactSchema = z.object({
  summary: z.string(),
  first_seen: z.string().nullable(),
  last_seen: z.string().nullable(),
  events: z.int().min(0),
  services: z.array(z.string()),
  routes: z.array(z.string()),
  hosts: z.array(z.string()),
  releases: z.array(z.string()),
});
export type Impact = z.infer<typeof impactSchema>;

/** Who wrote a field: the reporting client, the service's own rules, or a model. */
export const authors = ["client", "server", "model"] as const;

/** What an investigation found. Prose cites evidence as `[e1]`; `verifyReport` finds citations that lead nowhere. */
export const reportSchema = z.object({
  /** One or two sentences. */
  root_cause_summary: z.string(),
  root_cause: z.object({
    category: categorySchema,
    statement: z.string(),
    location: locationSchema.nullable(),
    service,
  }),
  /** Ranked, the winner first. */
  candidates: z.array(candidateSchema),
  /** Markdown. */
  detailed_analysis: z.string(),
  short_term_solutions: z.array(solutionSchema),
  long_term_solutions: z.array(solutionSchema),
  evidence: z.array(evidenceSchema),
  timeline: z.array(z.object({ at: z.string(), what: z.string(), evidence_id: z.string() })),
  impact: impactSchema,
  /**
   * `basis` says what the number rests on. `model_score` is what it was before the history of the organization counted;
   * absent where that was the same.
   */
  confidence: z.object({ score, basis: z.string(), model_score: score.optional() }),
  predictions: z.array(predictionSchema),
  /** What the investigation could not see. */
  not_checked: z.array(z.string()),
  provenance: z.record(z.string(), z.enum(authors)),
  engine: z.object({ name: z.string(), version: z.string(), model: z.string().optional() }),
});
export type Report = z.infer<typeof reportSchema>;
