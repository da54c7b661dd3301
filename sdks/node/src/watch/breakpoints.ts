import type { Debugger } from "node:inspector";
import type { OrderedPlace } from "@whence/protocol";
import type { OwnInspector } from "../process/own-inspector.ts";
import * as sdkLimits from "../sdk-limits.ts";

/** Where the program is stopped: before a line runs, or where a function returns. */
export interface Breakpoint {
  readonly kind: "reached" | "returned";
  readonly at: Debugger.Location;
  /** The indexes of the places that it is for. */
  readonly places: number[];
  /** How often the program stopped there. */
  stops: number;
  /** The fields that its places name, and the names on its line: what is read of objects. */
  readonly names: Set<string>;
}

const functionsPerPlaceMax = 12;
/** A line of a bundle can have thousands. */
const namesPerLineMax = 64;
/** Lines from the beginning of a function on in which its code is looked for. */
const linesAheadMax = 5;
const identifier = /[A-Za-z_$][\w$]*/g;

/**
 * Finds where to stop for a place in a script: on its line, and wherever its function returns. Those that another place
 * has are shared; `known` has them by position. Returns whether the script has code there, and no
 * more of it than is watched.
 */
export function addBreakpoints(
  inspector: OwnInspector,
  script: { readonly scriptId: string; readonly lines: readonly string[] },
  { line, starts, fields = [] }: OrderedPlace,
  place: number,
  known: Map<string, Breakpoint>,
): boolean {
  const { scriptId, lines } = script;
  const between = (start: object, end: object): readonly Debugger.BreakLocation[] => {
    const answer = inspector.ask("Debugger.getPossibleBreakpoints", { start: { scriptId, ...start }, ...end });
    return (answer as Debugger.GetPossibleBreakpointsReturnType).locations;
  };
  const on = (lineNumber: number): readonly Debugger.BreakLocation[] =>
    lineNumber >= lines.length
      ? []
      : between(
          { lineNumber, columnNumber: 0 },
          { end: { scriptId, lineNumber: lineNumber + 1, columnNumber: 0 }, restrictToFunction: false },
        );
  const ahead = Array.from({ length: linesAheadMax }, (_, by) => on((starts ?? line) - 1 + by));
  // The first line of a function may have no code of its own.
  const here = starts === line ? (ahead.find((found) => found.length > 0) ?? []) : on(line - 1);
  // The functions around the place, from the first code in each on.
  const firsts = starts === null ? [] : [...ahead.flat().slice(0, functionsPerPlaceMax), ...here];
  const functions = firsts
    .map(({ lineNumber, columnNumber = 0 }) => between({ lineNumber, columnNumber }, { restrictToFunction: true }))
    .filter((within) => within.some((one) => here.some((other) => keyOf(one) === keyOf(other))));
  const reached = here.filter((one) => !isReturn(one)).slice(0, 1);
  const returned = [...here, ...functions.flat()].filter(isReturn);
  const wanted = new Map<string, Breakpoint>();
  for (const at of [...reached, ...returned]) {
    const { lineNumber, columnNumber = 0 } = at;
    const names = new Set([
      ...fields,
      ...((lines[lineNumber] ?? "").match(identifier) ?? []).slice(0, namesPerLineMax),
    ]);
    const kind = isReturn(at) ? "returned" : "reached";
    const found = { kind, at: { scriptId, lineNumber, columnNumber }, names } as const;
    if (!wanted.has(keyOf(at))) wanted.set(keyOf(at), { ...found, places: [place], stops: 0 });
  }
  for (const [key, breakpoint] of [...wanted].slice(0, sdkLimits.watchBreakpointsMax)) {
    const shared = known.get(`${scriptId}:${key}`);
    if (shared && !shared.places.includes(place)) shared.places.push(place);
    if (!shared) known.set(`${scriptId}:${key}`, breakpoint);
  }
  return wanted.size > 0 && wanted.size <= sdkLimits.watchBreakpointsMax;
}

function isReturn({ type }: Debugger.BreakLocation): boolean {
  return type === "return";
}

function keyOf({ lineNumber, columnNumber = 0 }: Debugger.Location): string {
  return `${lineNumber}:${columnNumber}`;
}
