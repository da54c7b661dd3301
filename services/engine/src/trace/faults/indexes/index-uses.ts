import { calleesOf } from "../../code/calls.ts";
import type { Codebase } from "../../code/codebase.ts";
import { argumentsOf, heldBy, plain, receiverOf, textOf } from "../../code/expressions.ts";
import { ownName, returnsOf } from "../../code/functions.ts";
import { around, type CodeNode, part, walk, walkOwn } from "../../code/ir.ts";
import type { Program } from "../../code/program.ts";
import { resolve } from "../../code/scopes.ts";
import type { OwnNode } from "../own-nodes.ts";

/** How many calls of a function that returns an index are looked at. */
const callsMax = 60;
/** How many nodes of a file are searched for the texts that it makes. */
const nodesMax = 20_000;
const comparing = /^(?:[=!]==?|[<>]=?|in|not in|is|is not)$/;
/** Calls that keep a number within limits, and those that say whether there is something to find. */
const limiting = /^(?:min|max|clamp|abs|coerceIn|floorMod)$/;
const asserting = /^(?:assert|check|ensure|expect|invariant|require|validate|verify)/i;
const asking =
  /^(?:includes|contains|containsKey|has|startsWith|startswith|endsWith|endswith|starts_with\?|start_with\?|include\?|HasPrefix|Contains|test|matches|match|match\?)$/;

/**
 * Returns where a number is used as an index or as the end of a slice, if nothing there checks it: in its own
 * expression, through a variable, or through what its function returns.
 */
export function uncheckedUse(codebase: Codebase, program: Program, number: CodeNode, depth = 1): OwnNode | null {
  const node = outermost(number);
  const direct = indexedBy(program, node);
  if (direct) return { program, node: direct };
  const name = heldBy(node);
  const held = name === null ? null : useOf(program, node, name);
  if (held || (name !== null && depth === 0)) return held;
  const owner = around(node, "function");
  const isReturned = owner !== null && depth > 0 && isReturnOf(program, owner, node, name);
  return isReturned ? useOfResult(codebase, program, owner, depth) : null;
}

/** Calls that make an integer of a number. */
const converting = /^(?:u?int(?:8|16|32|64)?|Number|Integer|long|trunc|to_i)$/;

/** Returns the expression around a number that has its value: a conversion, an alternative, or an awaited one. */
function outermost(node: CodeNode): CodeNode {
  let at = node;
  for (let outer = at.parent; outer !== null && isValueOf(outer, at); outer = at.parent) at = outer;
  return at;
}

function isValueOf(outer: CodeNode, { role }: CodeNode): boolean {
  switch (outer.kind) {
    case "await":
    case "sequence":
      return role === "value";
    case "binary":
      return role === "right" && /^(?:\|\||\?\?|or)$/.test(outer.name ?? "");
    case "call":
      return role === "argument" && converting.test(outer.name ?? "");
    default:
      return false;
  }
}

/** Returns the element read, the slice, or the call that takes a node as a position. */
export function indexedBy({ dialect }: Program, node: CodeNode): CodeNode | null {
  const { parent } = node;
  if (!parent) return null;
  // The bounds of a slice stand together.
  const key = parent.kind === "other" && parent.role === "key" ? parent : node;
  if (key.parent?.kind === "index" && key.role !== "on") return hasDefault(key.parent) ? null : key.parent;
  const isPosition =
    parent.kind === "call" && node.role === "argument" && dialect.calls.positioned.has(parent.name ?? "");
  return isPosition ? parent : null;
}

/** `list[at] ?? base` */
function hasDefault({ parent, role }: CodeNode): boolean {
  return parent?.kind === "binary" && role === "left" && /^(?:\|\||\?\?|or)$/.test(parent.name ?? "");
}

/** Returns whether code tests the element that it reads: `const one = list[at]; if (!one) return`. */
export function isElementChecked(program: Program, element: CodeNode): boolean {
  const name = heldBy(element);
  const scope = around(element, "function") ?? program.tree;
  return name !== null && [...walkOwn(scope)].some((one) => one.kind === "name" && one.name === name && isChecked(one));
}

/** Returns where a variable is used as a position, if its function neither checks nor changes it. */
function useOf(program: Program, value: CodeNode, name: string): OwnNode | null {
  const scope = around(value, "function") ?? program.tree;
  let use: CodeNode | null = null;
  for (const one of walkOwn(scope)) {
    if (one.kind !== "name" || one.name !== name) continue;
    if (isChecked(one)) return null;
    if (one.start > value.end) use ??= indexedBy(program, one);
  }
  return use && { program, node: use };
}

