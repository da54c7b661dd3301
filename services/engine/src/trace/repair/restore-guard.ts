import type { RemedyOf } from "../../signals/code/remedy.ts";
import { newlineOf } from "../../source/newline-of.ts";
import { argumentsOf, isLiteral, isNothing, isSame, plain, rootOf } from "../code/expressions.ts";
import { classAround } from "../code/functions.ts";
import { type CodeNode, nodesBetween, part, walk } from "../code/ir.ts";
import type { Program, Write } from "../code/program.ts";
import { resolve, writesReaching } from "../code/scopes.ts";
import { insert, type Repairing } from "./repair.ts";

const nodesMax = 2_000;
/** A longer check does more than reject a value. */
const guardUnitsMax = 300;

/** A value that is taken into a variable, and the check that follows. */
interface Taken {
  readonly program: Program;
  readonly write: Write;
  /** The statement that takes it, among those of its block. */
  readonly statement: CodeNode;
  /** Leaves the function when the value is missing; null without such a check. */
  readonly guard: CodeNode | null;
}

/**
 * Adds a missing check of a value: the one that most neighboring functions make after the same lookup, call, or field
 * access, leaving the function as they do. Without such neighbors the code doesn't show how to reject a value.
 */
export const restoreGuard: Repairing<RemedyOf<"guard">> = ({ name }, { program, signal: { subject } }) => {
  const taken = takenAt(program, subject.line, name);
  if (!taken || isTested(taken)) return null;
  const others = program.nameWrites.flatMap((write) => {
    const other = write === taken.write ? null : takenBy(program, write);
    return other && isAlike(taken, other) ? [other] : [];
  });
  const guarded = others.filter(({ guard }) => guard !== null);
  if (guarded.length <= others.length - guarded.length) return null;
  for (const other of guarded) {
    const text = guardFor(taken, other);
    const at = text === null ? null : lineEndOf(taken);
    if (text !== null && at !== null)
      return { by: "guard", edits: [insert(program.source, at, `${newlineOf(program.source)}${text}`)], subject: name };
  }
  return null;
};

/** Returns where a variable that a line sets or reads is set; null where that may be several places. */
function takenAt(program: Program, line: number, name: string): Taken | null {
  const { start, end } = program.source.lines(line, line);
  const set = program.nameWrites.filter((one) => one.name === name && one.node.start >= start && one.node.start <= end);
  const use = nodesBetween(program.tree, start, end, nodesMax).find(
    (node) => node.kind === "name" && node.name === name && node.start >= start && node.end <= end,
  );
  const binding = use ? resolve(program, name, use) : null;
  const reaching = set.length > 0 || !use || binding?.kind !== "variable" ? set : writesReaching(binding, use);
  const [write, another] = reaching;
  return write && !another ? takenBy(program, write) : null;
}

function takenBy(program: Program, write: Write): Taken | null {
  const { node, value } = write;
  const { owner } = node;
  if (!owner || !value || (node.kind !== "declare" && node.kind !== "assign")) return null;
  let statement = node;
  while (statement.parent && statement.parent.kind !== "block") statement = statement.parent;
  const block = statement.parent;
  if (!block || block.owner !== owner) return null;
  const next = block.children[block.children.indexOf(statement) + 1];
  return { program, write, statement, guard: next && rejects(next, write.name) ? next : null };
}

/** Returns whether a statement does nothing but reject a variable that has no value. */
function rejects(statement: CodeNode, name: string): boolean {
  const condition = part(statement, "condition");
  const then = part(statement, "then");
  if (statement.kind !== "if" || !condition || !then || part(statement, "otherwise")) return false;
  const [only, another] = then.kind === "block" ? then.children : [then];
  return only !== undefined && !another && isRejection(only) && isMissingWhen(condition, name);
}

/**
 * Returns whether a statement throws, or returns more than a fixed value: `0` or `false` would make a wrong result silent
 * in a function that means something else by it. What it waits for may not be waited for here.
 */
function isRejection(statement: CodeNode): boolean {
  if ([...walk(statement)].some(({ kind }) => kind === "await")) return false;
  const value = part(statement, "value");
  return (
    statement.kind === "throw" ||
    (statement.kind === "return" && value !== null && !isLiteral(plain(value)) && !isNothing(plain(value)))
  );
}

/** Returns whether a condition says that a variable has no value: `!x`, `not x`, `x === undefined`, `x is None`. */
function isMissingWhen(condition: CodeNode, name: string): boolean {
  const test = plain(condition);
  const isIt = (node: CodeNode | null): boolean => node?.kind === "name" && node.name === name;
  if (test.kind === "unary") return /^(?:!|not)$/.test(test.name ?? "") && isIt(part(test, "operand"));
  const right = part(test, "right");
  const isEqual = test.kind === "binary" && /^(?:===?|is)$/.test(test.name ?? "");
  return isEqual && right !== null && isNothing(right) && isIt(part(test, "left"));
}

