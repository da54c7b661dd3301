import type { Span } from "../source/source-text.ts";

/** How much of one error's lines is examined, in UTF-16 units. */
const unitsMax = 65_536;
const escapeCharacter = String.raw`(?:\u001b|\\u001[bB]|\\x1[bB]|\\033|\\e)`;
const introducer = String.raw`(?:${escapeCharacter}\[|\u009b)`;
/** Moves to other lines, erases them, or restores a position: CSI sequences, and the older ones without a bracket. */
const leavesLine = new RegExp(String.raw`${introducer}[\d;]{0,12}[AEFHJLMSTdfsu]|${escapeCharacter}[78Mc](?![\w\\/])`);
/** Moves back on its line, or erases what precedes it. */
const goesBack = new RegExp(String.raw`${introducer}\d{0,4}[DGPX\u0060]|${introducer}[12]K|[\b]|\r(?=[^\r\n\0])`);

/**
 * Returns whether a terminal shows something other than the text of an error's lines, because they move the cursor or
 * erase text. Colors, and carriage returns that end lines, do neither.
 */
export function rewritesLines(text: string, { start, end }: Span): boolean {
  const from = text.lastIndexOf("\n", Math.max(start - 1, 0)) + 1;
  const below = text.indexOf("\n", Math.max(end - 1, start));
  const printed = text.slice(from, Math.min(below < 0 ? text.length : below, from + unitsMax));
  if (!suspect.test(printed)) return false;
  if (leavesLine.test(printed)) return true;
  // Without line feeds the carriage returns are line endings.
  return text.includes("\n") && printed.split("\n").some(overwrites);
}

const suspect = new RegExp(String.raw`[\b\r]|${escapeCharacter}|\u009b`);

function overwrites(line: string): boolean {
  const found = goesBack.exec(line);
  if (!found) return false;
  const before = line.slice(0, found.index);
  const after = line.slice(found.index + found[0].length);
  return /[^\s\0]/.test(before) && /[^\s\0]/.test(after);
}
