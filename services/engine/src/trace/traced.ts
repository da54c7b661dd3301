import type { LocatedFrame } from "../findings/located-frame.ts";
import type { LeftOut } from "../signals/gap.ts";
import type { AnyCodeSignal } from "../signals/signal.ts";
import type { SourceText } from "../source/source-text.ts";

/** A function of the code that was read. Positions are UTF-16 units in the source. */
export interface CodeFunction {
  readonly name: string | null;
  readonly start: number;
  readonly end: number;
  readonly isExported: boolean;
  /** Last names of what it calls. */
  readonly calls: readonly string[];
}

/** A file of code that was read. */
export interface CodeFile {
  readonly source: SourceText;
  readonly isInstalled: boolean;
  readonly functions: readonly CodeFunction[];
  /** The files, among those given, that it imports. */
  readonly imports: readonly SourceText[];
}

/** What tracing the error through the code came to. */
export interface Traced {
  readonly frames: readonly LocatedFrame[];
  /** Of these, the frames that only wrapped an error in another one. */
  readonly wraps: readonly LocatedFrame[];
  readonly signals: readonly AnyCodeSignal[];
  readonly files: readonly CodeFile[];
  /** Code that was given and not read, or only in part, and why. */
  readonly leftOut: readonly LeftOut[];
}
