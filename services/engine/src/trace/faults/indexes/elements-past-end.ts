import { keyText, plain, receiverOf, textOf } from "../../code/expressions.ts";
import { around, type CodeNode, part, walkOwn } from "../../code/ir.ts";
import type { Program } from "../../code/program.ts";
import { resolve } from "../../code/scopes.ts";
import { indexedBy } from "./index-uses.ts";

const lengths = /^(?:length|size|count|len|Count|Length)$/;

/** Returns the element that `index <= length` lets code read one past the end; null where the condition doesn't. */
export function elementPastEnd(program: Program, condition: CodeNode): CodeNode | null {
  const [left, right] = [part(condition, "left"), part(condition, "right")];
  if (condition.kind !== "binary" || condition.name !== "<=" || left?.kind !== "name" || !right) return null;
  const measured = lengthOf(program, right);
  const loop = condition.role === "condition" && condition.parent?.kind === "loop" ? condition.parent : null;
  // What is as long as the last index says shows only in the error.
  const isFromZero = loop !== null && program.dialect.outOfRange !== "nothing" && startsAtZero(program, left);
  if (measured === null && !isFromZero) return null;
  const scope = loop ?? around(condition, "function") ?? program.tree;
  const end = textOf(right, program.source);
  if ([...walkOwn(scope)].some((one) => one !== condition && isComparedWith(program, one, left.name, end))) return null;
  for (const one of walkOwn(scope)) {
    if (one.kind !== "name" || one.name !== left.name || one.start < condition.end) continue;
    const element = indexedBy(program, one);
    const of = element && receiverOf(element);
    if (of && (measured === null || textOf(of, program.source) === measured)) return element;
    // What is called may read the element.
    if (isFromZero && one.role === "argument" && one.parent?.kind === "call") return one.parent;
  }
  return null;
}

/** Returns whether the position after the last element is treated on its own: `at === list.length ? last : list[at]`. */
function isComparedWith({ source }: Program, { kind, children }: CodeNode, name: string | null, end: string): boolean {
  if (kind !== "binary" || !children.some((one) => one.kind === "name" && one.name === name)) return false;
  return children.some((one) => textOf(one, source) === end);
}

/** Returns whether an expression is the length of something. */
export function isLength(node: CodeNode): boolean {
  return lengths.test(plain(node).name ?? "");
}

/** Returns the text of what an expression is the length of; null when it isn't known to be one. */
function lengthOf(program: Program, expression: CodeNode): string | null {
  const node = setOnce(program, plain(expression));
  if (!isLength(node)) return null;
  const of = receiverOf(node) ?? (node.kind === "call" ? part(node, "argument") : null);
  return of && textOf(of, program.source);
}

/** Returns what a variable that is set once was set to; another expression itself. */
export function setOnce(program: Program, node: CodeNode): CodeNode {
  const binding = node.kind === "name" ? resolve(program, node.name ?? "", node) : null;
  const [only, ...others] = binding?.kind === "variable" ? binding.writes : [];
  return only?.value && only.path.length === 0 && others.length === 0 ? plain(only.value) : node;
}

function startsAtZero(program: Program, { name, parent }: CodeNode): boolean {
  const binding = parent && name !== null ? resolve(program, name, parent) : null;
  return binding?.writes.some(({ value }) => value !== null && keyText(value) === "0") ?? false;
}
