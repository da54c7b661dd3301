import type { Clue, EventFacts, LocatedFrame, ParsedError, ParsedException } from "../../findings.ts";
import type { SourceText } from "../../source-text.ts";
import type { LeftOut } from "../traced.ts";

/** What is known when a language is asked what the code tells about an error. */
export interface Failure {
  readonly error: ParsedError;
  readonly event: EventFacts | null;
  /** The exceptions of the chain, each with its frames, the outermost first. */
  readonly chain: readonly { readonly exception: ParsedException; readonly frames: readonly LocatedFrame[] }[];
}

/** How the code of one language is read. It is made for one investigation and its files. */
export interface Language {
  readonly reads: (fileName: string) => boolean;
  /** The name by which a developer would call the function at a position of a text; null outside of any. */
  readonly functionAt: (source: SourceText, position: number) => string | null;
  /** From the failing expression backwards, and what else stands out in the code. */
  readonly clues: (failure: Failure) => readonly Clue[];
  /** One line each about code that was given and not read, or not wholly, and why; complete once the clues are. */
  readonly leftOut?: () => readonly LeftOut[];
}