/** Returns whether the function looks at whether a variable has a value after all. */
function isTested({ write: { node, name } }: Taken): boolean {
  for (const one of node.owner ? walk(node.owner) : []) {
    const condition = part(one, "condition");
    const tested = condition ? plain(condition) : null;
    if (!tested) continue;
    if (isMissingWhen(tested, name) || (tested.kind === "name" && tested.name === name)) return true;
  }
  return false;
}

/** Returns whether two functions side by side take the same: the same lookup or call, or the same field. */
function isAlike(one: Taken, other: Taken): boolean {
  const [left, right] = [one.write.node, other.write.node];
  const areBeside = left.owner?.owner === right.owner?.owner && classAround(left) === classAround(right);
  return areBeside && formOf(one) === formOf(other);
}

/** Returns what is taken, without what differs from call to call: `orders.get(_)`, `find("guests", _)`, `body.plate`. */
function formOf({ program: { source }, write: { value, path } }: Taken): string {
  const at = value && plain(value);
  if (!at) return "";
  let text = source.text.slice(at.start, at.end);
  const given = at.kind === "call" ? argumentsOf(at).map((argument) => argument.value) : [];
  for (const one of given.toReversed())
    if (!isLiteral(one)) text = `${text.slice(0, one.start - at.start)}_${text.slice(one.end - at.start)}`;
  return [text.replace(/\s+/g, " "), ...path].join(" . ");
}

/** Returns a neighbor's check in the names of this function; null where it needs what isn't there. */
function guardFor(taken: Taken, { program, write: other, statement, guard }: Taken): string | null {
  const { source } = program;
  if (!guard || guard.end - guard.start > guardUnitsMax) return null;
  const pairs = argumentPairs(taken.write, other);
  let text = "";
  let position = guard.start;
  let skippedTo = guard.start;
  for (const node of walk(guard)) {
    if (node.start < skippedTo || (node.kind !== "name" && node.kind !== "member" && node.kind !== "index")) continue;
    const own = ownTextOf(node, taken, other, pairs);
    if (own === null) return null;
    if (own === undefined) continue;
    text += source.text.slice(position, node.start) + own;
    position = node.end;
    skippedTo = node.end;
  }
  text += source.text.slice(position, guard.end);
  const [from, to] = [indentOf(program, statement), indentOf(program, taken.statement)];
  if (from === null || to === null) return null;
  const [first = "", ...rest] = text.split(/\r?\n/);
  const lines = rest.map((line) => (line.startsWith(from) ? to + line.slice(from.length) : line));
  return [to + first, ...lines].join(newlineOf(source));
}

/** Returns the text of a name or member at the other place; undefined if it is the same, null if it isn't known. */
function ownTextOf(
  node: CodeNode,
  { program, write }: Taken,
  other: Write,
  pairs: readonly (readonly [CodeNode, CodeNode])[],
): string | null | undefined {
  const { source } = program;
  const [, given] = pairs.find(([theirs]) => isSame(theirs, node)) ?? [];
  if (given) return source.text.slice(given.start, given.end);
  if (node.kind !== "name" || node.name === null) return undefined;
  if (node.name === other.name) return write.name;
  const [theirs, ours] = [resolve(program, node.name, node), resolve(program, node.name, write.node)];
  if (theirs === ours) return undefined;
  // A variable of the function is another one here: only a parameter of the same name is its counterpart.
  return theirs?.kind === "parameter" && ours?.kind === "parameter" ? undefined : null;
}

/** Returns the arguments of two calls that are names or members, each with its counterpart. */
function argumentPairs(own: Write, other: Write): (readonly [CodeNode, CodeNode])[] {
  const [ours, theirs] = [own, other].map(({ value }) => (value ? argumentsOf(plain(value)) : []));
  const isPath = ({ kind }: CodeNode): boolean => kind === "name" || kind === "member";
  return (theirs ?? []).flatMap(({ value }, index) => {
    const counterpart = ours?.[index]?.value;
    return counterpart && isPath(value) && isPath(counterpart) && rootOf(value).kind === "name"
      ? [[value, counterpart] as const]
      : [];
  });
}

/** Returns the spaces before a statement; null where something else is on its line. */
function indentOf({ source }: Program, { start }: CodeNode): string | null {
  const before = source.text.slice(source.text.lastIndexOf("\n", start - 1) + 1, start);
  return before.trim() === "" ? before : null;
}

/** Returns where the line of a statement ends; null where another statement follows on it. */
function lineEndOf({ program: { source }, statement }: Taken): number | null {
  const rest = /^[ \t]*;?[ \t]*(?=\r?\n)/.exec(source.text.slice(statement.end));
  return rest && statement.end + rest[0].length;
}
