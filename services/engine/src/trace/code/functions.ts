import { isLiteral, lastName, plain } from "./expressions.ts";
import { around, type CodeNode, is, part, walkOwn } from "./ir.ts";
import type { Program } from "./program.ts";

/** A function and the file that it is in. */
export interface FoundFunction {
  readonly program: Program;
  readonly node: CodeNode;
}

/** Returns the function's own name, or the name of what it is assigned to; null for a callback. */
export function ownName(node: CodeNode): string | null {
  if (node.name !== null) return node.name;
  const { parent } = node;
  if (parent === null || node.role !== "value") return null;
  if (parent.kind === "declare" || parent.kind === "entry") return parent.name;
  if (parent.kind !== "assign") return null;
  const target = part(parent, "target");
  const name = target ? lastName(target) : null;
  if (name !== "exports" && name !== "default") return name;
  // `module.exports = function …` is named after its file, if anything.
  return null;
}

/** Returns the name of the class or object that a function belongs to; null without one. */
export function classNameOf(node: CodeNode): string | null {
  const receiver = part(node, "receiver");
  if (receiver) return receiver.type;
  const owner = classAround(node);
  if (owner) return owner.name ?? (owner.parent?.kind === "declare" ? owner.parent.name : null);
  return prototypeOf(node);
}

/** Returns `X` for `X.prototype.name = function …`, `X.name = function …`, and `const X = { name() { … } }`. */
function prototypeOf(node: CodeNode): string | null {
  const { parent } = node;
  if (parent?.kind === "assign") {
    const target = part(parent, "target");
    const on = target?.kind === "member" ? part(target, "on") : null;
    if (!on) return null;
    const of = on.kind === "member" && on.name === "prototype" ? part(on, "on") : on;
    return of && (of.kind === "name" || of.kind === "member") && of.name !== "exports" ? of.name : null;
  }
  const object = parent?.kind === "entry" && parent.parent?.kind === "object" ? parent.parent : null;
  if (!object) return null;
  const outer = object.parent;
  if (outer?.kind === "declare") return outer.name;
  const target = outer?.kind === "assign" ? part(outer, "target") : null;
  if (target?.kind !== "member") return target?.kind === "name" ? target.name : null;
  return target.name === "prototype"
    ? lastName(part(target, "on") ?? target)
    : target.name === "exports"
      ? null
      : target.name;
}

const naming: ReadonlySet<CodeNode["kind"]> = new Set(["declare", "entry", "assign"]);

/**
 * Returns the start of the statement, entry, or member that names a function; for any other function, its own start.
 */
export function declaredFrom(node: CodeNode): number {
  const { parent } = node;
  if (node.role !== "value" || !parent || !naming.has(parent.kind)) return node.start;
  const isFirst = parent.parent?.kind === "sequence" && parent.parent.children[0] === parent;
  return isFirst ? parent.parent.start : parent.start;
}

/** Returns the class that a node is a member of; a function within a function isn't a member. */
export function classAround(node: CodeNode): CodeNode | null {
  for (let at = node.parent; at !== null; at = at.parent) {
    if (at.kind === "class") return at;
    // A method declared outside its type has a receiver instead of a surrounding class.
    if (part(at, "receiver")) return null;
  }
  return null;
}

/** Returns `Class.method`, or the function's own name. */
export function fullName(node: CodeNode): string | null {
  const own = ownName(node);
  if (own === null) return null;
  const owner = classNameOf(node);
  return owner === null || owner === own ? own : `${owner}.${own}`;
}

/** Returns the name of the function around a node; null at module level. */
export function nameAround(node: CodeNode): string | null {
  for (let at: CodeNode | null = around(node, "function"); at !== null; at = at.owner) {
    const name = fullName(at);
    if (name !== null) return name;
  }
  return null;
}

const returnsMax = 8;

/** Returns the values that a function returns, with null for a `return` without a value. */
export function returnsOf({ dialect }: Program, node: CodeNode): (CodeNode | null)[] {
  const body = part(node, "body");
  if (!body) return dialect.returnsLast ? [null] : [];
  if (body.kind !== "block") return [body];
  const found: (CodeNode | null)[] = [];
  for (const one of walkOwn(body)) {
    if (one.kind === "return") found.push(part(one, "value"));
    else if (one.kind === "yield" && is(node, "generator")) found.push(part(one, "value"));
  }
  if (dialect.returnsLast) found.push(...lastValues(body));
  return found.slice(0, returnsMax);
}

