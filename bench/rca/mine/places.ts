import type { CorpusCase } from "../corpora/corpus-case.ts";
import type { StackFrame } from "../corpora/stack.ts";
import type { Culprit } from "./culprit.ts";
import type { Environment, NamedFunction } from "./ecosystem.ts";
import { type Hunk, replacedRange } from "./hunks.ts";

type Truth = CorpusCase["truth"];

/** Returns the places of the needed hunks, starting with the one in the function that is highest in the stack. */
export function placesOf(
  { shown, pair: { ecosystem } }: Environment,
  { file, text, needed }: Culprit,
  frames: readonly StackFrame[],
): Truth[] {
  const functions = ecosystem.functionsOf(text);
  const path = `${shown}/${file}`;
  const inFile = frames.map((frame) => (frame.file === path ? runningFunction(functions, text, frame) : null));
  const places = needed.map((hunk) => {
    const { from, to, inside } = changedPlace(functions, text, hunk, ecosystem.ignoresWhiteSpace);
    const depth = inFile.indexOf(inside);
    const lines = { line_start: lineOf(text, from), line_end: lineOf(text, Math.max(from, to)) };
    return { file: path, function: inside?.name ?? "", ...lines, depth, on_stack: inFile.some((one) => one !== null) };
  });
  const rank = ({ depth, function: inside }: Truth): number => (depth >= 0 ? depth : inside === "" ? 2000 : 1000);
  const seen = new Set<string>();
  return places
    .sort((left, right) => rank(left) - rank(right))
    .filter(
      ({ line_start, line_end }) => !seen.has(`${line_start}-${line_end}`) && seen.add(`${line_start}-${line_end}`),
    );
}

/** Returns the innermost function that contains the characters from `from` to `to`; undefined at module level. */
function innermost(functions: readonly NamedFunction[], from: number, to = from): NamedFunction | undefined {
  return functions.findLast((one) => one.from < from && one.to > to);
}

function runningFunction(
  functions: readonly NamedFunction[],
  text: string,
  { line, column }: StackFrame,
): NamedFunction | undefined {
  const lines = text.split("\n");
  const start = offsetOf(lines, line - 1);
  return innermost(functions, column > 0 ? start + column - 1 : start + indentOf(lines[line - 1] ?? "") + 1);
}

/**
 * Returns the place of a hunk. Where indentation has meaning, inserted lines belong to a function above them if they
 * are deeper.
 */
function changedPlace(
  functions: readonly NamedFunction[],
  text: string,
  hunk: Hunk,
  ignoresWhiteSpace: boolean,
): { from: number; to: number; inside: NamedFunction | undefined } {
  const range = replacedRange(hunk, text);
  const first = hunk.replacement.find((line) => line.trim() !== "");
  if (!ignoresWhiteSpace && hunk.count === 0 && first !== undefined) {
    const lines = text.split("\n");
    const above = lines.slice(0, hunk.start).findLastIndex((line) => line.trim() !== "");
    const end = offsetOf(lines, Math.max(0, above)) + (lines[above] ?? "").length;
    const indentOfFunction = ({ from }: NamedFunction): number => from - (text.lastIndexOf("\n", from - 1) + 1);
    const inside = functions.findLast(
      (one) => one.from < end && one.to > end && indentOfFunction(one) < indentOf(first),
    );
    if (inside !== undefined) return { from: end, to: end, inside };
  }
  return { ...range, inside: innermost(functions, range.from, range.to) };
}

const indentOf = (line: string): number => line.length - line.trimStart().length;

const offsetOf = (lines: readonly string[], index: number): number =>
  lines.slice(0, index).reduce((sum, line) => sum + line.length + 1, 0);

/** Returns the 1-based line of a character. */
const lineOf = (text: string, position: number): number => text.slice(0, position).split("\n").length;
