import type { EvidenceKind } from "../evidence-kind.ts";
import { type Described, describeKind } from "../kind.ts";

/** A kind of evidence in the input itself. */
export type InputKind<Name extends string, Data> = EvidenceKind<Name, Data>;

/** Defines a kind of evidence in the input. */
export function inputKind<const Name extends string, Data extends object>(
  kind: InputKind<Name, Data>,
): InputKind<Name, Data> & Described {
  return { ...kind, described: describeKind(kind, kind.data, kind.evidence) };
}
