import { stripVTControlCharacters } from "node:util";

const titleLengthMax = 200;

/** The first line that says something, cut at 200 characters. */
export function titleOf(text: string): string {
  const line = stripVTControlCharacters(text.slice(0, 20_000))
    .split("\n")
    .map((candidate) => candidate.trim())
    .find((candidate) => candidate !== "");
  if (line === undefined) return "Empty error text";
  return line.length > titleLengthMax ? `${line.slice(0, titleLengthMax - 1)}…` : line;
}
