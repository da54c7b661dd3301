import { z } from "zod";

/** A place in source code. Lines are 1-based. */
export const locationSchema = z.object({
  file: z.string(),
  line: z.int().min(1).nullable(),
  function: z.string().nullable(),
});
export type Location = z.infer<typeof locationSchema>;

export const evidenceKinds = [
  "error_log",
  "exception",
  "stack_frame",
  "source_file",
  "breadcrumb",
  "request",
  "telemetry",
  "signature",
  "integration",
  "model",
  "observed",
] as const;

/** An observation. A report contains no evidence that wasn't observed. */
export const evidenceSchema = z.object({
  /** `e1`, `e2`, … within the report; prose cites it as `[e1]`. */
  id: z.string().regex(/^e[1-9][0-9]*$/),
  /** `version` says which version of a file was read from the service's source: `git 1.4.2`, `on disk`. */
  source: z.object({
    kind: z.enum(evidenceKinds),
    name: z.string(),
    url: z.string().optional(),
    version: z.string().optional(),
  }),
  observed_at: z.string(),
  summary: z.string(),
  excerpt: z.string(),
  /** The 1-based number of the excerpt's first line in its file; only for quoted source code. */
  first_line: z.int().min(1).optional(),
  location: locationSchema.nullable(),
  /**
   * The excerpt's place in its source, in UTF-8 bytes, `end` exclusive. Null when the excerpt was computed, as a count
   * is.
   */
  range: z.object({ start: z.int().min(0), end: z.int().min(0) }).nullable(),
  /** SHA-256 (hex) of the complete source that the excerpt was taken from, for anyone who has it to check. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type Evidence = z.infer<typeof evidenceSchema>;
