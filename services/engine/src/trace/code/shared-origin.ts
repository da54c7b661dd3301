import { calleesOf } from "./calls.ts";
import type { Codebase } from "./codebase.ts";
import { plain, receiverOf } from "./expressions.ts";
import { classAround, returnsOf } from "./functions.ts";
import { givenFor, isReceiver } from "./handed-objects.ts";
import { type CodeNode, part } from "./ir.ts";
import type { Program, Write } from "./program.ts";
import { type Binding, resolve } from "./scopes.ts";

/** Maximum names, calls, and elements between an object and what it is kept in. */
const depthMax = 8;
/** Calls that give what a collection holds, not a copy of it. */
const giving: ReadonlySet<string> = new Set("get at find first setdefault values items entries".split(" "));

/**
 * Returns what an object is kept in, if the code hands out the object itself, not a copy: a field of a class, or a
 * variable of a module, as `file:name`. Null when it isn't kept, or the code doesn't show it.
 */
export function sharedOrigin(
  codebase: Codebase,
  program: Program,
  expression: CodeNode,
  depth = depthMax,
): string | null {
  if (depth === 0) return null;
  const inner = (node: CodeNode | null | undefined, where = program): string | null =>
    node ? sharedOrigin(codebase, where, node, depth - 1) : null;
  const node = plain(expression);
  switch (node.kind) {
    case "name": {
      const binding = resolve(program, node.name ?? "", node);
      return binding && sharedBinding(codebase, program, binding, inner);
    }
    case "member":
    case "index":
      return fieldOf(program, node) ?? inner(part(node, "on"));
    case "call": {
      const on = giving.has(node.name ?? "") ? receiverOf(node) : null;
      const targets = calleesOf(codebase, program, node).filter(({ program: { isInstalled } }) => !isInstalled);
      const returned = targets.flatMap((one) =>
        returnsOf(one.program, one.node).map((value) => inner(value, one.program)),
      );
      return returned.find((one) => one !== null) ?? (targets.length === 0 ? inner(on) : null);
    }
    case "binary":
      return ["||", "??", "or"].includes(node.name ?? "")
        ? (inner(part(node, "left")) ?? inner(part(node, "right")))
        : null;
    case "choice":
      return inner(part(node, "then")) ?? inner(part(node, "otherwise"));
    default:
      return null;
  }
}

function sharedBinding(
  codebase: Codebase,
  program: Program,
  { kind, name, node, writes }: Binding,
  inner: (node: CodeNode | null | undefined, where?: Program) => string | null,
): string | null {
  if (kind === "parameter") {
    const given = givenFor(codebase, program, node).map((one) => inner(one.node, one.program));
    return given.find((one) => one !== null) ?? null;
  }
  if (kind !== "variable") return null;
  if (node.owner === null) return `${program.source.name}:${name}`;
  const values = writes.map(({ value }: Write) => inner(value));
  return values.find((one) => one !== null) ?? null;
}

/** Returns the field of its own objects that a method reads, as `file:Class.field`. */
function fieldOf(program: Program, node: CodeNode): string | null {
  const on = node.kind === "member" ? part(node, "on") : null;
  if (!on || (plain(on).kind !== "self" && !isReceiver(program, on))) return null;
  return `${program.source.name}:${classAround(node)?.name ?? ""}.${node.name}`;
}
