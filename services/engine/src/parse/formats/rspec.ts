import type { ParsedFrame } from "../../findings/parsed-error.ts";
import type { Draft } from "../draft.ts";
import { callAt } from "../printed-place.ts";
import type { Stretch, TextFormat } from "../stretch.ts";
import { failuresBelow, readFailedTest } from "./failed-test.ts";

/** `  1) Cart adds tax` of RSpec, and `  1) Error:` of Minitest, with the test below. */
const title = /^ {0,6}\d{1,6}\) (\S.{0,400})$/;
const failed = /^\s+Failure\/Error: (.{0,400})$/;
const ofMinitest = /^(?:Error|Failure):$/;
const method = /^(\S{1,200}#\S.{0,200}?)(?: \[(.{1,400}):(\d{1,9})\])?:$/;
/** `# ./app/models/order.rb:42:in 'total'` of RSpec, and the same without `#` of Minitest. */
const call =
  /^\s{1,12}(?:# )?((?:[A-Za-z]:)?[^\s:#'"`]{1,1000}\.(?:rb|erb|rake|haml|slim)):(\d{1,9})(?::in [`'](.{1,300})')?$/;
/** `     NoMethodError:`, with the message below, and `NoMethodError: text`. */
const raised = /^\s{0,12}((?:[A-Z]\w{0,80}::){0,8}[A-Z]\w{0,80}):(?: (.*))?$/;
const linesMax = 80;

/** The failed tests of RSpec and Minitest, each with its error, what was expected, and its calls. */
export const rspecFormat: TextFormat = {
  name: "RSpec, Minitest",
  language: "ruby",
  read: (stretch) =>
    failuresBelow(stretch, title, (index, [name = ""]) =>
      ofMinitest.test(name) ? readMinitest(stretch, index) : readRspec(stretch, index, name),
    ),
};

function readRspec(stretch: Stretch, first: number, test: string): Draft | null {
  if (!failed.test(stretch.text(first + 1))) return null;
  const { said, frames, last } = readBody(stretch, first + 2);
  const from = said.findIndex((line) => raised.test(line) && raised.exec(line)?.[2] === undefined);
  const type = from < 0 ? undefined : raised.exec(said[from] ?? "")?.[1];
  // What stands above the first blank line is the rest of the code that failed.
  const blank = said.findIndex((line) => line.trim() === "");
  const message = said.slice(from < 0 ? blank + 1 : from + 1).map((line) => line.trim());
  const code = failed.exec(stretch.text(first + 1))?.[1] ?? "";
  return readFailedTest(stretch, {
    test,
    frames,
    first,
    last,
    language: "ruby",
    said: message.some((line) => line !== "") ? message : [code],
    unnamed: type ?? "RSpec::Expectations::ExpectationNotMetError",
  });
}

function readMinitest(stretch: Stretch, first: number): Draft | null {
  const [, test, file, line] = method.exec(stretch.text(first + 1)) ?? [];
  if (test === undefined) return null;
  const { said, frames, last } = readBody(stretch, first + 2);
  const [, type, message] = raised.exec(said[0] ?? "") ?? [];
  const isNamed = file === undefined && type !== undefined && message !== undefined;
  const place = file === undefined ? [] : [callAt({ file, line }, stretch.span(first + 1), "ruby")];
  return readFailedTest(stretch, {
    test,
    first,
    last,
    language: "ruby",
    said: isNamed ? [message, ...said.slice(1)] : said.map((one) => one.trim()),
    frames: [...place, ...frames],
    unnamed: isNamed ? type : "Minitest::Assertion",
  });
}

interface Body {
  readonly said: readonly string[];
  readonly frames: readonly ParsedFrame[];
  readonly last: number;
}

/** Reads what is below a title, up to its last call, or else to a blank line. */
function readBody(stretch: Stretch, from: number): Body {
  const said: string[] = [];
  const frames: ParsedFrame[] = [];
  let last = from - 1;
  for (let index = from; index < Math.min(from + linesMax, stretch.length); index++) {
    const text = stretch.text(index);
    const [, file, line, name] = call.exec(text) ?? [];
    if (file !== undefined) frames.push(callAt({ function: name, file, line }, stretch.span(index), "ruby"));
    else if (frames.length > 0 || title.test(text) || (text === "" && /^(?:\S|$)/.test(stretch.text(index + 1)))) break;
    else said.push(text);
    last = index;
  }
  return { said, frames, last };
}
