import type { Gap } from "../signals/gap.ts";

/** A file that the error leads to and that wasn't read. */
export interface FileNotRead {
  readonly file: string;
  readonly why: Gap<"files-not-read">["why"];
}
