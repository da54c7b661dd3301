import type { FoundFunction } from "./functions.ts";
import type { CodeNode } from "./ir.ts";

/**
 * A class and those that it extends. A step has several classes where it isn't known which one of that name is
 * extended.
 */
export type Lineage = readonly (readonly FoundFunction[])[];

/** Maximum classes of a lineage. */
const lineageMax = 100;

/**
 * Returns a class and those that it extends, in the order in which a member is looked up: a class that several others
 * extend comes after all of them. Each class is visited once, however many ways lead to it.
 */
export function lineageBy(owner: FoundFunction, basesOf: (one: FoundFunction) => Lineage): Lineage {
  const visited = new Set<CodeNode>();
  const steps: (readonly FoundFunction[])[] = [];
  const visit = (classes: readonly FoundFunction[]): void => {
    const fresh = classes.filter(({ node }) => !visited.has(node)).slice(0, lineageMax - visited.size);
    for (const { node } of fresh) visited.add(node);
    for (const bases of fresh.flatMap(basesOf).reverse()) visit(bases);
    steps.push(fresh);
  };
  visit([owner]);
  return steps.reverse();
}

/** Returns what the first step finds that finds anything. */
export function firstIn(
  lineage: Lineage,
  find: (one: FoundFunction) => readonly FoundFunction[],
): readonly FoundFunction[] {
  for (const step of lineage) {
    const found = step.flatMap(find);
    if (found.length > 0) return found;
  }
  return [];
}
