import { z } from "zod";
import { limits } from "../limits.ts";
import { boundedBytes } from "../text.ts";

const fileName = z.string().max(limits.fileNameLengthMax);

/** A file that is to go with the text: its name alone, with how many lines it has, or with what is in it. */
const previewedFileSchema = z.union([
  fileName,
  z.object({
    name: fileName,
    lines: z
      .int()
      .min(1)
      .max(limits.fileContentBytesMax + 1)
      .optional(),
    /** Of source maps, and of code that names one: without it frames of compiled code stay where they are. */
    content: boundedBytes(limits.fileContentBytesMax).optional(),
  }),
]);
export type PreviewedFile = z.infer<typeof previewedFileSchema>;

/** The body of `POST /api/analyze/preview`: the text, and the files that are to go with it. */
export const analysisPreviewRequestSchema = z.object({
  error_log: boundedBytes(limits.errorLogBytesMax).min(1),
  files: z.array(previewedFileSchema).max(limits.filesMax).nullish(),
});
export type AnalysisPreviewRequest = z.infer<typeof analysisPreviewRequestSchema>;

const previewedFrameSchema = z.object({
  function: z.string().nullable(),
  file: z.string().nullable(),
  line: z.int().nullable(),
  /** Whose code it is. */
  origin: z.enum(["app", "dependency", "runtime"]),
  /** Which of the files it is in, by name; null for none of them. */
  attached: z.string().nullable(),
  /** Where the text has it, when a source map led from there to `file` and `line`. */
  generated: z.object({ file: z.string(), line: z.int() }).nullable(),
});
export type PreviewedFrame = z.infer<typeof previewedFrameSchema>;

const previewedExceptionSchema = z.object({
  type: z.string(),
  /** Its beginning. */
  message: z.string(),
  /** What printed it; null when only a name and a message were given. */
  language: z.string().nullable(),
  /** How it belongs to the error before it; null at the head of a chain. */
  relation: z.enum(["cause", "aggregated", "context", "suppressed"]).nullable(),
  /** How many times it stands in the text. */
  repeats: z.int().min(1),
  /** The innermost ones, innermost first. */
  frames: z.array(previewedFrameSchema),
  frames_total: z.int().min(0),
});
export type PreviewedException = z.infer<typeof previewedExceptionSchema>;

/** The answer of `POST /api/analyze/preview`: what an analysis of the text would start from. */
export const analysisPreviewSchema = z.object({
  /** What the text was read as: errors, the alert of a monitoring system, log lines, or words alone. */
  kind: z.enum(["error", "alert", "log", "text"]),
  headline: z.string(),
  /** The errors that would be looked into, the outermost first, then the others. */
  exceptions: z.array(previewedExceptionSchema),
  /** How many of them would be looked into. */
  chosen: z.int().min(0),
  /** Why those, where there was a choice. */
  chosen_because: z.string().nullable(),
  /** All that were found, those that are not listed too. */
  exceptions_total: z.int().min(0),
  /** Log lines that would be read beside the errors. */
  records: z.int().min(0),
  /** The system that an alert came from. */
  alert_system: z.string().nullable(),
  /** Known failures that it looks like, the most telling first. */
  signatures: z.array(z.object({ id: z.string(), meaning: z.string(), url: z.string() })),
  /** What could not be read, one line each. */
  unread: z.array(z.string()),
});
export type AnalysisPreview = z.infer<typeof analysisPreviewSchema>;
