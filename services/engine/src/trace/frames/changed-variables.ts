import type { CodePlace } from "../../findings/located-frame.ts";
import type { ParsedFrame } from "../../findings/parsed-error.ts";
import { languageOfFile, tableOf } from "../../source/languages/languages.ts";
import { operandsOf, rootOf } from "../code/expressions.ts";
import { type CodeNode, part, partsOf, walkOwn } from "../code/ir.ts";
import type { Program } from "../code/program.ts";
import { nodeOnLine } from "./stack-calls.ts";

/** Returns a frame without the variables that its function may have changed after the error, before they were read. */
export function withoutChanged(frame: ParsedFrame, program: Program | null, place: CodePlace | null): ParsedFrame {
  const { variables } = frame;
  if (!variables || !program || !place || !tableOf(languageOfFile(place.file)).readsVariablesLate) return frame;
  const changed = changedAfter(nodeOnLine(program, place));
  return { ...frame, variables: Object.fromEntries(Object.entries(variables).filter(([name]) => !changed.has(name))) };
}

/** Returns the names that are assigned by the handlers and the `finally` that an error at a node runs through. */
function changedAfter(node: CodeNode): ReadonlySet<string> {
  const changed = new Set<string>();
  for (let at = node; at.parent && at.kind !== "function"; at = at.parent) {
    const { parent, role } = at;
    if (parent.kind !== "try" || role === "final") continue;
    const final = part(parent, "final");
    const after = [...(role === "body" ? partsOf(parent, "handler") : []), ...(final ? [final] : [])];
    for (const one of after.flatMap((block) => [...walkOwn(block)]))
      for (const name of namesAssigned(one)) changed.add(name);
  }
  return changed;
}

/** Returns `a` for `a = 1` and `a.b = 1`, and both names for `a, b = 1, 2`. */
function namesAssigned(node: CodeNode): string[] {
  const target = node.kind === "assign" || node.kind === "loop" ? part(node, "target") : null;
  return target ? operandsOf(target).flatMap((one) => rootOf(one).name ?? []) : [];
}
