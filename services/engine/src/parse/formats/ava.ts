import type { ParsedFrame } from "../../findings/parsed-error.ts";
import { attach, type Draft, newDraft } from "../draft.ts";
import { callAt } from "../printed-place.ts";
import type { Stretch, TextFormat } from "../stretch.ts";
import { failuresBelow, readFailedTest } from "./failed-test.ts";

/** `  adds tax`, above the place of the assertion. The margin of the whole output may have been taken off. */
const title = /^ {0,2}(\S.{0,400})$/;
/** `  test.js:5`. */
const place = /^ {0,2}\S[^:]{0,500}:\d{1,9}$/;
const codeLine = /^ {0,12}\d{1,9}:(?: |$)/;
/** `  › file://test.js:5:5`, or with the name of a function: `  › total (file://src/cart.js:8:16)`. */
const call = /^ {0,2}› (?:(\S[^()]{0,300}) \()?(?:file:\/\/)?([^\s():][^():]{0,500}):(\d{1,9}):(\d{1,9})\)?$/;
const saidLinesMax = 500;

/** The failed assertions of AVA. Other errors of its tests are printed as Node.js prints them. */
export const avaFormat: TextFormat = {
  name: "AVA",
  language: "javascript",
  read: (stretch) => failuresBelow(stretch, title, (index, [test = ""]) => failureBelow(stretch, index, test)).flat(),
};

function failureBelow(stretch: Stretch, first: number, test: string): Draft[] | null {
  const [above, at, below, code] = [1, 2, 3, 4].map((by) => stretch.text(first + by));
  if (above !== "" || below !== "" || !place.test(at ?? "") || !codeLine.test(code ?? "")) return null;
  const said: string[] = [];
  const frames: ParsedFrame[] = [];
  let last = first;
  for (let index = first + 4; index < stretch.length && said.length < saidLinesMax; index++) {
    const text = stretch.text(index);
    const [, name, file, line, column] = call.exec(text) ?? [];
    if (file !== undefined) frames.push(callAt({ function: name, file, line, column }, stretch.span(index)));
    else if (frames.length > 0) break;
    else if (!codeLine.test(text)) said.push(text.replace(/^ {2}/, ""));
    last = index;
  }
  return frames.length === 0 ? null : thrownFor(stretch, { test, said, frames, first, last });
}

/** AVA throws an error of its own, with the same message for each assertion. */
function thrownFor(
  stretch: Stretch,
  failed: { test: string; said: string[]; frames: ParsedFrame[]; first: number; last: number },
): Draft[] {
  const assertion = readFailedTest(stretch, { ...failed, language: "javascript" });
  const thrown = newDraft("TestFailure", "The test has failed", assertion.printed, { language: "javascript" });
  attach(assertion, thrown, "cause");
  return [thrown, assertion];
}
