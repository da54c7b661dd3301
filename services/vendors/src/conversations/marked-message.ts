import { markdownOf } from "./markdown.ts";
import type { MessageDocument } from "./message-document.ts";

/** Returns an invisible HTML comment, which identifies a message that was posted before its response was lost. */
export function markerOf(key: string): string {
  return `<!-- whence:${encodeURIComponent(key)} -->`;
}

/** Renders a message in Markdown with its marker, of at most `lengthMax` UTF-16 units. */
export function markedMessage(message: MessageDocument, key: string, lengthMax: number): string {
  const ending = `\n\n${markerOf(key)}`;
  return markdownOf(message, lengthMax - ending.length) + ending;
}
