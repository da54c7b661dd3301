import type { Draft } from "../draft.ts";
import { cut } from "../readable-line.ts";
import { Stretch } from "../stretch.ts";
import { pythonFormat } from "./python.ts";

const mark = /^E +/;

/**
 * Returns the errors whose tracebacks are within the message that pytest prints behind `E`: an error of another process,
 * passed on as text.
 */
export function tracebacksIn(stretch: Stretch, indexes: readonly number[]): readonly Draft[] {
  const said = indexes.flatMap((index) => stretch.line(index) ?? []);
  if (!said.some(({ text }) => text.includes("Traceback (most recent call last)"))) return [];
  const widths = said.flatMap(({ text }) => mark.exec(text)?.[0].length ?? []);
  const width = widths.reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY);
  return pythonFormat.read(new Stretch(said.map((line) => cut(line, width))));
}
