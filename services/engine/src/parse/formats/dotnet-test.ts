import type { ParsedFrame } from "../../findings/parsed-error.ts";
import type { Draft } from "../draft.ts";
import type { Stretch, TextFormat } from "../stretch.ts";
import { parseDotnetFrame } from "./dotnet.ts";
import { failuresBelow, readFailedTest } from "./failed-test.ts";

/** `  Failed Shop.Tests.CartTests.AddsTax [5 ms]`. */
const title = /^\s{0,4}(?:Failed|X) (\S.{0,400}?)(?: \[[\d<>., hms]{1,40}\])?$/;
/** xUnit and NUnit put a space before the colon. */
const raised = /^(?<type>(?:\w{1,120}\.){0,12}\w{1,120}Exception) ?: (?<message>.*)$/;
const linesMax = 120;

/** The failed tests of `dotnet test`, each with its error and its calls. */
export const dotnetTestFormat: TextFormat = {
  name: "dotnet test",
  language: "dotnet",
  read: (stretch) => failuresBelow(stretch, title, (index, [test = ""]) => failureBelow(stretch, index, test)),
};

function failureBelow(stretch: Stretch, first: number, test: string): Draft | null {
  if (stretch.text(first + 1).trim() !== "Error Message:") return null;
  const said: string[] = [];
  const frames: ParsedFrame[] = [];
  let last = first + 1;
  const hasCalls = hasCallsBelow(stretch, first);
  for (let index = first + 2; index < Math.min(first + linesMax, stretch.length); index++) {
    const text = stretch.text(index).trim();
    const frame = parseDotnetFrame(text, stretch.span(index));
    if (frame) frames.push(frame);
    else if (frames.length > 0 || title.test(stretch.text(index)) || (!hasCalls && isElsewhere(stretch, index))) break;
    else if (text !== "Stack Trace:") said.push(text);
    if (text !== "") last = index;
  }
  return readFailedTest(stretch, {
    test,
    frames,
    first,
    last,
    language: "dotnet",
    said,
    raised,
    unnamed: "AssertionException",
  });
}

/** Returns whether the calls of a failed test are announced before the next test. */
function hasCallsBelow(stretch: Stretch, first: number): boolean {
  for (let index = first + 2; index < Math.min(first + linesMax, stretch.length); index++) {
    if (title.test(stretch.text(index))) return false;
    if (stretch.text(index).trim() === "Stack Trace:") return true;
  }
  return false;
}

/** Without calls, nothing but a blank line ends a message, whose own lines are indented. */
function isElsewhere(stretch: Stretch, index: number): boolean {
  return stretch.text(index - 1).trim() === "" && /^\S/.test(stretch.text(index));
}
