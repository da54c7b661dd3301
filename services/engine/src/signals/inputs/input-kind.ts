import type { EvidenceKind } from "../evidence-kind.ts";

/** A kind of evidence in the input itself. */
export type InputKind<Name extends string, Data> = EvidenceKind<Name, Data>;

/** Defines a kind of evidence in the input. */
export function inputKind<const Name extends string, Data>(kind: InputKind<Name, Data>): InputKind<Name, Data> {
  return kind;
}
