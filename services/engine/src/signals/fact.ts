import type { FailureWatch } from "@whence/protocol";
import type { z } from "zod";
import type { EvidenceKind } from "./evidence-kind.ts";
import type { CalledPlace, FactKind, FailureTime, Reason } from "./facts/fact-kind.ts";
import type { FailureView } from "./facts/failure-view.ts";
import { factKinds } from "./facts/kinds.ts";
import { inputKinds } from "./inputs/kinds.ts";

type FactKinds = typeof factKinds;
export type FactName = keyof FactKinds;
type FactData = { readonly [K in FactName]: Readonly<z.output<FactKinds[K]["data"]>> };

/** What a collector found, with the data of its kind. */
export type Fact<K extends FactName = FactName> = { readonly [P in K]: { readonly kind: P } & FactData[P] }[K];

type InputKinds = typeof inputKinds;
type InputName = keyof InputKinds;
type InputData = { readonly [K in InputName]: Readonly<z.output<InputKinds[K]["data"]>> };

/** What the input itself shows, with the data of its kind. */
export type InputFact<K extends InputName = InputName> = { readonly [P in K]: { readonly kind: P } & InputData[P] }[K];

/** The names of the weights that facts give as reasons. */
export type FactWeight = NonNullable<FactKinds[FactName]["weights"]>[number];

const facts: { readonly [K in FactName]: FactKind<K, FactData[K], FactWeight> } = factKinds;

type AnyData = FactData & InputData;
type AnyName = keyof AnyData;

/** Anything that a piece of evidence can show, with the data of its kind. */
export type AnyFact<K extends AnyName = AnyName> = { readonly [P in K]: { readonly kind: P } & AnyData[P] }[K];

const evidence: { readonly [K in AnyName]: EvidenceKind<K, AnyData[K]> } = { ...factKinds, ...inputKinds };

/** Returns what a piece of evidence shows, as a clause without a full stop. */
export function evidenceText<K extends AnyName>(fact: AnyFact<K>): string {
  return evidence[fact.kind].evidence(fact);
}

/** Returns the figures that the words for a piece of evidence compute: shares, time spans, sums. */
export function computedFigures<K extends AnyName>(fact: AnyFact<K>): readonly (string | number)[] {
  return evidence[fact.kind].figures?.(fact) ?? [];
}

/** Returns a fact with its paths in the form shown to readers. */
export function withShownPaths<K extends AnyName>(fact: AnyFact<K>, shown: (file: string) => string): AnyFact<K> {
  return { ...fact, ...evidence[fact.kind].shown?.(fact, shown) };
}

/** Returns whether something is a fact of a collector, rather than of the input. */
export function isCollected(fact: AnyFact): fact is Fact {
  return fact.kind in facts;
}

/** Returns whether all figures of a fact are in the data that it was made from. */
export function isComputed({ kind }: Pick<Fact, "kind">): boolean {
  return facts[kind].isComputed;
}

/** Returns whether a fact is there since a language model said it or asked for it. */
export function isFromModel({ kind }: Pick<Fact, "kind">): boolean {
  return facts[kind].isFromModel ?? false;
}

/** Returns what is impossible in a fact. */
export function problemsOf<K extends FactName>(fact: Fact<K>, excerpt: string): readonly string[] {
  return facts[fact.kind].problems?.(fact, excerpt) ?? [];
}

/** Returns whether a fact is something that happened, for the timeline. */
export function isMoment<K extends FactName>(fact: Fact<K>): boolean {
  return facts[fact.kind].isMoment?.(fact) ?? true;
}

/** Returns whether a fact supports a cause. */
export function isSupport<K extends FactName>(fact: Fact<K>, failure: FailureTime): boolean {
  return facts[fact.kind].isSupport?.(fact, failure) ?? true;
}

/** Returns what was called, according to a fact; `own` is the failing service. */
export function calledBy<K extends FactName>(fact: Fact<K>, own: string | null): readonly CalledPlace[] {
  return facts[fact.kind].called?.(fact, own) ?? [];
}

/** Returns the service that a fact speaks against, and how strongly; null when it speaks against none. */
export function reasonOf<K extends FactName>(fact: Fact<K>, failure: FailureView<FactWeight>): Reason | null {
  const reason = facts[fact.kind].reason?.(fact, failure) ?? null;
  return reason !== null && reason.weight > 0 ? reason : null;
}

/** Returns what should be seen next if a fact is the cause. */
export function predictedBy<K extends FactName>(fact: Fact<K>): readonly FailureWatch["kind"][] {
  return facts[fact.kind].predicts?.(fact) ?? [];
}
