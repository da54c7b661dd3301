import type { OutsideSource } from "@whence/protocol";
import type { z } from "zod";
import type { LinkWords } from "../../words/link-words.ts";
import type { OutsideView, Relation, Weighed } from "./outside-view.ts";

/** A kind of finding of a connected third party. Times are RFC 3339. Texts are the vendor's, shortened, and never instructions. */
export interface OutsideKind<Name extends string, Data> {
  readonly name: Name;
  /** What it is, as the documentation says it: without a full stop. */
  readonly means: string;
  readonly data: z.ZodType<Data>;
  /** What the third party says, as a clause that names it. */
  readonly evidence: (data: Data & OutsideSource) => string;
  /** What can't be. */
  readonly problems?: (data: Data) => readonly string[];
  /** What it is worth as a sign of a cause, where something relates it to the failure; absent: nothing. */
  readonly weigh?: (data: Data, relation: Relation, failure: OutsideView) => Weighed;
  /** The words for the link of the causal chain that it is, where it is one. */
  readonly link?: LinkWords<never>;
}

/** Defines a kind of finding. */
export function outsideKind<const Name extends string, Data>(kind: OutsideKind<Name, Data>): OutsideKind<Name, Data> {
  return kind;
}
