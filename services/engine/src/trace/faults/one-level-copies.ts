import { argumentsOf, keyText, plain, receiverOf } from "../code/expressions.ts";
import type { CodeNode } from "../code/ir.ts";
import { part } from "../code/ir.ts";
import { unfrozen } from "./shared-values.ts";

/** A copy of an object or list whose nested objects and lists are still those of the original. */
export interface OneLevelCopy {
  readonly node: CodeNode;
  /** The keys that are set to something else there: `{ ...base, headers: {} }`. */
  readonly replaced: ReadonlySet<string>;
}

/** Calls that copy their argument, those that copy their receiver, and those that copy into their first argument. */
const ofArgument: ReadonlySet<string> = new Set(["dict", "list", "copy", "clone", "from"]);
const ofReceiver: ReadonlySet<string> = new Set(["copy", "slice", "concat"]);
const intoFirst: ReadonlySet<string> = new Set(["assign", "defaults", "extend"]);
const none: ReadonlySet<string> = new Set();

/** Returns the copy that an expression is a part of, if it copies one level of a value; null otherwise. */
export function oneLevelCopy(value: CodeNode): OneLevelCopy | null {
  const { parent, role } = value;
  if (parent?.kind === "spread") return copyBySpread(parent);
  if (parent?.kind === "call" && role === "argument") {
    const given = argumentsOf(parent);
    const position = given.findIndex((one) => one.value === value);
    const isInto = intoFirst.has(parent.name ?? "") && position > 0 && isNew(given[0]?.value);
    const isWhole = ofArgument.has(parent.name ?? "") && given.length === 1;
    return isInto || isWhole ? { node: parent, replaced: none } : null;
  }
  const call = parent?.kind === "member" && parent.role === "callee" ? parent.parent : null;
  const isCopied = call?.kind === "call" && receiverOf(call) === value && ofReceiver.has(call.name ?? "");
  return isCopied ? { node: call, replaced: none } : null;
}

function copyBySpread(spread: CodeNode): OneLevelCopy | null {
  const { parent: into } = spread;
  if (into?.kind !== "object" && into?.kind !== "list") return null;
  const later = into.children.filter(({ start }) => start > spread.start);
  return { node: into, replaced: new Set(later.flatMap(({ name }) => name ?? [])) };
}

function isNew(node: CodeNode | undefined): boolean {
  return node !== undefined && (plain(node).kind === "object" || plain(node).kind === "list");
}

/** Returns the key under which a member of an object is read; null for one that is computed. */
export function keyRead(member: CodeNode): string | null {
  if (member.kind === "member") return member.name;
  const key = part(member, "key");
  return key && keyText(key);
}

/** Returns whether a literal has an object or a list under a key, or under any key. */
export function hasNested(literal: CodeNode, key: string | null, isCollection: (node: CodeNode) => boolean): boolean {
  return unfrozen(literal).children.some((one) => {
    const value = one.kind === "entry" ? part(one, "value") : one;
    const isKey = key === null || one.kind !== "entry" || one.name === key || one.name === null;
    return value !== null && isKey && isCollection(value);
  });
}
