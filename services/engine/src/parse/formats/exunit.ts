import type { ParsedFrame } from "../../findings/parsed-error.ts";
import type { Draft } from "../draft.ts";
import type { Stretch, TextFormat } from "../stretch.ts";
import { parseElixirFrame } from "./elixir.ts";
import { failuresBelow, readFailedTest } from "./failed-test.ts";

/** `  1) test adds tax (ShopTest)`, with the place of the test below. */
const title = /^ {0,4}\d{1,6}\) ((?:test|doctest|property|feature) .{1,300} \([\w.]{1,200}\))$/;
const place = /^\s{1,8}\S{1,400}\.exs?:\d{1,9}$/;
const raised = /^\*\* \((?<type>[A-Z][\w.]{1,200}|EXIT from .{1,60}|exit|throw)\) ?(?<message>.*)$/;
const linesMax = 80;

/** The failed tests of ExUnit, each with its error, its two sides, and its calls. */
export const exunitFormat: TextFormat = {
  name: "ExUnit",
  language: "elixir",
  read: (stretch) => failuresBelow(stretch, title, (index, [test = ""]) => failureBelow(stretch, index, test)),
};

function failureBelow(stretch: Stretch, first: number, test: string): Draft | null {
  if (!place.test(stretch.text(first + 1))) return null;
  const said: string[] = [];
  const frames: ParsedFrame[] = [];
  let last = first + 1;
  for (let index = first + 2; index < Math.min(first + linesMax, stretch.length); index++) {
    const text = stretch.text(index).trim();
    const frame = parseElixirFrame(stretch, index);
    if (frame) frames.push(frame);
    else if (title.test(stretch.text(index)) || (text === "" && endsAt(stretch, index, frames))) break;
    else if (text !== "stacktrace:") said.push(text);
    if (text !== "") last = index;
  }
  return readFailedTest(stretch, {
    test,
    frames,
    first,
    last,
    language: "elixir",
    said,
    raised,
    unnamed: "ExUnit.AssertionError",
  });
}

/** Returns whether a blank line ends a failure: messages contain blank lines, too, but only above the calls. */
function endsAt(stretch: Stretch, index: number, frames: readonly ParsedFrame[]): boolean {
  return frames.length > 0 || /^(?:\S|$)/.test(stretch.text(index + 1));
}
