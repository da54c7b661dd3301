import type { Location } from "@whence/protocol";
import type { z } from "zod";
import type { ChangeKind, ChangeWeight } from "./changes/change-kind.ts";
import { changeKinds } from "./changes/kinds.ts";

type ChangeKinds = typeof changeKinds;
type ChangeKindName = keyof ChangeKinds;
type ChangeArgs = { readonly [K in ChangeKindName]: Readonly<z.output<ChangeKinds[K]["args"]>> };

/** What a change in a release did, with the arguments of its kind. */
export type ChangeEffect<K extends ChangeKindName = ChangeKindName> = {
  readonly [P in K]: { readonly kind: P } & ChangeArgs[P];
}[K];

const table: { readonly [K in ChangeKindName]: ChangeKind<K, ChangeArgs[K]> } = changeKinds;

/** Returns what a release changed, as a predicate. */
export function changedText<K extends ChangeKindName>(effect: ChangeEffect<K>, place: Location): string {
  return table[effect.kind].text(effect, place);
}

/** Returns the rank of a change among all changes of a failure; the lowest is the strongest. */
export function orderOfEffect<K extends ChangeKindName>(effect: ChangeEffect<K>): number {
  return table[effect.kind].order(effect);
}

/** Returns the weight of a change for a changed file of the failing service; null when it has none. */
export function weightOfEffect<K extends ChangeKindName>(effect: ChangeEffect<K>): ChangeWeight | null {
  return table[effect.kind].weight?.(effect) ?? null;
}

/** Returns whether a change counts only where the failure runs through its place. */
export function isOfPlace({ kind }: Pick<ChangeEffect, "kind">): boolean {
  return table[kind].isOfPlace ?? false;
}

/** Returns whether a migration of the release renamed or dropped a column or table. */
export function isMigrated(effect: ChangeEffect): effect is ChangeEffect<"name"> {
  return effect.kind === "name" && effect.isOfDatabase === true;
}
