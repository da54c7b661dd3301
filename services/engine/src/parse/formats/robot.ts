import type { Draft } from "../draft.ts";
import type { Stretch, TextFormat } from "../stretch.ts";
import { failuresBelow, readFailedTest } from "./failed-test.ts";

/** `Adds Tax                      | FAIL |`. */
const title = /^(\S.{0,200}?) {1,80}\| FAIL \|$/;
const divider = /^(?:-{20,200}|={20,200})$/;
/** How many tests of a suite passed, below its name. */
const counts = /^\d{1,9} (?:critical )?tests?, \d{1,9} passed, \d{1,9} failed/;
const linesMax = 60;

/** The failed tests of Robot Framework, each with its message. */
export const robotFormat: TextFormat = {
  name: "Robot Framework",
  language: "python",
  read: (stretch) => failuresBelow(stretch, title, (index, [test = ""]) => failureBelow(stretch, index, test)),
};

function failureBelow(stretch: Stretch, first: number, test: string): Draft | null {
  let last = first;
  while (last - first < linesMax && last + 1 < stretch.length && !isEnd(stretch.text(last + 1))) last++;
  const said = Array.from({ length: last - first }, (_, line) => stretch.text(first + 1 + line));
  if (!divider.test(stretch.text(last + 1)) || said.some((line) => counts.test(line))) return null;
  return readFailedTest(stretch, { test, said, frames: [], first, last, language: "python" });
}

function isEnd(text: string): boolean {
  return divider.test(text) || title.test(text);
}
