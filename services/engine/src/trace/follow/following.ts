import type { LocatedFrame } from "../../findings/located-frame.ts";
import type { StepArgs, ValueSource } from "../../signals/code/value-sources.ts";
import type { AnyCodeSignal } from "../../signals/signal.ts";
import type { Codebase } from "../code/codebase.ts";
import type { FoundFunction } from "../code/functions.ts";
import type { CodeNode } from "../code/ir.ts";
import type { Imported } from "../code/modules.ts";
import { anyKey, type Program, type Write } from "../code/program.ts";
import type { Awaits } from "./awaits.ts";
import type { CallSite } from "./callers.ts";
import type { Trail } from "./trail.ts";
import type { Wanted } from "./wanted.ts";

/** A value to follow to its origin. */
export interface FollowedValue {
  readonly program: Program;
  readonly node: CodeNode;
  /** The path read from it, outermost first: `["b", "c"]` when `value.b.c` is what is wrong. */
  readonly path: readonly string[];
  readonly wanted: Wanted;
  /** The frame in which it is used, if known. */
  readonly frame: LocatedFrame | null;
  /** The call through which the current function was entered. */
  readonly via: Via | null;
  readonly awaits: Awaits;
  /** The last signal of it. */
  readonly from: AnyCodeSignal;
}

/** How a function was entered while following a value. */
export interface Via extends CallSite {
  readonly entered: CodeNode;
  readonly outer: Via | null;
}

/** What each kind of expression needs in order to pass a value on to the others. */
export interface Following {
  readonly codebase: Codebase;
  /** The frames of one stack, innermost first: parameters are followed into the callers. */
  readonly frames: readonly LocatedFrame[];
  readonly trail: Trail;
  /** Follows a value to its origin, after everything nearer has been followed. */
  value(followed: FollowedValue): void;
  /** Adds a guess at the end, unless an origin was found that explains the signal. */
  unlessOriginFrom(signal: AnyCodeSignal, guess: () => void): void;
  parts(followed: FollowedValue, parts: readonly (CodeNode | null | undefined)[]): void;
  /** Adds a step of the value, from which the rest is followed. */
  step(
    followed: FollowedValue,
    node: CodeNode,
    how: ValueSource,
    name: string,
    known?: Pick<StepArgs, "isFilled" | "isDefined" | "isUnread" | "isUnused" | "isChosen" | "isCallback" | "keys">,
  ): FollowedValue;
  /** Follows a write. */
  write(followed: FollowedValue, program: Program, write: Write): void;
  /** Follows what a function returns. */
  returns(followed: FollowedValue, found: FoundFunction, name: string): void;
  /** Follows what a module exports. */
  exports(followed: FollowedValue, imported: Imported): void;
  /** Follows a field of the object that a method is called on; returns whether anything writes it. */
  field(followed: FollowedValue, at: CodeNode, name: string): boolean;
  /** Follows a field of the objects of a class. */
  fieldOf(
    followed: FollowedValue,
    owner: FoundFunction,
    className: string | null,
    name: string,
    use: CodeNode | null,
  ): void;
  /** Follows what is written to a member of that name, or under that key, anywhere. */
  loose(followed: FollowedValue, use: CodeNode, name: string): void;
  /** Follows a lookup by key; returns whether the call is one. */
  lookup(followed: FollowedValue, call: CodeNode): boolean;
}

/** Returns the path in the elements that a loop or a call of `map` goes through. */
export function elementOfPath(path: readonly string[]): readonly string[] {
  return path[0] === anyKey ? path.slice(1) : path;
}
