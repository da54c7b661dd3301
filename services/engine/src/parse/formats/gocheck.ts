import type { ParsedFrame } from "../../findings/parsed-error.ts";
import type { Draft } from "../draft.ts";
import { frameOrigin } from "../frame-origin.ts";
import { normalizePath } from "../paths.ts";
import type { Stretch, TextFormat } from "../stretch.ts";
import { readFailedTest } from "./failed-test.ts";

/** `FAIL: cart_test.go:20: CartSuite.TestTotal`. */
const title = /^(FAIL|PANIC): \S{1,1000}\.go:\d{1,9}: (\S{1,300})$/;
const ending = /^(?:-{20,200}$|OOPS: |(?:FAIL|PANIC|SKIP|MISS|PASS|START): )/;
/** `cart_test.go:24:` above the line of an assertion, and `/srv/shop/cart.go:14` above `  in Cart.Total`. */
const place = /^(\S{1,1000}\.(?:go|s|c)):(\d{1,9})(:?)$/;
const called = /^ {2}in (\S{1,300})$/;
/** `... obtained int = 4`. */
const remark = /^\.\.\. {1,4}(.*)$/;
/** The address that gocheck prints behind a panic's message. */
const panicked = /^Panic: (.*?)(?: \(PC=0x[\da-fA-F]{1,16}\))?$/;
const linesMax = 600;

/** The failed assertions and panics of gocheck, each with its test. */
export const gocheckFormat: TextFormat = {
  name: "gocheck",
  language: "go",
  read(stretch) {
    const drafts: Draft[] = [];
    for (let index = 0; index < stretch.length; index++) {
      const [, kind, test = ""] = title.exec(stretch.text(index)) ?? [];
      if (kind !== undefined) drafts.push(...readFailures(stretch, index, kind, test));
    }
    return drafts;
  },
};

/** What one failed check or a panic printed, below its test's title. */
interface Said {
  readonly frames: ParsedFrame[];
  readonly lines: string[];
  readonly first: number;
  last: number;
}

function readFailures(stretch: Stretch, index: number, kind: string, test: string): Draft[] {
  let said: Said = { frames: [], lines: [], first: index, last: index };
  const all = [said];
  for (let at = index + 1; at < Math.min(index + linesMax, stretch.length) && !ending.test(stretch.text(at)); at++) {
    const frame = frameAt(stretch, at, test);
    // A test goes on after a failed check: what is below its next place is another failure.
    if (frame && kind === "FAIL" && said.lines.length > 0) {
      said = { frames: [], lines: [], first: at, last: at };
      all.push(said);
    }
    if (frame) said.frames.push(frame);
    const [, text] = remark.exec(stretch.text(at)) ?? [];
    if (text !== undefined) said.lines.push(panicked.exec(text)?.[1] ?? text);
    if (stretch.text(at) !== "") said.last = at;
  }
  const unnamed = kind === "PANIC" ? "panic" : "test failure";
  return all.flatMap(({ frames, lines, first, last }) => {
    if (lines.length === 0 && frames.length === 0) return [];
    const draft = readFailedTest(stretch, { test, said: lines, frames, first, last, language: "go", unnamed });
    // The word in front of it is no level of a log.
    return Object.assign(draft, { level: "error" as const });
  });
}

function frameAt(stretch: Stretch, at: number, test: string): ParsedFrame | null {
  const [, path, line, colon] = place.exec(stretch.text(at)) ?? [];
  if (path === undefined) return null;
  const below = stretch.text(at + 1);
  const [, name] = called.exec(below) ?? [];
  const code = colon === "" ? "" : below.trim();
  if (name === undefined && code === "") return null;
  const file = normalizePath(path);
  return {
    function: name ?? test,
    file,
    line: Number(line) || null,
    column: null,
    origin: frameOrigin(file, "go", name ?? null),
    async: false,
    printed: stretch.span(at, at + 1),
    context: null,
    ...(code === "" ? {} : { code }),
  };
}
