import type { Location } from "@whence/protocol";
import type { SourceText } from "../source/source-text.ts";
import type { ParsedException, ParsedFrame } from "./parsed-error.ts";

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

/** One error of the chain with its frames, innermost first. */
export interface LocatedException {
  readonly exception: ParsedException;
  readonly frames: readonly LocatedFrame[];
}

/** Returns the line of a frame in its file as given; the printed number where the text is unknown. */
export function lineOf({ frame, place }: LocatedFrame): number | null {
  return place?.line ?? frame.line;
}

/** Returns the place of a frame; null if its text isn't the code that the stack prints, because another version ran. */
export function ranAt({ frame: { code }, place }: LocatedFrame): CodePlace | null {
  const isOther = place !== null && code !== undefined && place.source.line(place.line).trim() !== code;
  return isOther ? null : place;
}
