import { z } from "zod";
import { categorySchema } from "../failures/category.ts";
import { watchPlaceSchema } from "../incidents/watched-run.ts";
import { evidenceSchema, locationSchema } from "./evidence.ts";
import { patchSchema } from "./patch.ts";
import { predictionSchema } from "./prediction.ts";

const evidenceIds = z.array(z.string());
const score = z.number().min(0).max(1);

/** The service that contains the cause, by the name it reports under; null when that isn't known. */
const causingService = z.string().nullable();

/** A possible cause. */
export const candidateSchema = z.object({
  rank: z.int().min(1),
  category: categorySchema,
  statement: z.string(),
  location: locationSchema.nullable(),
  service: causingService,
  score,
  evidence_ids: evidenceIds,
  /** The arguments for and against it, one line each. */
  support: z.array(z.string()),
  against: z.array(z.string()),
  /** What watched runs of the failing command showed of it; absent where they showed neither. */
  seen: z.enum(["confirmed", "refuted"]).optional(),
});
export type Candidate = z.infer<typeof candidateSchema>;

/**
 * How far the clocks of two processes, and the times at which they report, may differ. Times closer than this have no
 * order.
 */
export const clockErrorMs = 120_000;

/**
 * One step of the causal chain. Links are in the order in which each led to the next; the `at` of a link is never more
 * than {@link clockErrorMs} later than that of a following one.
 */
export const chainLinkSchema = z.object({
  /** What happened, in a few words, without citations. */
  what: z.string(),
  location: locationSchema.optional(),
  service: z.string().optional(),
  release: z.string().optional(),
  /** RFC 3339. */
  at: z.string().optional(),
  evidence_ids: evidenceIds,
});
export type ChainLink = z.infer<typeof chainLinkSchema>;

export const solutionSchema = z.object({
  title: z.string(),
  detail: z.string(),
  /** The release that a service goes back to, for a solution that deploys it again, and whether that only likely helps. */
  rolls_back: z.object({ service: z.string(), to: z.string(), is_likely: z.literal(true).optional() }).optional(),
  evidence_ids: evidenceIds,
});
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

/** Authors of a field: the reporting client, the service's own rules, or a model. */
export const authors = ["client", "server", "model"] as const;

/**
 * The result of an investigation. Prose cites evidence as `[e1]`; `verifyReport` finds citations of evidence that
 * doesn't exist.
 */
export const reportSchema = z.object({
  /** The headline: one or two sentences, at most 25 words in total without citations. */
  root_cause_summary: z.string(),
  /** From the origin to the symptom, at least one link. */
  chain: z.array(chainLinkSchema).min(1),
  root_cause: z.object({
    category: categorySchema,
    statement: z.string(),
    location: locationSchema.nullable(),
    service: causingService,
  }),
  /** Ranked, the best first. */
  candidates: z.array(candidateSchema),
  /** Markdown. */
  detailed_analysis: z.string(),
  short_term_solutions: z.array(solutionSchema),
  long_term_solutions: z.array(solutionSchema),
  /** The repair of the first candidate as a diff; absent where no repair is known, or none passed the checks. */
  patch: patchSchema.optional(),
  evidence: z.array(evidenceSchema),
  timeline: z.array(z.object({ at: z.string(), what: z.string(), evidence_id: z.string() })),
  impact: impactSchema,
  /**
   * `basis` says what the score is based on. `model_score` is the score before the organization's history was applied;
   * absent when that changed nothing.
   */
  confidence: z.object({ score, basis: z.string(), model_score: score.optional() }),
  predictions: z.array(predictionSchema),
  /**
   * Where to look next: in the next run of the failing command, in reports for `whence prove`, and in the running
   * program, in reports on an event whose code was read.
   */
  watch: z.array(watchPlaceSchema).optional(),
  /** How the messages of the failing error and its causes begin, by which its throw is recognized; as `watch`. */
  watch_for: z.array(z.string()).optional(),
  /** What the investigation couldn't check. */
  not_checked: z.array(z.string()),
  provenance: z.record(z.string(), z.enum(authors)),
  engine: z.object({ name: z.string(), version: z.string(), model: z.string().optional() }),
});
export type Report = z.infer<typeof reportSchema>;
