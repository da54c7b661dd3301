import type { Codebase } from "../code/codebase.ts";
import { argumentsOf, assignedBy, lastName, receiverOf, rootOf } from "../code/expressions.ts";
import { classAround } from "../code/functions.ts";
import { isReceiver } from "../code/handed-objects.ts";
import type { CodeNode } from "../code/ir.ts";
import { filesOf, importedBy } from "../code/modules.ts";
import type { Program } from "../code/program.ts";
import { resolve } from "../code/scopes.ts";

/** Maximum number of calls of one name in one file that are looked at. */
const callsMax = 200;
/** Calls that add to their first argument. */
const addingToFirst = ["assign", "merge", "defineProperty"];

/** Returns whether code is found that adds something to an object or list which is empty where it is created. */
export function isFilled(codebase: Codebase, program: Program, literal: CodeNode): boolean {
  if (literal.children.length > 0) return false;
  const target = literal.parent ? assignedBy(literal.parent, program.source)?.target : undefined;
  const name = target === undefined ? null : (/[\w$]+$/.exec(target)?.[0] ?? null);
  if (target === undefined || name === null) return false;
  const isIt = (one: Program, on: CodeNode): boolean => {
    if (lastName(on) !== name) return false;
    const root = rootOf(on);
    const binding = root.kind === "name" && root.name !== null ? resolve(one, root.name, root) : null;
    if (one !== program) {
      const imported = binding && importedBy(binding);
      return imported !== null && filesOf(codebase, one, imported.specifier).includes(program);
    }
    if (root === on) return binding !== null && binding === resolve(program, name, literal);
    const isOwn = root.kind === "self" || isReceiver(program, root);
    return target.includes(".") && (!isOwn || classAround(root) === classAround(literal));
  };
  return codebase.near().some((one) => changedIn(one, name).some((on) => isIt(one, on)));
}

/** Returns what a file adds keys or elements to, under one of its names. */
function changedIn(program: Program, name: string): CodeNode[] {
  const { putting, adding, joining } = program.dialect.calls;
  const writes = [...program.entries.values(), ...program.fieldWrites.values()].flat();
  const callsOf = (names: readonly string[]): CodeNode[] =>
    names.flatMap((one) => (program.calls.get(one) ?? []).slice(0, callsMax));
  const changed = [
    ...writes.flatMap(({ on }) => on ?? []),
    ...callsOf([...putting, ...adding, ...joining]).flatMap((call) => receiverOf(call) ?? []),
    ...callsOf(addingToFirst).flatMap((call) => argumentsOf(call)[0]?.value ?? []),
  ];
  return changed.filter((on) => lastName(on) === name);
}
