import type { FileView } from "./file-view.ts";

/** The probability that a file contains the cause; all files of a failure add up to 1. */
export interface RankedFile {
  readonly view: FileView;
  readonly probability: number;
}
