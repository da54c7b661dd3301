import type { LocatedFrame } from "../findings/located-frame.ts";
import type { LeftOut } from "../signals/gap.ts";
import type { AnyCodeSignal } from "../signals/signal.ts";
import type { SourceText } from "../source/source-text.ts";
import type { Repairs } from "./repair/repair.ts";

/** A function in the code that was read. Positions are in UTF-16 units of the source. */
export interface CodeFunction {
  readonly name: string | null;
  readonly start: number;
  readonly end: number;
  readonly isExported: boolean;
  /** Names of the parameters that callers pass, in order; null for one that has no name of its own. */
  readonly parameters: readonly (string | null)[];
  /** Last names of the callees. */
  readonly calls: readonly string[];
}

/** An argument of a call, as the code has it. */
export interface PassedArgument {
  /** The name of a named argument; otherwise null. */
  readonly name: string | null;
  readonly text: string;
}

/** A code file that was read. */
export interface CodeFile {
  readonly source: SourceText;
  readonly isInstalled: boolean;
  readonly functions: readonly CodeFunction[];
  /** The given files that it imports. */
  readonly imports: readonly SourceText[];
  /** Returns what the only call of a name on a line passes; null where there isn't one, or it may pass more than it shows. */
  passed(line: number, callee: string): readonly PassedArgument[] | null;
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
  readonly repairs: Repairs;
}
