import type { Debugger, Profiler } from "node:inspector";
import { HeldValues } from "./held-values.ts";
import type { Inspector } from "./inspector.ts";
import { OwnRegExp } from "./own-reg-exp.ts";
import type { Position } from "./source-lines.ts";

/** A function that the failing test ran, and how many of the other tests did. */
export interface RanFunction {
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
  readonly functions: readonly (PlacedFunction & { readonly count: number })[];
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
  /** The values of a call's variables, and of those around it. */
  readonly valuesIn: (frame: Debugger.CallFrame) => readonly unknown[];
}

/** A test, from where its function begins to where the next one does. */
interface OneTest {
  readonly key: string;
  /** The values with which it began. */
  readonly values: HeldValues;
  readonly ran: Set<string>;
  /** The types of the errors that were thrown in it. */
  readonly errors: Set<string>;
  /** Whether its function returned, where that is watched. */
  hasReturned: boolean;
}

/** Tests in which errors of the same types were thrown, and how many of them ran each function. */
interface AlikeTests {
  readonly errors: ReadonlySet<string>;
  count: number;
  readonly counts: Map<string, number>;
}

type PlacedFunction = Pick<RanFunction, "file" | "function" | "starts">;

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
const modifiers = "(?:\\.\\w{1,40}){0,5}";
const head = "function\\b[^(){}]*\\([^()]*\\)\\s*\\{|(?:\\([^()]*\\)|[\\w$]+)\\s*=>";
/** Where a test begins with such a loop, its code is from there on: the program stops before it at each element. */
const loop = "\\{?\\s*for\\s*(?:await\\s*)?\\([^;()]{1,200}?\\s(?:of|in)\\s+";
/** `it("adds", async () =>` or, as Vitest makes of it, `(0, vitest.it)("adds", …`: up to where the test's code begins. */
const testHead = new OwnRegExp(
  `\\b(?:it|test|specify)${modifiers}(?:\\)${modifiers})?(?:${table})?\\s*\\(${title},\\s*(?:\\{[^{}]*\\}\\s*,\\s*)?(?:async\\s+)?(?:${head})\\s*(?:${loop})?`,
  "g",
);
/** A loop whose first code runs at each round, so that no stop is the first. */
const roundsHead = new OwnRegExp("^\\s*\\{?\\s*(?:while\\b|do\\b|for\\s*\\(\\s*;)");
/** Characters of a script in which tests are looked for. */
const testsLengthMax = 1_000_000;
const roundsHeadLengthMax = 200;

/** Where the code of a test begins, where a round of the loop does with which it begins, or where its function returns. */
export type TestPoint = "start" | "round" | "return";

/** Where the code of a test begins. */
export interface TestStart extends Position {
  /** Whether the program stops there at each round of a loop. */
  readonly hasRounds: boolean;
}

/** Returns where the code of each test in a script begins. */
export function testsIn(lines: readonly string[]): TestStart[] {
  const code = lines.join("\n");
  if (code.length > testsLengthMax) return [];
  return [...code.matchAll(testHead)].map(({ 0: found, index }) => {
    const start = index + found.length;
    const hasRounds = roundsHead.test(code.slice(start, start + roundsHeadLengthMax));
    return { ...positionAt(lines, start), hasRounds };
  });
}

/** Finds out which functions a test ran, by V8's coverage between the beginnings of tests. */
export class TestRuns {
  readonly #inspector: Inspector;
  readonly #scripts: ScriptPlaces;
  readonly #clock = performance.now.bind(performance);
  readonly #functions = new Map<string, CoveredFunction>();
  readonly #placed = new Map<string, PlacedFunction | null>();
  /** The tests that have ended, by the types of their errors. */
  readonly #ended = new Map<string, AlikeTests>();
  readonly #keys = new Set<string>();
  #current: OneTest | null = null;
  #failing: { readonly test: OneTest; readonly ran: ReadonlySet<string>; readonly error: string } | null = null;
  #begun = 0;
  #spentMs = 0;
  #isOver = false;
  /** Whether a test began, or the failing one failed, since {@link all} was read. */
  hasNew = false;

