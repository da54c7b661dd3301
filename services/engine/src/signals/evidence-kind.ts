import type { z } from "zod";

/** A kind of evidence: what a piece of it shows, as data, and the words for that. */
export interface EvidenceKind<Name extends string, Data> {
  readonly name: Name;
  /** What it shows, as the documentation says it: without a full stop. */
  readonly means: string;
  readonly data: z.ZodType<Data>;
  /** What a piece of evidence shows, as a clause without a full stop. */
  readonly evidence: (data: Data) => string;
  /** What its words compute from the data, and the data doesn't spell: shares, spans, sums. */
  readonly figures?: (data: Data) => readonly (string | number)[];
  /** The data with its paths as they are shown. */
  readonly shown?: (data: Data, shown: (file: string) => string) => Data;
}
