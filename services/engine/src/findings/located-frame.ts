import type { Location } from "@whence/protocol";
import type { SourceText } from "../source/source-text.ts";
import type { ParsedFrame } from "./parsed-error.ts";

/** A place in code whose text is known. */
export interface CodePlace extends Location {
  readonly source: SourceText;
  readonly line: number;
}

/** A frame with the text around it, if available. */
export interface LocatedFrame {
  readonly exception: number;
  readonly index: number;
  readonly frame: ParsedFrame;
  /** The attached file's name, or the frame's own path. */
  readonly file: string;
  readonly place: CodePlace | null;
}
