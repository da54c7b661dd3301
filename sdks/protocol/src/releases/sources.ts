import { z } from "zod";
import { limits } from "../limits.ts";
import { timestampSchema } from "../text.ts";

/** The SHA-256 (hex) of a text in UTF-8. */
const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/, "it must be a SHA-256 in lower-case hex");
const nameSchema = z.string().trim().min(1).max(limits.serviceLengthMax);
const releaseSchema = nameSchema;
const pathSchema = z
  .string()
  .min(1)
  .max(limits.fileNameLengthMax)
  .refine(isBelowRoot, "it must be a path below the root, with slashes");

/** A file of a release: its path below the service's root, and the digest of its content. */
export const sourceFileEntrySchema = z.strictObject({ path: pathSchema, sha256: sha256Schema });
export type SourceFileEntry = z.infer<typeof sourceFileEntrySchema>;

/** The commit that a release was built from. */
export const sourceCommitSchema = z.strictObject({
  id: z.string().regex(/^[0-9a-f]{7,64}$/, "it must be a commit's id"),
  author: z.string().max(limits.serviceLengthMax),
  subject: z.string().max(limits.fileNameLengthMax),
  at: timestampSchema,
});
export type SourceCommit = z.infer<typeof sourceCommitSchema>;

/** The source files of one release of one service. */
export const sourceBundleRequestSchema = z.strictObject({
  service: nameSchema,
  release: releaseSchema,
  commit: sourceCommitSchema.nullable().default(null),
  files: z.array(sourceFileEntrySchema).min(1).max(limits.sourceFilesMax).superRefine(refuseRepeatedPaths),
});
export type SourceBundleRequest = z.infer<typeof sourceBundleRequestSchema>;

/** Whether the bundle is stored, which it is once no contents are missing. */
export const sourceBundleAnswerSchema = z.object({
  stored: z.boolean(),
  /** Digests of the contents to upload before asking again. */
  missing: z.array(sha256Schema),
});
export type SourceBundleAnswer = z.infer<typeof sourceBundleAnswerSchema>;

/** Contents of files, in any order; the bundle says which file has which. */
export const sourceContentsSchema = z.strictObject({
  contents: z.array(z.string()).min(1).max(limits.sourceFilesMax),
});
export type SourceContents = z.infer<typeof sourceContentsSchema>;

export const sourceContentsAnswerSchema = z.object({ stored: z.int().min(0) });

/** The source files of a release, without their list. */
export const sourceBundleSchema = z.object({
  service: z.string(),
  release: z.string(),
  /** Whether the files were uploaded, or sent by the release's own processes because an investigation lacked them. */
  origin: z.enum(["uploaded", "sent"]),
  commit: sourceCommitSchema.nullable(),
  files: z.int().min(0),
  /** Bytes on disk for its files and their list; content shared with other releases counts for each. */
  bytes: z.int().min(0),
  /** The key that uploaded it, which may be revoked. */
  key_id: z.string(),
  uploaded_at: timestampSchema,
});
export type SourceBundle = z.infer<typeof sourceBundleSchema>;

/** A file that a process sends: its path below the program's root, and its text, whose digest proves it whole. */
export const sentFileSchema = sourceFileEntrySchema.extend({ content: z.string().max(limits.sentFileBytesMax) });
export type SentFile = z.infer<typeof sentFileSchema>;

/** The body of `POST /api/telemetry/sources`: files of the program that an investigation lacks. */
export const sentFilesRequestSchema = z.strictObject({
  service: nameSchema.default("default"),
  release: z.string().min(1).max(limits.textLengthMax),
  files: z.array(sentFileSchema).min(1).max(limits.sentFilesMax).superRefine(refuseRepeatedPaths),
});
export type SentFilesRequest = z.infer<typeof sentFilesRequestSchema>;

/** How many of the files are stored: none when no investigation lacks files of the release, or there is no room. */
export const sentFilesAnswerSchema = z.object({ stored: z.int().min(0) });
export type SentFilesAnswer = z.infer<typeof sentFilesAnswerSchema>;

/** The answer of `GET /api/sources`, the newest upload first. */
export const sourceListSchema = z.object({ bundles: z.array(sourceBundleSchema) });
export type SourceList = z.infer<typeof sourceListSchema>;

/** Rejects a path that is listed twice: only the sender knows which of the two texts is meant. */
function refuseRepeatedPaths(files: readonly { readonly path: string }[], context: z.RefinementCtx): void {
  const seen = new Set<string>();
  for (const [index, { path }] of files.entries()) {
    if (seen.has(path)) {
      context.addIssue({ code: "custom", path: [index, "path"], message: "another file has this path" });
      return;
    }
    seen.add(path);
  }
}

function isBelowRoot(path: string): boolean {
  const segments = path.split("/");
  return !/[\0\\]/.test(path) && segments.every((segment) => segment !== "" && segment !== "." && segment !== "..");
}