/** Returns the `return` statements of a function that give no value. */
export function bareReturnsOf(node: CodeNode): CodeNode[] {
  const body = part(node, "body");
  if (body?.kind !== "block") return [];
  return [...walkOwn(body)].filter((one) => one.kind === "return" && !part(one, "value")).slice(0, returnsMax);
}

const endingsMax = 12;

/** Returns the values of the last expression of a block; for a condition, those of each branch. */
function lastValues(block: CodeNode): (CodeNode | null)[] {
  const found: (CodeNode | null)[] = [];
  const pending: CodeNode[] = [block];
  for (let node = pending.pop(); node !== undefined && found.length < endingsMax; node = pending.pop()) {
    if (node.kind === "block" || node.kind === "try" || node.kind === "catch") {
      const handlers = node.children.filter(({ kind }) => kind === "catch");
      pending.push(...handlers.flatMap((one) => part(one, "body") ?? []));
      const last = node.children
        .filter(({ kind, role }) => kind !== "catch" && role !== "final" && role !== "target")
        .at(-1);
      if (last) pending.push(last);
      else found.push(null);
    } else if (node.kind === "if") {
      const branches = [part(node, "then"), part(node, "otherwise")].filter((one) => one !== null);
      pending.push(...branches);
      if (branches.length < 2) found.push(null);
    } else if (node.kind === "sequence") pending.push(...node.children.slice(-1));
    else if (node.kind !== "return" && node.kind !== "throw") found.push(node);
  }
  return found;
}

/** Returns whether a function can reach its end without a `return`, and then returns nothing. */
export function fallsThrough({ dialect }: Program, node: CodeNode): boolean {
  const body = part(node, "body");
  if (!dialect.endsSilently || body?.kind !== "block" || is(node, "generator")) return false;
  return !leaves(body);
}

const leavingDepthMax = 40;

/** Returns whether a statement leaves the function on every path. */
export function leaves(node: CodeNode | null, depth = leavingDepthMax): boolean {
  if (!node || depth === 0) return false;
  switch (node.kind) {
    case "return":
    case "throw":
      return true;
    case "block":
    case "sequence":
      return node.children.some((one) => leaves(one, depth - 1));
    case "if": {
      const then = part(node, "then");
      if (node.name === "switch") {
        const last = then?.children.at(-1);
        return last?.kind === "other" && leaves(last, depth - 1);
      }
      return leaves(then, depth - 1) && leaves(part(node, "otherwise"), depth - 1);
    }
    case "loop":
      return isEndless(node);
    case "try": {
      if (leaves(part(node, "final"), depth - 1)) return true;
      const handler = part(node, "handler");
      return leaves(part(node, "body"), depth - 1) && (!handler || leaves(part(handler, "body"), depth - 1));
    }
    case "other":
      return node.children.some((one) => leaves(one, depth - 1));
    default:
      return false;
  }
}

/** Returns whether a loop has no end of its own, and nothing in it breaks out: `while (true)`, `for (;;)`. */
function isEndless(loop: CodeNode): boolean {
  const condition = part(loop, "condition");
  if (part(loop, "over") || (condition && !isAlwaysTrue(condition))) return false;
  return ![...walkOwn(loop)].some((one) => one.kind === "leave" && breaksOut(one, loop));
}

/** Returns whether a condition is a constant of an endless loop: `true`, `True`, or `1`. */
export function isAlwaysTrue(condition: CodeNode): boolean {
  const { kind, name } = plain(condition);
  return (kind === "boolean" && name?.toLowerCase() === "true") || (kind === "number" && name === "1");
}

/** Returns whether a `break` leaves this loop, rather than a loop or `switch` within it. */
function breaksOut(leave: CodeNode, loop: CodeNode): boolean {
  if (leave.name !== null) return leave.name !== "continue";
  let at = leave;
  // The `else` of a loop in Python runs after the loop.
  while (at.parent && (at.role === "otherwise" || at.parent.kind !== "loop") && at.parent.name !== "switch")
    at = at.parent;
  return at.parent === loop;
}

/** Returns whether a value may be missing. */
export function mayBeNothing(value: CodeNode): boolean {
  const node = plain(value);
  switch (node.kind) {
    case "nothing":
      return true;
    case "object":
    case "list":
    case "function":
    case "class":
    case "template":
    case "pattern":
      return false;
    case "binary":
      return ["||", "??", "or", "&&", "and"].includes(node.name ?? "");
    case "call":
      return !is(node, "new") || node.name === "Promise";
    case "choice":
      return [part(node, "then"), part(node, "otherwise")].some((one) => one !== null && mayBeNothing(one));
    default:
      return !isLiteral(node);
  }
}
