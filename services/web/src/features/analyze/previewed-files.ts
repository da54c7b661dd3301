import { limits, type PreviewedFile } from "@whence/protocol";
import { type AttachedFile, lineCount } from "./attached-files.ts";

const mapMarker = "sourceMappingURL=";

/**
 * Returns the files in the form that a preview needs: source maps, and code that names one, with their content within
 * the limit.
 */
export function previewedFiles(files: readonly AttachedFile[]): PreviewedFile[] {
  let room: number = limits.previewedContentBytesMax;
  return files.map((file) => {
    const { name, content, bytes } = file;
    const isNeeded = name.endsWith(".map") || content.includes(mapMarker);
    if (!isNeeded || bytes > room) return { name, lines: lineCount(file) };
    room -= bytes;
    return { name, content };
  });
}
