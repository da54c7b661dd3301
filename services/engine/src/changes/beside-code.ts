import { namedPerKindMax, type ReleaseComparison } from "../signals/facts/comparison.ts";
import type { ReleaseChange } from "../signals/facts/release-change.ts";
import { isData } from "./changed-data.ts";
import { changedDependencies } from "./changed-dependencies.ts";
import { schemaChanges } from "./schema-changes.ts";

/** Returns what a release changed besides code, a few of each: dependencies, the schema of a database, and data. */
export function besideCode(
  changes: readonly Pick<ReleaseChange, "hunk" | "path">[],
): Pick<ReleaseComparison, "dependencies" | "schema" | "data"> {
  const few = <Item>(items: readonly Item[]): Item[] => items.slice(0, namedPerKindMax);
  return {
    dependencies: few(changedDependencies(changes)).map(({ name, from, to }) => ({ name, from, to })),
    schema: few(schemaChanges(changes)).map(({ name, table, renamedTo, in: { path } }) => {
      return { path, name, table, renamedTo };
    }),
    data: few([...new Set(changes.filter(isData).map(({ path }) => path))]),
  };
}
