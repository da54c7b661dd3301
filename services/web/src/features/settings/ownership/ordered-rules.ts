import type { Ownership, OwnershipChange } from "@whence/protocol";

/** A rule as the service answers it. */
export type OwnershipRule = Ownership["rules"][number];

/** A rule as it is sent. */
export type EnteredOwnershipRule = OwnershipChange["rules"][number];

/** The rules in the form in which they replace the stored ones. */
export function sentRules(rules: readonly OwnershipRule[]): EnteredOwnershipRule[] {
  return rules.map(({ match, pattern, owner }) => ({ match, pattern, owner: owner.id }));
}

/** The items with the one at `from` at the position `to`. */
export function moved<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const others = items.toSpliced(from, 1);
  return others.toSpliced(to, 0, ...items.slice(from, from + 1));
}

/** The rule before `at` that decides in its place, because it looks at the same; undefined if there is none. */
export function coveredBy(rules: readonly Pick<OwnershipRule, "match" | "pattern">[], at: number): number | undefined {
  const rule = rules[at];
  const first = rules.findIndex(({ match, pattern }) => match === rule?.match && pattern === rule.pattern);
  return first < at && first >= 0 ? first : undefined;
}
