import type { Debugger, Profiler } from "node:inspector";
import type { Inspector } from "./inspector.ts";
import { OwnRegExp } from "./own-reg-exp.ts";
import type { Position } from "./source-lines.ts";

/** A function that the failing test ran, and how many of the other tests did. */
interface RanFunction {
  /** An absolute path. */
  readonly file: string;
  readonly function: string;
  /** The line where it begins. */
  readonly starts: number;
  readonly failed: number;
  readonly passed: number;
}

/** Tests of a thread in which errors of the same types were thrown, and what they ran. */
export interface WrittenTests {
  readonly errors: readonly string[];
  readonly count: number;
  readonly functions: readonly (Omit<RanFunction, "failed" | "passed"> & { readonly count: number })[];
}

/** What the failing test ran of the program's own code. */
export interface WrittenTestRun {
  /** How many other tests of the thread failed alike, and how many didn't. */
  readonly failed: number;
  readonly passed: number;
  readonly functions: readonly RanFunction[];
}

/** What is asked of the watch: which scripts are the program's own, and where a position of one is in its source. */
interface ScriptPlaces {
  /** The path of one of the program's own scripts; null for another. */
  readonly ownPathOf: (scriptId: string) => string | null;
  readonly sourceOf: (scriptId: string, position: Position) => { readonly file: string; readonly line: number } | null;
  readonly textOf: (scriptId: string) => readonly string[];
}

/** A test, from where its function begins to where the next one does. */
interface OneTest {
  readonly key: string;
  readonly ran: Set<string>;
  /** The types of the errors that were thrown in it. */
  readonly errors: Set<string>;
}

/** A function of a script, by its offsets there. */
interface CoveredFunction {
  readonly scriptId: string;
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** V8 names an accessor `get total`. */
const accessor = new OwnRegExp("^[gs]et ");
/** Tests of a process; those after them aren't told apart. */
const testsMax = 1_000;
/** How long one process takes for this in all; each test takes a few milliseconds. */
const spentMsMax = 10_000;
const text = "\"(?:[^\"\\\\\\n]|\\\\.)*\"|'(?:[^'\\\\\\n]|\\\\.)*'|`(?:[^`\\\\]|\\\\.)*`";
const inParentheses = `\\((?:${text}|[^"'\`()])*\\)`;
/** A title may be put together: `test("parses " + JSON.stringify(input), …`. */
const title = `(?:${text}|[^"'\`,;{}()]|${inParentheses}){1,300}`;
/** The rows of `it.each([[1, 2]])("adds", …`. */
const table = `(?<=\\.(?:each|for))\\s*(?:\`[^\`]*\`|\\((?:${text}|[^"'\`()]|${inParentheses})*\\))`;
const head = "function\\b[^(){}]*\\([^()]*\\)\\s*\\{|(?:\\([^()]*\\)|[\\w$]+)\\s*=>";
/** `it("adds", async () =>` or, as Vitest makes of it, `(0, vitest.it)("adds", …`: up to where the test's code begins. */
const testHead = new OwnRegExp(
  `\\b(?:it|test|specify)(?:\\.\\w+)*(?:\\)(?:\\.\\w+)*)?(?:${table})?\\s*\\(${title},\\s*(?:\\{[^{}]*\\}\\s*,\\s*)?(?:async\\s+)?(?:${head})\\s*`,
  "g",
);
/** Characters of a script in which tests are looked for. */
const testsLengthMax = 1_000_000;

/** Returns where the code of each test in a script begins. */
export function testsIn(lines: readonly string[]): Position[] {
  const code = lines.join("\n");
  if (code.length > testsLengthMax) return [];
  return [...code.matchAll(testHead)].map(({ 0: found, index }) => positionAt(lines, index + found.length));
}

/** Finds out which functions a test ran, by V8's coverage between the beginnings of tests. */
export class TestRuns {
  readonly #inspector: Inspector;
  readonly #scripts: ScriptPlaces;
  readonly #clock = performance.now.bind(performance);
  readonly #functions = new Map<string, CoveredFunction>();
  readonly #tests: OneTest[] = [];
  #failing: { readonly test: OneTest; readonly ran: ReadonlySet<string>; readonly error: string } | null = null;
  #spentMs = 0;
  /** Tests that {@link all} has counted. */
  #counted = 0;

