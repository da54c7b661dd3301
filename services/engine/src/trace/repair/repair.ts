import type { LocatedFrame } from "../../findings/located-frame.ts";
import type { Remedy } from "../../signals/code/remedy.ts";
import type { AnyCodeSignal } from "../../signals/signal.ts";
import type { SourceText } from "../../source/source-text.ts";
import type { Codebase } from "../code/codebase.ts";
import type { Program } from "../code/program.ts";

/** A replacement in a text, in UTF-16 units, `end` excluded. */
export interface Edit {
  readonly source: SourceText;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A change of code that repairs the cause, and the names for its sentence. */
export interface Repair {
  readonly by: Remedy["by"];
  readonly edits: readonly Edit[];
  /** What is changed, as it is written in the code. */
  readonly subject: string;
}

/** The place to repair. */
export interface Broken {
  readonly codebase: Codebase;
  readonly program: Program;
  readonly signal: AnyCodeSignal;
  /** The calls on the stack. */
  readonly frames: readonly LocatedFrame[];
}

/** Returns the change of code that applies a remedy; null where the code doesn't show that the change is right. */
export type Repairing<Of extends Remedy> = (remedy: Of, broken: Broken) => Repair | null;

/** Inserts a text at a position. */
export function insert(source: SourceText, at: number, text: string): Edit {
  return { source, start: at, end: at, text };
}

/** The repairs of the code that was read, and the check of what they make. */
export interface Repairs {
  /** Returns the repairs that the kind of a signal knows and the code allows, the surest first. */
  readonly of: (signal: AnyCodeSignal) => readonly Repair[];
  /** Returns whether a whole file is well-formed in the language that its name says; false for other files. */
  readonly parses: (name: string, text: string) => Promise<boolean>;
}
