import type ts from "typescript";
import type { LocatedFrame } from "../../../findings.ts";
import type { Binding } from "./bindings.ts";
import type { CallSite, FoundFunction } from "./calls.ts";
import type { FunctionNode, Program } from "./program.ts";
import type { Programs } from "./programs.ts";
import type { TraceLog } from "./trace-log.ts";
import type { WrongValue } from "./wrong-value.ts";

/** A value to be followed to where it was made. */
export interface Subject {
  readonly program: Program;
  readonly node: ts.Expression;
  /** The frame in which it is used. */
  readonly frame: LocatedFrame | null;
  /** What was read of it, outermost first: `["b", "c"]` when it is `value.b.c` that is wrong. */
  readonly path: readonly string[];
  /** Whether the wrong value is undefined or null: what is never that was not its origin. */
  readonly isNullish: boolean;
  /** What else the error tells of the wrong value itself; absent when nothing. */
  readonly wrong?: WrongValue | undefined;
  /** The call by which the function that is looked at was entered, or which was given it as a callback. */
  readonly via: Via | null;
}

/** How a function was entered on the way of a value. */
export interface Via extends CallSite {
  /** What was followed at the call. */
  readonly outer: Subject;
  /** The function; null for the members of a class, of which the constructor was called. */
  readonly entered: FunctionNode | null;
  readonly isCallback: boolean;
}

/** A value being followed: what each kind of expression needs to hand on to the others. */
export interface Tracing {
  readonly programs: Programs;
  /** Those of one stack, innermost first: parameters are followed into the callers. */
  readonly frames: readonly LocatedFrame[];
  readonly log: TraceLog;
  value(subject: Subject, steps: number): void;
  /** Values that stand beside each other: what is written out as one of many is rarely the one. */
  parts(subject: Subject, parts: readonly ts.Expression[], steps: number): void;
  binding(subject: Subject, binding: Binding, name: string, steps: number): void;
  returns(subject: Subject, found: FoundFunction, name: string, steps: number): void;
  memberOf(subject: Subject, owner: ts.ClassLikeDeclaration | null, property: string, steps: number): void;
  importFrom(subject: Subject, specifier: string, exported: string, into: readonly string[], steps: number): void;
}
