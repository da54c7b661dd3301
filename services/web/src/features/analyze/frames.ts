import type { AnalysisPreview, PreviewedFrame } from "@whence/protocol";
import { type AttachedFile, lineCount } from "./attached-files.ts";

/** How a frame matches the attached files. */
export type FrameMatch =
  | { readonly kind: "attached"; readonly name: string }
  /** The file of that name is shorter than the line number: it is another version, or another file. */
  | { readonly kind: "too-short"; readonly name: string }
  | { readonly kind: "missing" }
  /** Code of a package or of the runtime, which doesn't need to be attached. */
  | { readonly kind: "foreign" };

/** Returns how a frame matches these files. */
export function matchFrame(
  { attached, line, origin, generated }: PreviewedFrame,
  files: ReadonlyMap<string, AttachedFile>,
): FrameMatch {
  const file = attached === null ? undefined : files.get(attached);
  if (file) {
    // A place found through a source map was already looked up in it.
    const isThere = generated !== null || line === null || line <= lineCount(file);
    return { kind: isThere ? "attached" : "too-short", name: file.name };
  }
  return { kind: origin === "app" ? "missing" : "foreign" };
}

/** Returns the files of the organization's own code that the chosen errors name and that aren't attached. */
export function missingFiles(
  { exceptions, chosen }: AnalysisPreview,
  files: ReadonlyMap<string, AttachedFile>,
): string[] {
  const frames = exceptions.slice(0, chosen).flatMap((exception) => exception.frames);
  const missing = frames.filter((frame) => matchFrame(frame, files).kind === "missing");
  return [...new Set(missing.flatMap(({ file }) => (file === null ? [] : [file])))];
}
