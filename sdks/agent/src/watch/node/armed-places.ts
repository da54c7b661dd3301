import type { Debugger } from "node:inspector";
import type { Inspector } from "./inspector.ts";
import type { OrderedPlace } from "./orders.ts";
import type { Position, SourceLines } from "./source-lines.ts";
import type { TestPoint, TestStart } from "./test-runs.ts";

/** A breakpoint: before a line or a function runs, or where a function returns. */
export interface Breakpoint {
  readonly id: string;
  readonly kind: "reached" | "returned";
  /** The indexes of the places that it is for. */
  readonly places: number[];
  /** What a stop there says of a test, if anything. */
  test: TestPoint | null;
  /** How often the program stopped at it. */
  stops: number;
}

const functionsPerPlaceMax = 12;
/** Lines from the beginning of a function on in which its code is looked for. */
const linesAheadMax = 5;
const breakpointsPerPlaceMax = 16;

/** A script, and where the lines of its sources are in it. */
export interface LoadedScript {
  readonly scriptId: string;
  readonly lines: SourceLines;
}

/** How a place was armed in a script. */
export interface Armed {
  /** Whether the script has code there. */
  readonly hasCode: boolean;
  /** Whether the program stops wherever it should; if not, what isn't seen there may have happened. */
  readonly isComplete: boolean;
}

type Found = Debugger.BreakLocation;

/**
 * Sets the breakpoints of a place in a script: on its line, where its function begins, and wherever that returns. Those
 * that another place has are shared; `known` has them by position.
 */
export function arm(
  inspector: Inspector,
  { scriptId, lines }: LoadedScript,
  { file, line, starts }: OrderedPlace,
  place: number,
  known: Map<string, Breakpoint>,
): Armed {
  const between = (start: Position, end?: Position): readonly Found[] =>
    inspector.ask<Debugger.GetPossibleBreakpointsReturnType>("Debugger.getPossibleBreakpoints", {
      start: location(scriptId, start),
      ...(end ? { end: location(scriptId, end) } : { restrictToFunction: true }),
    })?.locations ?? [];
  const on = (one: number): readonly Found[] =>
    lines.stretchesOf(file, one - 1).flatMap(({ start, end }) => between(start, end));
  const ahead = Array.from({ length: linesAheadMax }, (_, by) => on((starts ?? line) + by));
  // The first line of a function may have no code of its own.
  const here = starts === line ? (ahead.find((found) => found.length > 0) ?? []) : on(line);
  // The functions around the place, from the first code in each on.
  const firsts = starts === null ? [] : [...ahead.flat().slice(0, functionsPerPlaceMax), ...here];
  const functions = firsts
    .map((first) => between(positionOf(first)))
    .filter((within) => within.some((one) => here.some((other) => isSame(one, other))))
    // From later in the same function, it ends at the same place.
    .filter((within, index, all) => all.findIndex((other) => endOf(other) === endOf(within)) === index);
  const reached = [
    ...here.filter((one) => !isReturn(one)).slice(0, 1),
    ...functions.flatMap((some) => some.slice(0, 1)),
  ];
  const returned = [...here, ...functions.flat()].filter(isReturn);
  const wanted = new Map<string, { readonly at: Found; readonly kind: Breakpoint["kind"] }>();
  const want = (kind: Breakpoint["kind"], at: Found): void => {
    const key = keyAt(scriptId, at);
    if (!wanted.has(key)) wanted.set(key, { at, kind });
  };
  for (const at of reached) want("reached", at);
  for (const at of returned) want("returned", at);
  let isComplete = wanted.size <= breakpointsPerPlaceMax;
  for (const [key, { at, kind }] of [...wanted].slice(0, breakpointsPerPlaceMax)) {
    const shared = known.get(key);
    if (shared && !shared.places.includes(place)) shared.places.push(place);
    if (shared) continue;
    const set = inspector.ask<Debugger.SetBreakpointReturnType>("Debugger.setBreakpoint", { location: at });
    if (set) known.set(key, { id: set.breakpointId, kind, places: [place], test: null, stops: 0 });
    else isComplete = false;
  }
  return { hasCode: wanted.size > 0, isComplete };
}

/**
 * Sets breakpoints where the code of tests begins, and where those return whose beginning has rounds; `known` has those of
 * places, by position.
 */
export function armTests(
  inspector: Inspector,
  scriptId: string,
  tests: readonly TestStart[],
  known: Map<string, Breakpoint>,
): void {
  for (const start of tests) {
    const [first, ...others] =
      inspector.ask<Debugger.GetPossibleBreakpointsReturnType>("Debugger.getPossibleBreakpoints", {
        start: location(scriptId, start),
        restrictToFunction: true,
      })?.locations ?? [];
    if (!first) continue;
    armTest(inspector, scriptId, first, start.hasRounds ? "round" : "start", known);
    const returns = start.hasRounds ? others.filter(isReturn) : [];
    for (const one of returns.slice(-breakpointsPerPlaceMax)) armTest(inspector, scriptId, one, "return", known);
  }
}

function armTest(
  inspector: Inspector,
  scriptId: string,
  at: Found,
  test: TestPoint,
  known: Map<string, Breakpoint>,
): void {
  const key = keyAt(scriptId, at);
  const shared = known.get(key);
  if (shared) {
    shared.test ??= test;
    return;
  }
  const set = inspector.ask<Debugger.SetBreakpointReturnType>("Debugger.setBreakpoint", { location: at });
  const kind = test === "return" ? "returned" : "reached";
  if (set) known.set(key, { id: set.breakpointId, kind, places: [], test, stops: 0 });
}

function isReturn({ type }: Found): boolean {
  return type === "return";
}

function keyAt(scriptId: string, { lineNumber, columnNumber }: Found): string {
  return `${scriptId}:${lineNumber}:${columnNumber}`;
}

function location(scriptId: string, { line, column }: Position): Debugger.Location {
  return { scriptId, lineNumber: line, columnNumber: column };
}

function positionOf({ lineNumber, columnNumber = 0 }: Debugger.Location): Position {
  return { line: lineNumber, column: columnNumber };
}

function endOf(within: readonly Found[]): string {
  const last = within.at(-1);
  return `${last?.lineNumber}:${last?.columnNumber}`;
}

function isSame(one: Found, other: Found): boolean {
  return one.lineNumber === other.lineNumber && one.columnNumber === other.columnNumber;
}
