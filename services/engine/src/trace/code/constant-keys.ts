import type { Codebase } from "./codebase.ts";
import { keyText, plain } from "./expressions.ts";
import { givenFor } from "./handed-objects.ts";
import { type CodeNode, partsOf } from "./ir.ts";
import { findExports, importedBy } from "./modules.ts";
import { anyKey, type Program } from "./program.ts";
import { resolve } from "./scopes.ts";

/** Returns whether an expression is a key, or a variable that goes through a constant list with it. */
export function mayBeKey(codebase: Codebase, program: Program, expression: CodeNode, key: string): boolean {
  if (keyText(expression) !== null) return keyText(expression) === key;
  const node = plain(expression);
  const binding = node.kind === "name" ? resolve(program, node.name ?? "", node) : null;
  const lists =
    binding?.kind === "parameter"
      ? givenFor(codebase, program, binding.node).filter(({ path }) => path[0] === anyKey)
      : (binding?.writes ?? []).flatMap((write) =>
          write.node.kind === "loop" && write.value ? [{ program, node: write.value }] : [],
        );
  return lists.some((one) => textsIn(codebase, one.program, one.node).includes(key));
}

/** Returns the texts of a list, or of the constant that a name refers to. */
function textsIn(codebase: Codebase, program: Program, list: CodeNode): string[] {
  const node = plain(list);
  if (node.kind === "list") return partsOf(node, "value").flatMap((one) => keyText(one) ?? []);
  const binding = node.kind === "name" ? resolve(program, node.name ?? "", node) : null;
  const imported = binding && importedBy(binding);
  const values = imported
    ? findExports(codebase, program, imported).flatMap((one) => (one.kind === "value" ? [one.node] : []))
    : (binding?.writes ?? []).flatMap(({ value }) => value ?? []);
  return values.flatMap((value) => (plain(value).kind === "list" ? textsIn(codebase, program, value) : []));
}
