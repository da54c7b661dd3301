import { type LineEdit, lineAt, movedBy } from "./mutation.ts";
import type { NamedFunction } from "./operators/functions.ts";

/**
 * Returns the place of the mistake in the mutated file, the first of `edits`; for removed lines, the lines around the
 * gap, within the function.
 */
export function mistakePlace(
  [edit, ...others]: readonly [LineEdit, ...LineEdit[]],
  mutated: string,
  around: NamedFunction | undefined,
): { line_start: number; line_end: number } {
  const moved = movedBy([edit, ...others], edit.line_start);
  const start = edit.line_start + moved;
  const last = lineAt(mutated, mutated.length);
  if (edit.text !== "")
    return { line_start: start, line_end: Math.min(last, start + edit.text.split("\n").length - 1) };
  const before = Math.max(1, start - 1, (around?.lineStart ?? 1) + moved);
  return { line_start: Math.min(before, last), line_end: Math.min(Math.max(before, start), last) };
}
