import type { ParsedFrame } from "../../findings/parsed-error.ts";
import type { Draft } from "../draft.ts";
import { callAt } from "../printed-place.ts";
import type { Stretch, TextFormat } from "../stretch.ts";
import { failuresBelow, readFailedTest } from "./failed-test.ts";

/** ` FAIL  test/cart.test.ts > cart > adds tax`. A workspace's name in bars may be before the file. */
const title = /^ ?FAIL {1,2}(?:\|[^|]{1,80}\| )?(\S.{0,400}? > .{1,400})$/;
/** A file that can't be loaded, and what failed outside tests. */
const outside =
  /^(?: ?FAIL {1,2}(?:\|[^|]{1,80}\| )?\S{1,400} \[ .{1,400} \]|⎯{3,400} ?Unhandled (?:Rejection|Error|Exception) ⎯{3,400})$/;
/** What Vite prints below the message of an error of a plugin: its name, the place, and the code. */
const ofPlugin = /^ {2}(?:Plugin: |File: )/;
const pluginPlace = /^ {2}File: ()(\S[^:]{0,500}):(\d{1,9}):(\d{1,9})$/;
/** ` ❯ total src/cart.js:8:16`. */
const call = /^ ❯ (?:(\S.{0,300}) )?(\S[^:]{0,500}):(\d{1,9}):(\d{1,9})$/;
const divider = /^⎯{3,400}/;
const codeLine = /^ {0,12}\d{0,9} {0,2}\|/;

/** The failed tests of Vitest, each with its error and its calls. */
export const vitestFormat: TextFormat = {
  name: "Vitest",
  language: "javascript",
  read: (stretch) => [
    ...failuresBelow(stretch, title, (index, [test = ""]) => failureBelow(stretch, index, test)),
    ...failuresBelow(stretch, outside, (index) => failureBelow(stretch, index, null)),
  ],
};

function failureBelow(stretch: Stretch, first: number, test: string | null): Draft | null {
  const said: string[] = [];
  const frames: ParsedFrame[] = [];
  let last = first;
  let isOfPlugin = false;
  for (let index = first + 1; index < stretch.length; index++) {
    const text = stretch.text(index);
    if (divider.test(text) || title.test(text) || outside.test(text)) break;
    const [, name, file, line, column] = call.exec(text) ?? pluginPlace.exec(text) ?? [];
    isOfPlugin ||= ofPlugin.test(text);
    if (file !== undefined) frames.push(callAt({ function: name, file, line, column }, stretch.span(index)));
    else if (frames.length === 0 && !isOfPlugin) said.push(text);
    else if (text !== "" && !codeLine.test(text) && !ofPlugin.test(text)) break;
    if (text !== "") last = index;
  }
  const isEmpty = said.every((line) => line.trim() === "");
  if (isEmpty || (test === null && frames.length === 0)) return null;
  const unnamed = test === null ? { unnamed: "Error" } : {};
  return readFailedTest(stretch, { test, said, frames, first, last, language: "javascript", ...unnamed });
}
