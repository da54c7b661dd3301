import type { ParsedFrame } from "../../findings/parsed-error.ts";
import type { Draft } from "../draft.ts";
import { frameOrigin } from "../frame-origin.ts";
import type { Stretch, TextFormat } from "../stretch.ts";
import { readFailedTest } from "./failed-test.ts";
import { goroutine, readPairs } from "./go.ts";

/** `    --- FAIL: TestTax/of_a_euro (0.00s)`: the groups are its indentation and the test. */
export const failedGoTest = /^( {0,40})--- FAIL: (\S{1,400}) \(\d{1,9}\.\d{1,3}s\)$/;
/** `=== RUN   TestTax`, `=== NAME  TestTax`, and `=== CONT  TestTax`, above what a verbose run prints of it. */
const running = /^=== (?:RUN|NAME|CONT) {1,3}(\S{1,400})$/;
/** `        cart_test.go:20: WithTax(1000) = 1190, want 1200`. */
const assertion = /^( {4,80})([^\s:][^:]{0,300}\.go):(\d{1,9}): ?(.*)$/;

/** The file of the `testing` package, printed without its folder where the package itself fails a test. */
const testingPackage = "testing.go";
/** Go prints no type. */
const unnamed = "test failure";

/** What a test printed of its assertions: the lines, and where they are. */
interface Said {
  readonly first: number;
  readonly last: number;
  readonly lines: readonly string[];
  readonly frame: ParsedFrame;
}

/** The failed assertions of `go test`, each with its test and its place. Panics of tests are Go's own. */
export const goTestFormat: TextFormat = {
  name: "go test",
  language: "go",
  read(stretch) {
    const verbose = new Map<string, number>();
    const drafts: Draft[] = [];
    for (let index = 0; index < stretch.length; index++) {
      const text = stretch.text(index);
      const [, started] = running.exec(text) ?? [];
      if (started !== undefined) verbose.set(started, index);
      const [, indent = "", test] = failedGoTest.exec(text) ?? [];
      if (test === undefined) continue;
      const said = saidBelow(stretch, index, indent, test) ?? saidBelow(stretch, verbose.get(test) ?? -1, "", test);
      if (!said) continue;
      const { first, last, lines, frame } = said;
      drafts.push(
        readFailedTest(stretch, { test, said: lines, frames: [frame], first, last, language: "go", unnamed }),
      );
    }
    return drafts;
  },
};

/**
 * Returns what the test itself said last below a line, or else the first that was said: a log line looks like an
 * assertion, and a test that fails usually ends with it.
 */
function saidBelow(stretch: Stretch, head: number, outer: string, test: string): Said | null {
  if (head < 0) return null;
  let at = head + 1;
  const all: Said[] = [];
  for (let said = saidAt(stretch, at, outer, test); said; said = saidAt(stretch, at, outer, test)) {
    all.push(said);
    at = said.last + 1;
  }
  const [first] = all;
  return all.findLast(({ frame }) => frame.file?.endsWith("_test.go")) ?? first ?? null;
}

/** Returns the assertion on a line, with the lines that continue it. */
function saidAt(stretch: Stretch, at: number, outer: string, test: string): Said | null {
  const found = assertion.exec(stretch.text(at));
  const [, indent = "", file = "", line, message = ""] = found ?? [];
  if (!found || indent.length <= outer.length || !stretch.isFree(at)) return null;
  const lines = [message];
  let last = at;
  for (let index = at + 1; stretch.isFree(index); index++) {
    const text = stretch.text(index);
    if (!text.startsWith(indent) || !/^[ \t]/.test(text.slice(indent.length))) break;
    lines.push(text.slice(indent.length).trim());
    last = index;
  }
  if (isOfStack(stretch, last + 1, message)) return null;
  const [name = test] = test.split("/");
  const frame: ParsedFrame = {
    function: name,
    file,
    line: Number(line),
    column: null,
    origin: file === testingPackage ? "runtime" : frameOrigin(file, "go"),
    async: false,
    printed: stretch.span(at),
    context: null,
  };
  return { first: at, last, lines, frame };
}

/**
 * Returns whether what a test said belongs to the stack below, which Go's own format reads: it is a panic's, or printed
 * with its message. What `debug.PrintStack` prints may be below anything.
 */
function isOfStack(stretch: Stretch, at: number, message: string): boolean {
  if (!goroutine.test(stretch.text(at))) return false;
  const calls = readPairs(stretch, at + 1).frames.map(({ function: name }) => name);
  if (calls.includes("panic") || /\bpanic(?:ked)?: /.test(message)) return true;
  return calls[0] === "debug.Stack" && calls[1] !== "debug.PrintStack";
}
