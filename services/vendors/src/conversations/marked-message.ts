import { markdownOf } from "./markdown.ts";
import type { MessageDocument } from "./message-document.ts";

/** A comment in HTML, which no one sees: it finds a message that was posted before its answer was lost. */
export function markerOf(key: string): string {
  return `<!-- whence:${encodeURIComponent(key)} -->`;
}

/** The message in Markdown with its marker, of at most `lengthMax` UTF-16 units. */
export function markedMessage(message: MessageDocument, key: string, lengthMax: number): string {
  const ending = `\n\n${markerOf(key)}`;
  return markdownOf(message, lengthMax - ending.length) + ending;
}
