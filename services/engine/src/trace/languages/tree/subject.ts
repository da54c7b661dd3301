import type { LocatedFrame } from "../../../findings.ts";
import type { CallSite } from "./calls.ts";
import type { CodeNode } from "./code-node.ts";
import type { CodeProgram } from "./program.ts";
import type { CodePrograms, FoundFunction } from "./programs.ts";
import type { Wanted } from "./throw-site.ts";
import type { TraceLog } from "./trace-log.ts";

/** A value to be followed to where it was made. */
export interface Subject {
  readonly program: CodeProgram;
  readonly node: CodeNode;
  /** The frame in which it is used. */
  readonly frame: LocatedFrame | null;
  /** What was read of it, outermost first: `["b", "c"]` when it is `value.b.c` that is wrong. */
  readonly path: readonly string[];
  readonly wanted: Wanted;
  /** The call by which the function that is looked at was entered. */
  readonly via: Via | null;
}

/** How a function was entered on the way of a value. */
export interface Via extends CallSite {
  readonly entered: CodeNode;
  /** What was followed at the call. */
  readonly outer: Subject;
}

/** Any key: the element of a collection that a loop hands out. */
export const anyKey = "*";

/** A value being followed: what each kind of expression needs to hand on to the others. */
export interface Tracing {
  readonly programs: CodePrograms;
  /** Those of one stack, innermost first: parameters are followed into the callers. */
  readonly frames: readonly LocatedFrame[];
  readonly log: TraceLog;
  value(subject: Subject, steps: number): void;
  returns(subject: Subject, found: FoundFunction, name: string, steps: number): void;
}
