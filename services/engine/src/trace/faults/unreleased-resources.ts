import { saidBy } from "../../words/thrown.ts";
import type { Failure } from "../failure.ts";
import { placeAt, type Trail } from "../follow/trail.ts";
import { exhausted } from "./kept-resources.ts";
import { unreleasedIn } from "./resources.ts";

/** Further ways to say that a resource ran out, which may be one that nothing shares. */
const ranOut = /PoolTimeout|pool[ _]timeout|deadlock|out of memory|heap (?:limit|out)|MaxListeners|no more|capacity/i;

/** Notes resources that functions near the stack don't release on every path, if the error says that one ran out. */
export function findUnreleased({ codebase, chain }: Failure, trail: Trail): void {
  const says = chain.map(({ exception }) => saidBy(exception));
  if (!says.some((text) => exhausted.test(text) || ranOut.test(text))) return;
  for (const program of codebase.near()) {
    for (const { node, acquire, leavesAt } of unreleasedIn(program)) {
      const leavesAtLine = leavesAt && program.source.lineAt(leavesAt.start);
      trail.add({ kind: "unreleased-resource", args: { acquire, leavesAtLine } }, placeAt(program, node), null);
    }
  }
}
