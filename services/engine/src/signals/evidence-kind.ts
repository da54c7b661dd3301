import type { z } from "zod";

/** A kind of evidence: the data that it shows, and its words. */
export interface EvidenceKind<Name extends string, Data> {
  readonly name: Name;
  /** What it shows, for the documentation, without a full stop. */
  readonly means: string;
  readonly data: z.ZodType<Data>;
  /** A piece of data that is of the kind, for the documentation and the tests. */
  readonly example: NoInfer<Data>;
  /** Returns what a piece of evidence shows, as a clause without a full stop. */
  readonly evidence: (data: Data) => string;
  /** Returns the figures that its words compute and that aren't in the data: shares, time spans, sums. */
  readonly figures?: (data: Data) => readonly (string | number)[];
  /** Returns the data with its paths in the form shown to readers. */
  readonly shown?: (data: Data, shown: (file: string) => string) => Data;
}
