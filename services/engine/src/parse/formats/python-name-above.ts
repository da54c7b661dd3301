import type { Stretch } from "../stretch.ts";
import { type LabeledError, labeledAbove } from "./labeled-error.ts";

/** AWS Lambda prints the error above its stack. */
const reported = /^\[ERROR\]\s{1,4}([A-Za-z_][\w.]{0,200})(?:: (.*))?$/;
/** So does Sentry, without a title between them. */
const named = /^([A-Za-z_][\w.]{0,200}(?:Error|Exception|Exit|Interrupt|Warning))(?:: (.*))?$/;
/** A logger's line that ends with an error as `repr` prints it: `raised unexpected: ValueError('no stock')`. */
const printed =
  /(?:: (?=[\w.]{0,900}(?:Error|Exception|Exit|Interrupt|Warning)\()|\b(?:raised|unexpected): )((?:[A-Za-z_]\w{0,60}\.){0,12}[A-Z]\w{0,120})\((.{0,2000})\)$/;
/** An argument that is one text. */
const oneText = /^(['"])((?:(?!\1|\\).|\\.){0,2000})\1,?$/;

/** Returns the error that is named above a stack of Python whose end, with its name, was cut off. */
export function nameAbove(stretch: Stretch, start: number): LabeledError | null {
  const line = lineAbove(stretch, start);
  const text = stretch.text(line);
  const [, type, message = ""] = reported.exec(text) ?? named.exec(text) ?? [];
  if (type !== undefined) return { type, message, line };
  const [, name, values = ""] = printed.exec(text) ?? [];
  if (name !== undefined) return { type: name, message: oneText.exec(values)?.[2] ?? values, line };
  return labeledAbove(stretch, start);
}

/** Returns whether an error is named right above calls that no title precedes, as Sentry prints them. */
export function isNamedAbove(stretch: Stretch, start: number): boolean {
  return named.test(stretch.text(lineAbove(stretch, start)));
}

/** Returns whether a line tells how many calls Sentry left out. */
export function isLeftOut(text: string): boolean {
  return /^\(\d{1,6} additional frame/.test(text);
}

/** Skips what Sentry prints in place of the outermost calls: `(3 additional frame(s) were not displayed)` and `...`. */
function lineAbove(stretch: Stretch, start: number): number {
  return stretch.text(start - 1) === "..." && isLeftOut(stretch.text(start - 2)) ? start - 3 : start - 1;
}
