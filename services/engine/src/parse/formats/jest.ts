import type { ParsedFrame } from "../../findings/parsed-error.ts";
import type { Draft } from "../draft.ts";
import type { Stretch, TextFormat } from "../stretch.ts";
import { failuresBelow, readFailedTest } from "./failed-test.ts";
import { parseFrame } from "./node-frame.ts";

/** `  ● cart › adds tax`. Of one test without a group, only its calls show that it isn't a list. */
const title = /^ {0,4}● (?!Console\b)(\S.{0,400})$/;
/** In place of a test's name, where its file can't be loaded. */
const suite = "Test suite failed to run";
/** `    >  9 |     expect(total).toBe(1200);`, and the mark below it. */
export const codeLine = /^\s{0,12}(?:>\s{0,9})?\d{0,9} \|(?: |$)/;

/** The failed tests of Jest, each with its error, what was expected, and its calls. */
export const jestFormat: TextFormat = {
  name: "Jest",
  language: "javascript",
  read: (stretch) => failuresBelow(stretch, title, (index, [test = ""]) => failureBelow(stretch, index, test)),
};

function failureBelow(stretch: Stretch, first: number, test: string): Draft | null {
  const said: string[] = [];
  const frames: ParsedFrame[] = [];
  let last = first;
  let isShowingCode = false;
  for (let index = first + 1; index < stretch.length; index++) {
    const text = stretch.text(index);
    if (title.test(text) || /^\S/.test(text)) break;
    const frame = parseFrame(text, stretch.span(index));
    if (frame) frames.push(frame);
    else if (frames.length > 0 && text.trim() !== "") break;
    else if (codeLine.test(text)) isShowingCode = true;
    else if (frames.length === 0 && !isShowingCode) said.push(text.replace(/^ {4}/, ""));
    if (text.trim() !== "") last = index;
  }
  const isFailure = frames.length > 0 && said.some((line) => line.trim() !== "");
  const failed = { said, frames, first, last, language: "javascript" as const };
  if (!isFailure) return null;
  return test === suite
    ? readFailedTest(stretch, { ...failed, test: null, unnamed: "Error" })
    : readFailedTest(stretch, { ...failed, test });
}
