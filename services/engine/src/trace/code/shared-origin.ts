import { calleesOf } from "./calls.ts";
import type { Codebase } from "./codebase.ts";
import { plain, receiverOf } from "./expressions.ts";
import { classAround, returnsOf } from "./functions.ts";
import { givenFor, isReceiver } from "./handed-objects.ts";
import { type CodeNode, part } from "./ir.ts";
import type { Program } from "./program.ts";
import { type Binding, resolve, writesReaching } from "./scopes.ts";

/** Maximum names, calls, and elements between an object and what it is kept in. */
const depthMax = 8;
/** Maximum expressions that are looked at for one object. */
const seenMax = 100;
/** Calls that give an element of a collection, not a copy of it. */
const giving: ReadonlySet<string> = new Set("get at find first setdefault".split(" "));
/** Calls that give all of them. */
const listing: ReadonlySet<string> = new Set("values items entries".split(" "));
/** Ends an origin that holds the object, rather than being it. */
const held = "[]";

/**
 * Returns what an object is kept in, if the code hands out the object itself, not a copy: a field of a class, or a
 * variable of a module, as `file:name`, or `file:name[]` for an object in one. Null when it isn't kept, or the code
 * doesn't show it.
 */
export function sharedOrigin(
  codebase: Codebase,
  program: Program,
  expression: CodeNode,
  depth = depthMax,
  seen = new Set<CodeNode>(),
): string | null {
  const node = plain(expression);
  // The first origin that is found is returned, so what was seen has none.
  if (depth === 0 || seen.size === seenMax || seen.has(node)) return null;
  seen.add(node);
  const inner = (one: CodeNode | null | undefined, where = program): string | null =>
    one ? sharedOrigin(codebase, where, one, depth - 1, seen) : null;
  switch (node.kind) {
    case "name": {
      const binding = resolve(program, node.name ?? "", node);
      return binding && sharedBinding(codebase, program, binding, node, inner);
    }
    case "member":
    case "index":
      return fieldOf(program, node) ?? heldBy(inner(part(node, "on")));
    case "call": {
      const on = receiverOf(node);
      const targets = calleesOf(codebase, program, node).filter(({ program: { isInstalled } }) => !isInstalled);
      const returned = targets.flatMap((one) =>
        returnsOf(one.program, one.node).map((value) => inner(value, one.program)),
      );
      if (targets.length > 0) return returned.find((one) => one !== null) ?? null;
      if (giving.has(node.name ?? "")) return heldBy(inner(on));
      return listing.has(node.name ?? "") ? inner(on) : null;
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
  binding: Binding,
  use: CodeNode,
  inner: (node: CodeNode | null | undefined, where?: Program) => string | null,
): string | null {
  const { kind, name, node } = binding;
  if (kind !== "variable" && kind !== "parameter") return null;
  if (kind === "variable" && node.owner === null) return `${program.source.name}:${name}`;
  const written = writesReaching(binding, use).map(({ value, path }) => ({ program, node: value, path }));
  const given = kind === "parameter" && written.length === 0 ? givenFor(codebase, program, node) : written;
  for (const one of given) {
    const origin = inner(one.node, one.program);
    if (origin !== null) return one.path.length > 0 ? heldBy(origin) : origin;
  }
  return null;
}

function heldBy(origin: string | null): string | null {
  return origin === null || origin.endsWith(held) ? origin : `${origin}${held}`;
}

/** Returns the field of its own objects that a method reads, as `file:Class.field`. */
function fieldOf(program: Program, node: CodeNode): string | null {
  const on = node.kind === "member" ? part(node, "on") : null;
  if (!on || (plain(on).kind !== "self" && !isReceiver(program, on))) return null;
  return `${program.source.name}:${classAround(node)?.name ?? ""}.${node.name}`;
}
