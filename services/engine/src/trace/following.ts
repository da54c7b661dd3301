import type { LocatedFrame } from "../findings/located-frame.ts";
import type { ValueSource } from "../signals/code/value-sources.ts";
import type { AnyCodeSignal } from "../signals/signal.ts";
import type { CallSite } from "./callers.ts";
import type { Codebase } from "./codebase.ts";
import type { FoundFunction } from "./functions.ts";
import type { CodeNode } from "./ir.ts";
import type { Imported } from "./modules.ts";
import { anyKey, type Program, type Write } from "./program.ts";
import type { Trail } from "./trail.ts";
import type { Wanted } from "./wanted.ts";

/** A value to be followed to where it was made. */
export interface FollowedValue {
  readonly program: Program;
  readonly node: CodeNode;
  /** What was read of it, outermost first: `["b", "c"]` when it is `value.b.c` that is wrong. */
  readonly path: readonly string[];
  readonly wanted: Wanted;
  /** The frame in which it is used, when that is known. */
  readonly frame: LocatedFrame | null;
  /** The call by which the function that is looked at was entered. */
  readonly via: Via | null;
  /** What was seen of it last. */
  readonly from: AnyCodeSignal;
}

/** How a function was entered on the way of a value. */
export interface Via extends CallSite {
  readonly entered: CodeNode;
  readonly outer: Via | null;
}

/** A value being followed: what each kind of expression needs to hand on to the others. */
export interface Following {
  readonly codebase: Codebase;
  /** Those of one stack, innermost first: parameters are followed into the callers. */
  readonly frames: readonly LocatedFrame[];
  readonly trail: Trail;
  /** Follows a value to its origin, after everything nearer has been followed. */
  value(followed: FollowedValue): void;
  /** Adds a guess at the end, unless an origin was found that explains the signal. */
  unlessOriginFrom(signal: AnyCodeSignal, guess: () => void): void;
  parts(followed: FollowedValue, parts: readonly (CodeNode | null | undefined)[]): void;
  /** Notes a step of the value, from which the rest is followed. */
  step(followed: FollowedValue, node: CodeNode, how: ValueSource, name: string): FollowedValue;
  /** What is written there. */
  write(followed: FollowedValue, program: Program, write: Write): void;
  /** What a function gives back. */
  returns(followed: FollowedValue, found: FoundFunction, name: string): void;
  /** What a module gives. */
  exports(followed: FollowedValue, imported: Imported): void;
  /** A field of the object that a method is called on; whether anything writes it. */
  field(followed: FollowedValue, at: CodeNode, name: string): boolean;
  /** A field of the objects of a class. */
  fieldOf(
    followed: FollowedValue,
    owner: FoundFunction,
    className: string | null,
    name: string,
    use: CodeNode | null,
  ): void;
  /** What is written to a member of the name, or under the key, anywhere. */
  loose(followed: FollowedValue, use: CodeNode, name: string): void;
  /** A lookup by a key, if the call is one. */
  lookup(followed: FollowedValue, call: CodeNode): boolean;
}

/** What a loop, or a call of `map`, hands out one by one. */
export function elementOfPath(path: readonly string[]): readonly string[] {
  return path[0] === anyKey ? path.slice(1) : path;
}
