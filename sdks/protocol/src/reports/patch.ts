import { applyPatch, parsePatch, type StructuredPatch } from "diff";
import { z } from "zod";

/** A change of code that would repair the cause. It was checked: it applies to the given source, and the result parses. */
export const patchSchema = z.object({
  /** The kind of signal whose repair it is, such as `missing-await`; `release-change` for reverted lines of a release. */
  kind: z.string(),
  /** What it changes: one sentence. */
  what: z.string(),
  /** A unified diff, as `git apply` reads it. */
  diff: z.string(),
  /** The files that it changes, by their names in the report, and the SHA-256 (hex) of the text that it applies to. */
  files: z.array(z.object({ file: z.string(), sha256: z.string().regex(/^[0-9a-f]{64}$/) })).min(1),
  evidence_ids: z.array(z.string()),
});
export type Patch = z.infer<typeof patchSchema>;

/**
 * Returns the path of a file in a diff: relative, with `/` between folders. Null for a name that no diff should have,
 * because it leads out of its folder or contains control characters.
 */
export function pathInDiff(file: string): string | null {
  const path = file
    .replaceAll("\\", "/")
    .replace(/^(?:[A-Za-z]:)?\/+/, "")
    .replace(/^(?:\.\/)+/, "");
  const isSafe = path !== "" && !/[\p{Cc}"]/u.test(path) && !path.split("/").includes("..");
  return isSafe ? path : null;
}

/** One file's part of a diff. */
export interface FileDiff {
  /** Relative, without `a/` and `b/`. */
  readonly path: string;
  /** Its own part, as a diff. */
  readonly part: StructuredPatch;
}

/** Returns the parts of a diff by file. Throws when the text isn't a diff. */
export function filesOfDiff(diff: string): FileDiff[] {
  return parsePatch(diff).map((part) => ({ path: (part.newFileName ?? "").replace(/^b\//, ""), part }));
}

/** Returns a text with a file's part of a diff applied, without fuzz; null where it doesn't apply. */
export function withDiff(text: string, part: StructuredPatch): string | null {
  const changed = applyPatch(text, part, { autoConvertLineEndings: false });
  return changed === false ? null : changed;
}
