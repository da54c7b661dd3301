import type { LocatedFrame } from "../findings/located-frame.ts";
import type { LeftOut, OutOfSight } from "../signals/gap.ts";
import type { AnyCodeSignal } from "../signals/signal.ts";
import type { Composition } from "../source/constructs.ts";
import type { SourceText } from "../source/source-text.ts";
import type { FieldWriters } from "./field-writers.ts";
import type { Repairs } from "./repair/repair.ts";
import type { BackwardSlice } from "./slice/backward-slice.ts";

/** A function in the code that was read. Positions are in UTF-16 units of the source. */
export interface CodeFunction {
  readonly name: string | null;
  readonly start: number;
  readonly end: number;
  /** Where the statement, entry, or member begins that gives it its name; otherwise where it begins. */
  readonly declaredFrom: number;
  readonly isExported: boolean;
  /** Names of the parameters that callers pass, in order; null for one that has no name of its own. */
  readonly parameters: readonly (string | null)[];
  /** Every variable that its parameters set, also those in patterns. */
  readonly given: readonly string[];
  /** Last names of the callees. */
  readonly calls: readonly string[];
}

/** An argument of a call, as written in the code. */
export interface PassedArgument {
  /** The name of a named argument; otherwise null. */
  readonly name: string | null;
  readonly text: string;
}

/** What becomes of the result of a call. */
export interface CallResult {
  /** The last name of the callee. */
  readonly callee: string | null;
  readonly isNew: boolean;
  /** Whether the call is a statement of its own. */
  readonly isDropped: boolean;
  /** The variables of its statement that are set to it, or to what is computed from it. */
  readonly variables: readonly string[];
  /** The field, key, variable, or named argument that is set to it. */
  readonly field: string | null;
}

/** A code file that was read. */
export interface CodeFile {
  readonly source: SourceText;
  readonly isInstalled: boolean;
  readonly functions: readonly CodeFunction[];
  /** The given files that it imports. */
  readonly imports: readonly SourceText[];
  readonly composition: Composition;
  /** Returns the composition of the functions around some lines, each counted once. */
  compositionAround(lines: readonly number[]): Composition;
  /** Returns what the only call of a name on a line passes; null where there isn't one, or it may pass more than it shows. */
  passed(line: number, callee: string): readonly PassedArgument[] | null;
  /** Returns the results of a function on a line; where its name isn't there, those of all calls. */
  results(line: number, callee: string): readonly CallResult[];
  /** Returns the modules whose imported names are on a line. */
  modules(line: number): readonly string[];
  /** Returns the names of variables, fields, and keys on a line. */
  names(line: number): readonly string[];
}

/** The result of tracing the error through the code. */
export interface Traced {
  readonly frames: readonly LocatedFrame[];
  /** The frames that only wrapped an error in another one. */
  readonly wraps: readonly LocatedFrame[];
  readonly signals: readonly AnyCodeSignal[];
  readonly files: readonly CodeFile[];
  /** Code that was given but not read, or only in part, and why. */
  readonly leftOut: readonly LeftOut[];
  /** What the error leads to and the given code doesn't have. */
  readonly outOfSight: readonly OutOfSight[];
  readonly repairs: Repairs;
  /** What sets the field that was missing; null where another value failed. */
  readonly writers: FieldWriters | null;
  readonly slice: BackwardSlice;
}
