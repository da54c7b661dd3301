import { isManifest } from "@whence/engine";
import { treeOf } from "./case-tree.ts";
import type { RecordedCase } from "./cases.ts";
import type { CaseFile } from "./corpora/case-files.ts";

/**
 * Returns a service's failure in a tree of at least `filesMin` files: its own, and those of the next services of its
 * language, as modules to which nothing in it leads.
 */
export function amongOthers(recorded: RecordedCase, services: readonly RecordedCase[], filesMin: number): RecordedCase {
  const alike = services.filter(({ language }) => language === recorded.language);
  const next = alike.findIndex(({ group }) => group === recorded.group) + 1;
  const others = [...alike.slice(next), ...alike.slice(0, next)].filter(({ group }) => group !== recorded.group);
  const files = filesIn(recorded);
  for (const other of others) {
    if (files.length >= filesMin) break;
    const modules = filesIn(other).filter(({ name }) => !isManifest(name));
    files.push(...modules.map(({ name, content }) => ({ name: inModule(other.group, name), content })));
  }
  const tree = treeOf(files, recorded.tree.isProject);
  return { ...recorded, tree: { ...tree, installedIn: recorded.tree.installedIn } };
}

function filesIn({ tree }: RecordedCase): CaseFile[] {
  return tree.paths.map((name) => ({ name, content: tree.read(name) ?? "" }));
}

/** `src/jobs/nightly.js` of the service `tolls` is `src/tolls/jobs/nightly.js`. */
function inModule(module: string, path: string): string {
  const folders = path.split("/");
  return folders.length === 1 ? `${module}/${path}` : [folders[0], module, ...folders.slice(1)].join("/");
}
