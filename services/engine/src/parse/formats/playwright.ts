import type { ParsedFrame } from "../../findings/parsed-error.ts";
import type { Draft } from "../draft.ts";
import type { Stretch, TextFormat } from "../stretch.ts";
import { failuresBelow, readFailedTest } from "./failed-test.ts";
import { codeLine } from "./jest.ts";
import { parseFrame } from "./node-frame.ts";

/** `  1) [chromium] › tests/cart.spec.ts:4:5 › cart › adds tax ─────`. */
const title = /^ {0,4}\d{1,6}\) (?:\[[^\]]{1,80}\] › )?(\S{1,300}:\d{1,9}:\d{1,9} › \S.{0,400}?)(?: ─{1,400}| =+)?\s*$/;
/** What follows a failure: another try, what was attached, and how many tests failed. */
const below =
  /^ {0,6}(?:Retry #\d|attachment #\d|Error Context: |Usage:|Slow test file|\d{1,9} (?:failed|flaky|passed|skipped))/;

/** The failed tests of Playwright, each with its first error. */
export const playwrightFormat: TextFormat = {
  name: "Playwright",
  language: "javascript",
  read: (stretch) => failuresBelow(stretch, title, (index, [test = ""]) => failureBelow(stretch, index, test)),
};

function failureBelow(stretch: Stretch, first: number, test: string): Draft | null {
  const said: string[] = [];
  const frames: ParsedFrame[] = [];
  let last = first;
  let isShowingCode = false;
  let isOver = false;
  for (let index = first + 1; index < stretch.length; index++) {
    const text = stretch.text(index);
    if (title.test(text) || /^\S/.test(text)) break;
    isOver ||= below.test(text);
    const frame = isOver ? null : parseFrame(text, stretch.span(index));
    if (frame) frames.push(frame);
    else if (codeLine.test(text)) isShowingCode = true;
    else if (frames.length === 0 && !isShowingCode && !isOver) said.push(text.replace(/^ {4}/, ""));
    if (text.trim() !== "") last = index;
  }
  if (frames.length === 0 || said.every((line) => line.trim() === "")) return null;
  return readFailedTest(stretch, { test, said, frames, first, last, language: "javascript", unnamed: "Error" });
}
