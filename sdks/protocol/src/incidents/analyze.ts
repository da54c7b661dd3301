import { z } from "zod";
import { limits } from "../limits.ts";
import { boundedBytes } from "../text.ts";
import { observedSchema } from "./watched-run.ts";

export const fileContentSchema = z.object({
  name: z.string().max(limits.fileNameLengthMax),
  content: boundedBytes(limits.fileContentBytesMax),
});
export type FileContent = z.infer<typeof fileContentSchema>;

/** The body of `POST /api/mcp/analyze`. The organization comes from the key. */
export const analyzeRequestSchema = z.object({
  error_log: boundedBytes(limits.errorLogBytesMax).min(1),
  files: z.array(fileContentSchema).max(limits.filesMax).nullish(),
  /** What was seen of the failure in watched runs; with it, the report says where to look next. */
  observed: observedSchema.nullish(),
});
export type AnalyzeRequest = z.infer<typeof analyzeRequestSchema>;

export const analyzeResponseSchema = z.object({
  incident_id: z.string(),
  status: z.literal("queued"),
  url: z.string(),
});
export type AnalyzeResponse = z.infer<typeof analyzeResponseSchema>;
