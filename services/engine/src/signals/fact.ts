import type { FailureWatch } from "@whence/protocol";
import type { z } from "zod";
import type { EvidenceKind } from "./evidence-kind.ts";
import type { CalledPlace, FactKind, Reason } from "./facts/fact-kind.ts";
import type { FailureView } from "./facts/failure-view.ts";
import { factKinds } from "./facts/kinds.ts";
import { inputKinds } from "./inputs/kinds.ts";

type FactKinds = typeof factKinds;
export type FactName = keyof FactKinds;
type FactData = { readonly [K in FactName]: Readonly<z.output<FactKinds[K]["data"]>> };

/** What a collector found, of any of some kinds. */
export type Fact<K extends FactName = FactName> = { readonly [P in K]: { readonly kind: P } & FactData[P] }[K];

type InputKinds = typeof inputKinds;
type InputName = keyof InputKinds;
type InputData = { readonly [K in InputName]: Readonly<z.output<InputKinds[K]["data"]>> };

/** What the input itself shows, of any of some kinds. */
export type InputFact<K extends InputName = InputName> = { readonly [P in K]: { readonly kind: P } & InputData[P] }[K];

/** The names of the weights that the reasons of facts are made of. */
export type FactWeight = NonNullable<FactKinds[FactName]["weights"]>[number];

const facts: { readonly [K in FactName]: FactKind<K, FactData[K], FactWeight> } = factKinds;

type AnyData = FactData & InputData;
type AnyName = keyof AnyData;

/** Anything that a piece of evidence can show. */
export type AnyFact<K extends AnyName = AnyName> = { readonly [P in K]: { readonly kind: P } & AnyData[P] }[K];

const evidence: { readonly [K in AnyName]: EvidenceKind<K, AnyData[K]> } = { ...factKinds, ...inputKinds };

/** What a piece of evidence shows, as a clause without a full stop. */
export function evidenceText<K extends AnyName>(fact: AnyFact<K>): string {
  return evidence[fact.kind].evidence(fact);
}

/** What the words for a piece of evidence compute from it: shares, spans, sums. */
export function computedFigures<K extends AnyName>(fact: AnyFact<K>): readonly (string | number)[] {
  return evidence[fact.kind].figures?.(fact) ?? [];
}

/** A fact with its paths as they are shown. */
export function withShownPaths<K extends AnyName>(fact: AnyFact<K>, shown: (file: string) => string): AnyFact<K> {
  return { ...fact, ...evidence[fact.kind].shown?.(fact, shown) };
}

/** Whether something is a fact of a collector, rather than of the input. */
export function isCollected(fact: AnyFact): fact is Fact {
  return fact.kind in facts;
}

/** Whether all figures of a fact are those of the data that it was made from. */
export function isComputed({ kind }: Pick<Fact, "kind">): boolean {
  return facts[kind].isComputed;
}

/** What can't be of a fact. */
export function problemsOf<K extends FactName>(fact: Fact<K>, excerpt: string): readonly string[] {
  return facts[fact.kind].problems?.(fact, excerpt) ?? [];
}

/** Whether a fact is something that happened, for the timeline. */
export function isMoment<K extends FactName>(fact: Fact<K>): boolean {
  return facts[fact.kind].isMoment?.(fact) ?? true;
}

/** Whether a fact supports a cause. */
export function isSupport<K extends FactName>(fact: Fact<K>, failure: { readonly isAnnounced: boolean }): boolean {
  return facts[fact.kind].isSupport?.(fact, failure) ?? true;
}

/** What a fact says was called; `own` is the failing service. */
export function calledBy<K extends FactName>(fact: Fact<K>, own: string | null): readonly CalledPlace[] {
  return facts[fact.kind].called?.(fact, own) ?? [];
}

/** The service that a fact speaks against, and how much; null when it speaks against none. */
export function reasonOf<K extends FactName>(fact: Fact<K>, failure: FailureView<FactWeight>): Reason | null {
  const reason = facts[fact.kind].reason?.(fact, failure) ?? null;
  return reason !== null && reason.weight > 0 ? reason : null;
}

/** What must be seen next if a fact is the cause. */
export function predictedBy<K extends FactName>(fact: Fact<K>): readonly FailureWatch["kind"][] {
  return facts[fact.kind].predicts?.(fact) ?? [];
}
