import type { LocatedFrame } from "../../findings/located-frame.ts";
import type { ParsedException } from "../../findings/parsed-error.ts";
import type { Codebase } from "../code/codebase.ts";
import { part } from "../code/ir.ts";
import { exportedNames, exportSite, findExports, importedBy } from "../code/modules.ts";
import { resolve } from "../code/scopes.ts";
import { closest } from "../code/similar-names.ts";
import { placeAt, type Trail } from "../follow/trail.ts";
import { nodesAtFrame } from "../frames/stack-calls.ts";

const notCallable = /^(?:\(0 , )?([\w$.]{1,200})\)? is not a (?:function|constructor)/;
const notExported =
  /^The requested module '([^']{1,200})' does not provide an export named '([^']{1,200})'|cannot import name '(\w{1,200})' from '([\w.]{1,200})'/;

/** Adds the names that the code imports from a module and that the module, as given, doesn't export. */
export function findMissingExports(
  codebase: Codebase,
  { message }: ParsedException,
  frames: readonly LocatedFrame[],
  trail: Trail,
): void {
  const [, module, exported, imported, from] = notExported.exec(message) ?? [];
  const specifier = module ?? from;
  const name = exported ?? imported;
  if (specifier !== undefined && name !== undefined) noteImports(codebase, specifier, name, trail);
  const called = notCallable.exec(message)?.[1]?.split(".").at(-1);
  const frame = frames.find(({ place }) => place !== null);
  const program = frame?.place && codebase.of(frame.place.source);
  if (called === undefined || !program) return;
  for (const node of nodesAtFrame(program, frame)) {
    const on = node.kind === "member" && node.name === called ? part(node, "on") : null;
    const used = on?.kind === "name" ? on : node.kind === "name" && node.name === called ? node : null;
    const binding = used?.name ? resolve(program, used.name, used) : null;
    const of = binding && importedBy(binding);
    if (!of || of.path.length + (on ? 1 : 0) !== 1) continue;
    const wanted = on ? called : (of.path[0] ?? called);
    const source = codebase.files.resolve(program.source.name, of.specifier);
    const target = source && !codebase.files.isWindow(source) ? codebase.of(source) : null;
    const names = target && exportedNames(target);
    const isOutside = !source && !/^(?:\.|node:)/.test(of.specifier);
    const isGone = names
      ? !names.has(wanted) && findExports(codebase, program, { specifier: of.specifier, path: [wanted] }).length === 0
      : isOutside;
    if (!isGone) continue;
    const args = { name: wanted, module: of.specifier, similar: names ? closest([...names], wanted) : null };
    trail.add({ kind: "missing-export", args }, placeAt(program, node), null);
    if (target) trail.add({ kind: "missing-export", args }, placeAt(target, exportSite(target, wanted)), null);
    return;
  }
}

function noteImports(codebase: Codebase, specifier: string, name: string, trail: Trail): void {
  for (const program of codebase.near()) {
    for (const node of program.imports) {
      if (node.name !== specifier || !node.children.some((entry) => entry.name === name)) continue;
      const source = codebase.files.resolve(program.source.name, specifier);
      const target = source && codebase.of(source);
      const names = target && exportedNames(target);
      const similar = names ? closest([...names], name) : null;
      const said = { kind: "missing-export", args: { name, module: specifier, similar } } as const;
      const at = trail.add(said, placeAt(program, node), null);
      if (target) trail.add(said, placeAt(target, exportSite(target, name)), at);
    }
  }
}
