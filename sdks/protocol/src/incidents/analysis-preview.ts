import { z } from "zod";
import { limits } from "../limits.ts";
import { boundedBytes } from "../text.ts";

const fileName = z.string().max(limits.fileNameLengthMax);

/** A file that will be sent with the text: its name, with either its number of lines or its content. */
const previewedFileSchema = z.union([
  fileName,
  z.object({
    name: fileName,
    lines: z
      .int()
      .min(1)
      .max(limits.fileContentBytesMax + 1)
      .optional(),
    /** Sent for source maps and for code that names one: without them, frames of compiled code aren't mapped. */
    content: boundedBytes(limits.fileContentBytesMax).optional(),
  }),
]);
export type PreviewedFile = z.infer<typeof previewedFileSchema>;

/** The body of `POST /api/analyze/preview`: the text, and the files that will be sent with it. */
export const analysisPreviewRequestSchema = z.object({
  error_log: boundedBytes(limits.errorLogBytesMax).min(1),
  files: z.array(previewedFileSchema).max(limits.filesMax).nullish(),
});
export type AnalysisPreviewRequest = z.infer<typeof analysisPreviewRequestSchema>;

const previewedFrameSchema = z.object({
  function: z.string().nullable(),
  file: z.string().nullable(),
  line: z.int().nullable(),
  /** The owner of the code. */
  origin: z.enum(["app", "dependency", "runtime"]),
  /** The name of the attached file that it is in; null when it is in none. */
  attached: z.string().nullable(),
  /** The frame's place in the text, when a source map led from there to `file` and `line`. */
  generated: z.object({ file: z.string(), line: z.int() }).nullable(),
});
export type PreviewedFrame = z.infer<typeof previewedFrameSchema>;

const previewedExceptionSchema = z.object({
  type: z.string(),
  /** The beginning of the message. */
  message: z.string(),
  /** The language that printed it; null when only a name and a message were given. */
  language: z.string().nullable(),
  /** How it relates to the error before it; null at the head of a chain. */
  relation: z.enum(["cause", "aggregated", "context", "suppressed"]).nullable(),
  /** How often it occurs in the text. */
  repeats: z.int().min(1),
  /** The innermost frames, innermost first. */
  frames: z.array(previewedFrameSchema),
  frames_total: z.int().min(0),
});
export type PreviewedException = z.infer<typeof previewedExceptionSchema>;

/** The answer of `POST /api/analyze/preview`: what an analysis of the text would start from. */
export const analysisPreviewSchema = z.object({
  /** How the text was read: as errors, the alert of a monitoring system, log lines, or plain words. */
  kind: z.enum(["error", "alert", "log", "text"]),
  headline: z.string(),
  /** The errors that would be investigated, outermost first, followed by the others. */
  exceptions: z.array(previewedExceptionSchema),
  /** The number of `exceptions` that would be investigated. */
  chosen: z.int().min(0),
  /** Why those were chosen, where there was a choice. */
  chosen_because: z.string().nullable(),
  /** The number of exceptions found, including those that aren't listed. */
  exceptions_total: z.int().min(0),
  /** Log lines that would be read along with the errors. */
  records: z.int().min(0),
  /** The system that an alert came from. */
  alert_system: z.string().nullable(),
  /** Signatures of known failures that match, the most specific first. */
  signatures: z.array(z.object({ id: z.string(), meaning: z.string(), url: z.string() })),
  /** What couldn't be read, one line each. */
  unread: z.array(z.string()),
});
export type AnalysisPreview = z.infer<typeof analysisPreviewSchema>;
