import type { SourceText } from "./source-text.ts";

/** Returns the line ending of a text. */
export function newlineOf({ text }: SourceText): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}
