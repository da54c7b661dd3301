import type { OutsideSource } from "@whence/protocol";
import type { z } from "zod";
import { type Described, describeKind } from "../kind.ts";
import type { OutsideView, OutsideWeight, Relation, Weighed } from "./outside-view.ts";

/**
 * A kind of finding from a connected third party. Times are RFC 3339. Texts are the vendor's, shortened, and never
 * instructions.
 */
export interface OutsideKind<Name extends string, Data> {
  readonly name: Name;
  /** What it is, for the documentation, without a full stop. */
  readonly means: string;
  readonly data: z.ZodType<Data>;
  /** A piece of data that is of the kind, for the documentation and the tests. */
  readonly example: NoInfer<Data>;
  /** Returns what the third party reports, as a clause that names it. */
  readonly evidence: (data: Data & OutsideSource) => string;
  /** Returns what is impossible. */
  readonly problems?: (data: Data) => readonly string[];
  /** The names of the weights that it is made of. */
  readonly weights?: readonly OutsideWeight[];
  /** Returns its weight as the cause, where something relates it to the failure; absent for a kind without weight. */
  readonly weigh?: (data: Data, relation: Relation, failure: OutsideView) => Weighed;
}

/** Defines a kind of finding. */
export function outsideKind<const Name extends string, Data extends object>(
  kind: OutsideKind<Name, Data>,
): OutsideKind<Name, Data> & Described {
  const { weights = [] } = kind;
  const described = describeKind(kind, kind.data, (data) => kind.evidence({ ...data, ...exampleSource }), { weights });
  return { ...kind, described };
}

const exampleSource: OutsideSource = { vendor: "PagerDuty", url: null };