function isChecked(name: CodeNode): boolean {
  const { parent, role } = name;
  if (!parent || role === "condition") return true;
  if (parent.kind === "assign" && role === "target" && isCompared(parent)) return true;
  if (parent.kind === "binary")
    return (
      comparing.test(parent.name ?? "") || (role === "left" && /^(?:\|\||&&|\?\?|or|and|%)$/.test(parent.name ?? ""))
    );
  if (parent.kind === "unary") return /^(?:!|not|~|\+\+|--)$/.test(parent.name ?? "");
  if (parent.kind === "assign" && role === "target") return parent.name !== "=" && parent.name !== ":=";
  if (parent.kind !== "call" || role !== "argument") return false;
  return limiting.test(parent.name ?? "") || (parent.parent?.kind === "block" && asserting.test(parent.name ?? ""));
}

/** `while ((at = text.indexOf(",", at)) !== -1)` */
function isCompared(assignment: CodeNode): boolean {
  let at = assignment;
  while (at.parent?.kind === "sequence") at = at.parent;
  return at.role === "condition" || (at.parent?.kind === "binary" && comparing.test(at.parent.name ?? ""));
}

function isReturnOf(program: Program, owner: CodeNode, node: CodeNode, name: string | null): boolean {
  return returnsOf(program, owner).some((one) => {
    const returned = one && plain(one);
    return returned === node || (name !== null && returned?.kind === "name" && returned.name === name);
  });
}

function useOfResult(codebase: Codebase, program: Program, owner: CodeNode, depth: number): OwnNode | null {
  const name = ownName(owner);
  if (name === null) return null;
  for (const other of codebase.own()) {
    if (other.dialect !== program.dialect) continue;
    for (const call of (other.calls.get(name) ?? []).slice(0, callsMax)) {
      const use = uncheckedUse(codebase, other, call, depth - 1);
      if (use && calleesOf(codebase, other, call).some((callee) => callee.node === owner)) return use;
    }
  }
  return null;
}

/**
 * Returns whether a search always finds something: its function asks first, what is sought is an element of what is
 * searched, or its file writes the text that is sought.
 */
export function isFound(program: Program, search: CodeNode): boolean {
  const sought = argumentsOf(search)[0]?.value;
  if (sought === undefined) return false;
  return isElement(program, search, sought) || isAskedFor(program, search, sought) || isWritten(program, sought);
}

/** `for (const one of list) list.indexOf(one)`, `list.map((one) => list.indexOf(one))` */
function isElement(program: Program, search: CodeNode, sought: CodeNode): boolean {
  const searched = receiverOf(search);
  const binding = sought.kind === "name" ? resolve(program, sought.name ?? "", sought) : null;
  if (!searched || !binding) return false;
  const { parent: owner } = binding.node;
  const loop = around(binding.node, "loop", "function");
  const called = owner?.kind === "function" && owner.role === "argument" ? owner.parent : null;
  const list = called ? receiverOf(called) : loop?.kind === "loop" ? part(loop, "over") : null;
  return list !== null && textOf(list, program.source) === textOf(searched, program.source);
}

function isAskedFor({ source, tree }: Program, search: CodeNode, sought: CodeNode): boolean {
  const text = textOf(sought, source);
  const searched = textOf(search, source);
  const on = receiverOf(search);
  const within = on && textOf(on, source);
  const isIt = (one: CodeNode): boolean => textOf(one, source) === text;
  // `/:/.test(line)`
  const isAsked = (one: CodeNode): boolean => isIt(one) || textOf(one, source) === within;
  const isSame = (one: CodeNode): boolean => one.kind === "call" && textOf(one, source) === searched;
  return [...walkOwn(around(search, "function") ?? tree)].some((node) => {
    const { kind, name, children } = node;
    if (kind === "call")
      return asking.test(name ?? "")
        ? children.some((one) => one.role === "argument" && isAsked(one))
        : node !== search && isSame(node) && isChecked(node);
    return kind === "binary" && /^(?:not )?in$/.test(name ?? "") && children.some(isIt);
  });
}

/** Returns whether the file makes texts with a separator: `${user}:${password}`. */
function isWritten({ source, tree }: Program, sought: CodeNode): boolean {
  const text = plain(sought).kind === "string" ? plain(sought).name : null;
  if (text === null) return false;
  return [...walk(tree, nodesMax)].some(
    ({ kind, start, end }) => kind === "template" && source.text.slice(start, end).includes(text),
  );
}
