import type { ParsedFrame } from "../../findings/parsed-error.ts";
import type { Draft } from "../draft.ts";
import { frameOrigin } from "../frame-origin.ts";
import type { Stretch, TextFormat } from "../stretch.ts";
import { readFailedTest } from "./failed-test.ts";

/** `Error Trace:	/srv/shop/cart_test.go:20`: the innermost place, or in old versions only its name. */
const traceLine = /^\s*Error Trace:\s+(\S{1,400}\.go):(\d{1,9})$/;
/** A place of an outer call, on a line of its own. */
const outerPlace = /^\s+(\S{1,400}\.go):(\d{1,9})$/;
/** `Error:`, `Test:`, and `Messages:`, with what they say from the same line on. */
const label = /^\s*(Error|Test|Messages):\s+(\S.{0,4000})$/;
/** Where `testing` says that the failure was logged. */
const loggedAt = /^\s*[^\s:]{1,200}\.go:\d{1,9}: ?$/;
/** Says nothing of the error, which is on the lines below. */
const introduction = "Received unexpected error:";
/** More lines are a value that is compared. */
const linesMax = 200;

/** Failed assertions with the calls that led to them, as testify prints them below a Go test. */
export const testifyFormat: TextFormat = {
  name: "testify",
  language: "go",
  read(stretch) {
    const drafts: Draft[] = [];
    for (let index = 0; index < stretch.length; index++) {
      const found = traceLine.exec(stretch.text(index));
      if (found) drafts.push(readAssertion(stretch, index, found));
    }
    return drafts;
  },
};

function readAssertion(stretch: Stretch, start: number, innermost: RegExpExecArray): Draft {
  const frames = [frameOf(stretch, start, innermost)];
  let next = start + 1;
  for (let place = outerPlace.exec(stretch.text(next)); place; place = outerPlace.exec(stretch.text(++next)))
    frames.push(frameOf(stretch, next, place));
  const { said, test, end } = readLabels(stretch, next);
  return readFailedTest(stretch, {
    test,
    said,
    frames,
    last: end - 1,
    language: "go",
    unnamed: "test failure",
    first: loggedAt.test(stretch.text(start - 1)) ? start - 1 : start,
  });
}

/** Reads what is said of the failure; the lines of a value are indented further than their label. */
function readLabels(stretch: Stretch, from: number): { said: string[]; test: string; end: number } {
  const said: string[] = [];
  let test = "";
  let at = from;
  for (let last = ""; at < from + linesMax; at++) {
    const [, name, text = ""] = label.exec(stretch.text(at)) ?? [];
    const more = /^\s{8,}(\S.*)$/.exec(stretch.text(at))?.[1];
    if (name === undefined && (more === undefined || last === "")) break;
    last = name ?? last;
    if (last === "Test") test = name === undefined ? test : text;
    else if (text !== introduction) said.push(name === undefined ? (more ?? "") : text);
  }
  return { said, test, end: at };
}

function frameOf(stretch: Stretch, at: number, [, file = "", line]: RegExpExecArray): ParsedFrame {
  return {
    function: null,
    file,
    line: Number(line),
    column: null,
    origin: frameOrigin(file, "go"),
    async: false,
    printed: stretch.span(at),
    context: null,
  };
}