  constructor(inspector: Inspector, scripts: ScriptPlaces) {
    this.#inspector = inspector;
    this.#scripts = scripts;
    inspector.ask("Profiler.enable");
    inspector.ask("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  }

  /** Says that the thread stopped in a test; `isStart` when its code is known to begin there. */
  began(callFrames: readonly Debugger.CallFrame[], isStart: boolean): void {
    const [key = "", ...callers] = callFrames.map(keyOf);
    const current = this.#tests.at(-1);
    // A function that the current test calls is none.
    if (!isStart && current && [key, ...callers].includes(current.key)) return;
    this.#take(current?.ran);
    if (this.#isOver) return;
    this.#tests.push({ key, ran: new Set(), errors: new Set() });
  }

  /** Says that an error was thrown, and whether it is the failure. */
  threw(error: string, isFailure: boolean, callFrames: readonly Debugger.CallFrame[]): void {
    const current = this.#tests.at(-1);
    const type = typeOf(error);
    current?.errors.add(type);
    if (!isFailure || !current || this.#isOver || this.#failing?.test === current) return;
    const keys = new Set(callFrames.map(keyOf));
    // Tests that run at the same time can't be told apart.
    if (!keys.has(current.key) && this.#tests.some(({ key }) => keys.has(key))) return;
    this.#take(current.ran);
    this.#failing = { test: current, ran: new Set(current.ran), error: type };
  }

  /** Whether a test began since {@link all} was read. */
  get hasNew(): boolean {
    return this.#tests.length > this.#counted;
  }

  /** Returns what the failing test ran, the functions first that fewer other tests ran; null where it isn't known. */
  found(functionsMax: number): WrittenTestRun | null {
    if (!this.#failing) return null;
    this.#take(this.#tests.at(-1)?.ran);
    const { test, ran, error } = this.#failing;
    const others = this.#tests.filter((one) => one !== test);
    const [failed, passed] = [
      others.filter((one) => one.errors.has(error)),
      others.filter((one) => !one.errors.has(error)),
    ];
    const count = (some: readonly OneTest[], key: string): number => some.filter((one) => one.ran.has(key)).length;
    const functions = [...ran].flatMap((key) => {
      const one = this.#functions.get(key);
      return one ? [{ one, failed: count(failed, key), passed: count(passed, key) }] : [];
    });
    return {
      failed: failed.length,
      passed: passed.length,
      functions: functions
        .sort((left, right) => left.passed - right.passed || lengthOf(right.one) - lengthOf(left.one))
        .slice(0, functionsMax)
        .flatMap(({ one, ...counts }) => {
          const at = this.#placed(one);
          return at ? [{ ...at, ...counts }] : [];
        }),
    };
  }

  /** Returns what all tests of the thread ran: other threads may have run the failing one. */
  all(): WrittenTests[] {
    this.#take(this.#tests.at(-1)?.ran);
    this.#counted = this.#tests.length;
    const groups = new Map<string, OneTest[]>();
    for (const one of this.#tests) {
      const key = [...one.errors].sort().join();
      groups.set(key, [...(groups.get(key) ?? []), one]);
    }
    return [...groups.values()].map((alike) => ({
      errors: [...(alike[0]?.errors ?? [])],
      count: alike.length,
      functions: this.#counts(alike),
    }));
  }

  #counts(tests: readonly OneTest[]): WrittenTests["functions"] {
    const counts = new Map<string, number>();
    for (const { ran } of tests) for (const key of ran) counts.set(key, (counts.get(key) ?? 0) + 1);
    return [...counts].flatMap(([key, count]) => {
      const at = this.#placed(this.#functions.get(key));
      return at ? [{ ...at, count }] : [];
    });
  }

  get #isOver(): boolean {
    return this.#tests.length >= testsMax || this.#spentMs > spentMsMax;
  }

  /** Adds the functions that ran since the last time. */
  #take(ran: Set<string> | undefined): void {
    if (this.#isOver) return;
    const began = this.#clock();
    const answer = this.#inspector.ask<Profiler.TakePreciseCoverageReturnType>("Profiler.takePreciseCoverage");
    for (const { scriptId, functions } of answer?.result ?? []) {
      const path = this.#scripts.ownPathOf(scriptId);
      if (path === null) continue;
      for (const { functionName: name, ranges } of functions) {
        const [range] = ranges;
        if (!range || range.count === 0 || name === "") continue;
        // Jest loads a file again for each file of tests.
        const key = `${path}:${range.startOffset}`;
        this.#functions.set(key, { scriptId, name, start: range.startOffset, end: range.endOffset });
        ran?.add(key);
      }
    }
    this.#spentMs += this.#clock() - began;
  }

  #placed(one: CoveredFunction | undefined): Omit<RanFunction, "failed" | "passed"> | null {
    if (!one) return null;
    const at = this.#scripts.sourceOf(one.scriptId, positionAt(this.#scripts.textOf(one.scriptId), one.start));
    return at && { file: at.file, function: one.name.replace(accessor, ""), starts: at.line + 1 };
  }
}

function lengthOf({ start, end }: CoveredFunction): number {
  return end - start;
}

/** Identifies the function of a call. */
function keyOf({ functionLocation, location }: Debugger.CallFrame): string {
  const { scriptId, lineNumber, columnNumber } = functionLocation ?? location;
  return `${scriptId}:${lineNumber}:${columnNumber}`;
}

/** The type at the beginning of what V8 says of an error: `AssertionError [ERR_ASSERTION]: 1 == 2`. */
export function typeOf(error: string): string {
  return error.split(/[\s:]/, 1)[0] ?? "";
}

function positionAt(lines: readonly string[], offset: number): Position {
  let left = offset;
  for (const [line, { length }] of lines.entries()) {
    if (left <= length) return { line, column: left };
    left -= length + 1;
  }
  return { line: lines.length, column: 0 };
}
