import type { ParsedFrame } from "../../findings/parsed-error.ts";
import { attach, type Draft } from "../draft.ts";
import { callAt } from "../printed-place.ts";
import type { Stretch, TextFormat } from "../stretch.ts";
import { failuresBelow, readFailedTest } from "./failed-test.ts";

/** `1) Shop\Tests\CartTest::testAddsTax with data set "guest" (19)`. */
const title = /^\d{1,6}\) ((?:\w{1,120}\\){0,12}\w{1,120}::\w{1,200})(?: with data set .{1,400})?$/;
const place = /^((?:[A-Za-z]:)?[^\s:]{1,1000}\.php):(\d{1,9})$/;
const raised = /^(?<type>(?:\w{1,120}\\){0,12}[A-Z]\w{1,120}(?:Error|Exception))(?:: |$)(?<message>.*)$/;
const linesMax = 80;
/** What PHPUnit prints above the error that caused another. */
const causeTitle = "Caused by";
const causesMax = 10;

/** The failed tests of PHPUnit, each with its error and its calls. */
export const phpunitFormat: TextFormat = {
  name: "PHPUnit",
  language: "php",
  read: (stretch) => failuresBelow(stretch, title, (index, [test = ""]) => failuresOf(stretch, index, test)).flat(),
};

/** A failed test's error, and the errors that caused it. */
function failuresOf(stretch: Stretch, first: number, test: string): Draft[] | null {
  const drafts: Draft[] = [];
  let found = failureBelow(stretch, first, test);
  while (found && drafts.length < causesMax) {
    const outer = drafts.at(-1);
    if (outer) attach(found.draft, outer, "cause");
    drafts.push(found.draft);
    const below = stretch.text(found.next) === "" ? found.next + 1 : found.next;
    found = stretch.text(below) === causeTitle ? failureBelow(stretch, below, test) : null;
  }
  return drafts.length === 0 ? null : drafts;
}

interface Found {
  readonly draft: Draft;
  readonly next: number;
}

function failureBelow(stretch: Stretch, first: number, test: string): Found | null {
  const said: string[] = [];
  const frames: ParsedFrame[] = [];
  let last = first;
  for (let index = first + 1; index < Math.min(first + linesMax, stretch.length); index++) {
    const text = stretch.text(index).trim();
    const [, file, line] = place.exec(text) ?? [];
    if (file !== undefined) frames.push(callAt({ file, line }, stretch.span(index), "php"));
    else if (frames.length > 0 || title.test(text)) break;
    else said.push(text);
    last = index;
  }
  if (frames.length === 0) return null;
  const draft = readFailedTest(stretch, {
    test,
    frames,
    first,
    last,
    language: "php",
    said,
    raised,
    unnamed: "AssertionFailedError",
  });
  return { draft, next: last + 1 };
}