  constructor(inspector: Inspector, scripts: ScriptPlaces) {
    this.#inspector = inspector;
    this.#scripts = scripts;
    inspector.ask("Profiler.enable");
    inspector.ask("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  }

  get hasFailed(): boolean {
    return this.#failing !== null;
  }

  /** Says that the thread stopped in a test; `start` is what is known of its code's beginning there. */
  began(callFrames: readonly Debugger.CallFrame[], start: TestPoint | null): void {
    if (this.#isOver) return;
    const [key = "", ...callers] = callFrames.map(keyOf);
    // A function that the current test calls is none.
    if (start === null && this.#current && [key, ...callers].includes(this.#current.key)) return;
    if (start === "round" && this.#current?.key === key && !hasEnded(this.#current)) return;
    const [top] = callFrames;
    const values = top ? this.#scripts.valuesIn(top) : [];
    // A test that failed is tried again.
    if (this.#current?.key === key && this.#current.errors.size > 0 && this.#current.values.areSame(values)) return;
    this.#take();
    this.#end();
    this.hasNew = true;
    this.#isOver = this.#begun >= testsMax || this.#spentMs > spentMsMax;
    if (this.#isOver) return;
    this.#begun += 1;
    this.#keys.add(key);
    this.#current = { key, values: new HeldValues(values), ran: new Set(), errors: new Set(), hasReturned: false };
  }

  /** Says that the thread stopped where the function of a test returns. */
  returned([top]: readonly Debugger.CallFrame[]): void {
    if (top && this.#current?.key === keyOf(top)) this.#current.hasReturned = true;
  }

  /** Says that an error was thrown, and whether it is the failure. */
  threw(error: string, isFailure: boolean, callFrames: readonly Debugger.CallFrame[]): void {
    const current = this.#current;
    if (!current) return;
    const type = typeOf(error);
    current.errors.add(type);
    if (!isFailure || this.#failing?.test === current) return;
    const keys = callFrames.map(keyOf);
    // Tests that run at the same time can't be told apart.
    if (!keys.includes(current.key) && keys.some((key) => this.#keys.has(key))) return;
    this.#take();
    this.#failing = { test: current, ran: new Set(current.ran), error: type };
    this.hasNew = true;
  }

  /** Returns what the failing test ran, in the order of {@link bySuspicion}; null where it isn't known. */
  found(functionsMax: number): WrittenTestRun | null {
    if (!this.#failing) return null;
    const { ran, error } = this.#failing;
    const groups = this.#groups();
    const failed = groups.filter(({ errors }) => errors.has(error));
    const passed = groups.filter(({ errors }) => !errors.has(error));
    const functions = [...ran].flatMap((key) => {
      const one = this.#functions.get(key);
      const countOf = ({ counts }: AlikeTests): number => counts.get(key) ?? 0;
      // The failing test itself is one of those that failed so.
      return one ? [{ key, one, failed: sum(failed, countOf) - 1, passed: sum(passed, countOf) }] : [];
    });
    return {
      failed: sum(failed, ({ count }) => count) - 1,
      passed: sum(passed, ({ count }) => count),
      functions: functions
        .sort((left, right) => bySuspicion(left, right) || lengthOf(right.one) - lengthOf(left.one))
        .slice(0, functionsMax)
        .flatMap(({ key, failed, passed }) => {
          const at = this.#placeOf(key);
          return at ? [{ ...at, failed, passed }] : [];
        }),
    };
  }

  /** Returns what all tests of the thread ran: other threads may have run the failing one. */
  all(): WrittenTests[] {
    this.hasNew = false;
    return this.#groups().map(({ errors, count, counts }) => ({
      errors: [...errors],
      count,
      functions: [...counts].flatMap(([key, count]) => {
        const at = this.#placeOf(key);
        return at ? [{ ...at, count }] : [];
      }),
    }));
  }

  /** The tests that have ended, and the one that runs. */
  #groups(): readonly AlikeTests[] {
    this.#take();
    if (!this.#current) return [...this.#ended.values()];
    const { ran, errors } = this.#current;
    return [...this.#ended.values(), { errors, count: 1, counts: new Map([...ran].map((key) => [key, 1])) }];
  }

  /** Counts the test that ran until now. */
  #end(): void {
    if (!this.#current) return;
    const { ran, errors } = this.#current;
    const key = [...errors].sort().join();
    const alike = this.#ended.get(key) ?? { errors, count: 0, counts: new Map<string, number>() };
    this.#ended.set(key, alike);
    alike.count += 1;
    for (const one of ran) alike.counts.set(one, (alike.counts.get(one) ?? 0) + 1);
    this.#current = null;
  }

  /** Adds the functions that ran since the last time to the test that runs. */
  #take(): void {
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
        this.#current?.ran.add(key);
      }
    }
    this.#spentMs += this.#clock() - began;
  }

  #placeOf(key: string): PlacedFunction | null {
    const known = this.#placed.get(key);
    const one = this.#functions.get(key);
    if (known !== undefined || !one) return known ?? null;
    const at = this.#scripts.sourceOf(one.scriptId, positionAt(this.#scripts.textOf(one.scriptId), one.start));
    const placed = at && { file: at.file, function: one.name.replace(accessor, ""), starts: at.line + 1 };
    this.#placed.set(key, placed);
    return placed;
  }
}

/** Whether a test may have ended: an error that it caught can't be told from one that left it. */
function hasEnded({ hasReturned, errors }: OneTest): boolean {
  return hasReturned || errors.size > 0;
}

type Counted = Pick<RanFunction, "failed" | "passed">;

/** Orders functions: first those that more tests ran which failed alike, then those that fewer others ran. */
export function bySuspicion(one: Counted, other: Counted): number {
  return other.failed - one.failed || one.passed - other.passed;
}

function sum(groups: readonly AlikeTests[], of: (group: AlikeTests) => number): number {
  return groups.reduce((total, group) => total + of(group), 0);
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
  // The program's own `RegExp.$1` stays what it was.
  return error.split(" ", 1)[0]?.split(":", 1)[0] ?? "";
}

function positionAt(lines: readonly string[], offset: number): Position {
  let left = offset;
  for (const [line, { length }] of lines.entries()) {
    if (left <= length) return { line, column: left };
    left -= length + 1;
  }
  return { line: lines.length, column: 0 };
}
