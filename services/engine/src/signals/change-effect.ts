import type { Location } from "@whence/protocol";
import type { z } from "zod";
import type { ChangeKind, ChangeWeight } from "./changes/change-kind.ts";
import { changeKinds } from "./changes/kinds.ts";

type ChangeKinds = typeof changeKinds;
type ChangeKindName = keyof ChangeKinds;
type ChangeArgs = { readonly [K in ChangeKindName]: Readonly<z.output<ChangeKinds[K]["args"]>> };

/** What a change of a release did, in the terms of the failure, of any of some kinds. */
export type ChangeEffect<K extends ChangeKindName = ChangeKindName> = {
  readonly [P in K]: { readonly kind: P } & ChangeArgs[P];
}[K];

const table: { readonly [K in ChangeKindName]: ChangeKind<K, ChangeArgs[K]> } = changeKinds;

/** What a release changed, as a predicate of it. */
export function changedText<K extends ChangeKindName>(effect: ChangeEffect<K>, place: Location): string {
  return table[effect.kind].text(effect, place);
}

/** The place of a change among all of a failure; the smallest tells most. */
export function orderOfEffect<K extends ChangeKindName>(effect: ChangeEffect<K>): number {
  return table[effect.kind].order(effect);
}

/** What a change says for a changed file of the failing service; null when nothing. */
export function weightOfEffect<K extends ChangeKindName>(effect: ChangeEffect<K>): ChangeWeight | null {
  return table[effect.kind].weight?.(effect) ?? null;
}

/** Whether it bears on the failure only where the failure passes its place. */
export function isOfPlace({ kind }: Pick<ChangeEffect, "kind">): boolean {
  return table[kind].isOfPlace ?? false;
}
