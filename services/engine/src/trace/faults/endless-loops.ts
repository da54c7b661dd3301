import { isAlwaysTrue } from "../code/functions.ts";
import { type CodeNode, functionNodesMax, isWithin, part, walk, walkOwn } from "../code/ir.ts";
import type { Program } from "../code/program.ts";
import { resolve } from "../code/scopes.ts";

/** A loop that nothing inside it ends. */
export interface EndlessLoop {
  readonly node: CodeNode;
  /** The names that its condition reads; empty for a loop without a condition. */
  readonly names: readonly string[];
}

/** What can end a loop, or let other code run in it. */
const ending: ReadonlySet<CodeNode["kind"]> = new Set(["return", "throw", "leave", "await", "yield"]);

/** A condition with any of these can change in ways that its names don't show. */
const computing: ReadonlySet<CodeNode["kind"]> = new Set(["call", "assign", "self", "await"]);

/**
 * Returns the innermost loop around a node that can't end: it has a condition whose names it neither changes nor hands
 * to other code, and nothing else leaves it.
 */
export function endlessAround(program: Program, at: CodeNode): EndlessLoop | null {
  for (let node: CodeNode | null = at; node && node.kind !== "function"; node = node.parent) {
    const names = node.kind === "loop" ? endlessNames(program, node) : null;
    if (names) return { node, names };
  }
  return null;
}

function endlessNames(program: Program, loop: CodeNode): readonly string[] | null {
  const condition = part(loop, "condition");
  if (!condition || part(loop, "over")) return null;
  const read = [...walk(condition, functionNodesMax)];
  const names = [...new Set(read.flatMap(({ kind, name }) => (kind === "name" && name !== null ? [name] : [])))];
  const isConstant = isAlwaysTrue(condition);
  const isPlain = read.every(
    ({ kind, name }) => !computing.has(kind) && (kind !== "unary" || name === "!" || name === "not"),
  );
  if (!isConstant && (!isPlain || names.length === 0)) return null;
  const inside = loop.children.filter((child) => child !== condition).flatMap((child) => [...walkOwn(child)]);
  if (inside.some(({ kind }) => ending.has(kind))) return null;
  const hasCall = inside.some(({ kind }) => kind === "call");
  // A function that is called may throw, or change what isn't local.
  if (hasCall && (isConstant || !names.every((name) => isLocal(program, name, loop)))) return null;
  const isTouched = inside.some((node) => node.kind === "name" && names.includes(node.name ?? "") && mayChange(node));
  const isDeclared = inside.some(
    ({ kind, name }) => kind === "function" || (kind === "declare" && names.includes(name ?? "")),
  );
  return isTouched || isDeclared ? null : names;
}

function isLocal(program: Program, name: string, { owner, parent }: CodeNode): boolean {
  const binding = parent && resolve(program, name, parent);
  return owner !== null && binding !== null && isWithin(binding.scope, owner);
}

/** Returns whether a use of a name may change it: a write, a method call on it, or an argument. */
function mayChange(name: CodeNode): boolean {
  let at = name;
  while (at.parent && (at.parent.kind === "member" || at.parent.kind === "index") && at.role === "on") at = at.parent;
  if (at.role === "target" || at.parent?.kind === "unary" || at.role === "callee") return true;
  if (at.parent?.kind === "entry" || at.parent?.kind === "list" || at.parent?.kind === "object") return true;
  return at.parent?.kind === "call" && at.role === "argument";
}
