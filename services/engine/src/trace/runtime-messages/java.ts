import { outOfBounds } from "../../signals/code/bad-value.ts";
import { argumentsOf, isLiteral, receiverOf, textOf } from "../code/expressions.ts";
import { part } from "../code/ir.ts";
import { divisor } from "../follow/failed-operand.ts";
import {
  anyReceiver,
  argumentOf,
  badValue,
  elementUse,
  type FailedUse,
  named,
  type RuntimeMessage,
  type Site,
} from "../follow/throw-site.ts";
import { anything, nothing, short, zero } from "../follow/wanted.ts";
import { callAtFrame } from "../frames/stack-calls.ts";

/**
 * The messages of the JVM's and its library's exceptions, and the expression of the line that each refers to. Since
 * Java 14 a NullPointerException says what was null (JEP 358).
 */
export const javaMessages: readonly RuntimeMessage[] = [
  {
    pattern:
      /NullPointerException: Cannot .{1,300}? because (?:"([^"]{1,200})"|the return value of "([^"]{1,300})") is null/,
    find: (site, [, expression, method]) =>
      method === undefined ? nullNamed(site, expression ?? "") : nullReturned(site, method),
  },
  {
    pattern: /NullPointerException: Cannot invoke "([^"]{1,300})"/,
    find: (site, [, method = ""]) => nullInvoked(site, method),
  },
  { pattern: /NullPointerException/, find: (site) => anyReceiver(site, "null") },
  { pattern: /ClassCastException: class (\S+) cannot be cast/, find: (site, [, is = ""]) => cast(site, is) },
  { pattern: /IndexOutOfBoundsException: Index -/, find: (site) => outOfRange(site, "negative index") },
  {
    pattern: /IndexOutOfBoundsException: begin (-?\d+), end (-?\d+), length (\d+)/,
    find: (site, [, ...printed]) => outsideText(site, printed.map(Number)),
  },
  { pattern: /IndexOutOfBoundsException: toIndex = /, find: (site) => boundOf(site, 1) },
  { pattern: /IndexOutOfBoundsException/, find: (site) => outOfRange(site, "too short") },
  { pattern: /ArithmeticException: .*zero/, find: (site) => divisor(site, zero) },
  {
    pattern: /NumberFormatException: (Cannot parse null|null)?/,
    find: (site, [, none]) =>
      argumentOf(site, /^(?:parse\w+|valueOf|decode)$/, none ? "null" : "no number", none ? nothing : anything),
  },
  { pattern: /NoSuchElementException: No value present/, find: emptyOptional },
  { pattern: /NegativeArraySizeException/, find: negativeSize },
  { pattern: /UnsupportedOperationException/, find: unchangeable },
];

/** Finds `name`, `this.name`, `Type.name`, `list[0]`; `<local4>` where the class was compiled without names. */
function nullNamed(site: Site, expression: string): FailedUse | null {
  const element = /^(.+)\[/.exec(expression)?.[1];
  return named(site, element ?? expression, "null", "read", nothing) ?? anyReceiver(site, "null");
}

/** Finds the call of `shop.Repository.find(String)` on the line by its name. */
function nullReturned(site: Site, method: string): FailedUse | null {
  const call = callOf(site, method);
  return call ? badValue(site, call, "null", "read", null, [{ node: call, wanted: nothing }]) : null;
}

function nullInvoked(site: Site, method: string): FailedUse | null {
  const call = callOf(site, method);
  const on = call && receiverOf(call);
  return on ? badValue(site, on, "null", "call", call.name, [{ node: on, wanted: nothing }]) : null;
}

function callOf(site: Site, method: string) {
  const name = /([\w$]+)\([^)]*\)$/.exec(method)?.[1];
  return site.nodes.find((node) => node.kind === "call" && node.name === name);
}

function cast(site: Site, is: string): FailedUse | null {
  const node = site.nodes.find(({ kind, name }) => kind === "sequence" && name === "cast");
  const value = node ? part(node, "value") : (site.nodes.find(({ kind }) => kind === "call") ?? null);
  return value
    ? badValue(site, value, is.split(".").at(-1) ?? is, "operand", null, [{ node: value, wanted: anything }])
    : null;
}

/** Methods that take an index, or the two bounds of a range. */
const indexed = /^(?:get|charAt|substring|remove|set|subList)$/;

/** Finds the bound of a part of a text that isn't within it: of one with a single bound, the runtime prints both. */
function outsideText(site: Site, [begin = 0, end = 0, length = 0]: readonly number[]): FailedUse | null {
  if (begin < 0 || begin > length) return boundOf(site, 0);
  if (end < 0 || end > length) return boundOf(site, 1);
  const call = site.nodes.find((one) => one.kind === "call" && indexed.test(one.name ?? ""));
  const on = call && receiverOf(call);
  const values = call ? argumentsOf(call).map(({ value }) => ({ node: value, wanted: anything })) : [];
  return on ? badValue(site, on, "reversed bounds", "element", null, values) : null;
}

/** Finds a bound of a range: either it or the length of what it is in is wrong. */
function boundOf(site: Site, position: number): FailedUse | null {
  const call = site.nodes.find((one) => one.kind === "call" && indexed.test(one.name ?? ""));
  const [bound, on] = call ? [argumentsOf(call)[position]?.value, receiverOf(call)] : [null, null];
  const values = [...(bound ? [{ node: bound, wanted: anything }] : []), ...(on ? [{ node: on, wanted: short }] : [])];
  return call && bound ? badValue(site, bound, outOfBounds, "argument", call.name, values) : null;
}

function outOfRange(site: Site, was: string): FailedUse | null {
  const node = site.nodes.find(({ kind }) => kind === "index");
  if (!node) return shorterThanWritten(site) ?? argumentOf(site, indexed, outOfBounds, anything);
  const [on, key] = [part(node, "on"), part(node, "key")];
  const values = [...(key ? [{ node: key, wanted: anything }] : []), ...(on ? [{ node: on, wanted: short }] : [])];
  return on ? badValue(site, on, was, elementUse(node), null, values) : null;
}

/** Finds the list that has no element at an index that is written there. */
function shorterThanWritten(site: Site): FailedUse | null {
  const call = site.nodes.find((one) => one.kind === "call" && /^(?:get|charAt|remove|set)$/.test(one.name ?? ""));
  const [index, on] = call ? [argumentsOf(call)[0]?.value, receiverOf(call)] : [null, null];
  if (index?.kind !== "number" || !on) return null;
  return badValue(site, on, "too short", call?.name === "set" ? "write" : "element", null, [
    { node: on, wanted: short },
  ]);
}

function emptyOptional(site: Site): FailedUse | null {
  const call = site.nodes.find((one) => one.kind === "call" && /^(?:get|orElseThrow|getAs\w+)$/.test(one.name ?? ""));
  const on = call && receiverOf(call);
  return on ? badValue(site, on, "empty", "call", call.name, [{ node: on, wanted: nothing }]) : null;
}

/** Finds `new int[size]`: of several sizes, the first that isn't written as a number. */
function negativeSize(site: Site): FailedUse | null {
  const sizes = site.nodes.filter(({ kind, name }) => kind === "sequence" && name === "size");
  const size = sizes.flatMap((one) => part(one, "value") ?? []).find((one) => !isLiteral(one));
  const made = size?.parent?.parent;
  if (!size || !made) return null;
  const args = { expression: textOf(made, site.program.source) };
  return { said: { kind: "throw-site", args }, values: [{ node: size, wanted: anything }] };
}

/** The collections of the JDK that refuse changes, as its frames name them. */
const fixedCollections =
  /\b(?:ImmutableCollections|Collections\$Unmodifiable|Arrays\$ArrayList|Abstract(?:List|Collection|Map|Set))\b/;

/** Finds the collection that couldn't be changed: what the method was called on, whatever it was passed. */
function unchangeable(site: Site): FailedUse | null {
  const { frames } = site.error;
  if (!frames.slice(0, 3).some(({ function: name }) => fixedCollections.test(name ?? ""))) return null;
  const [, helper] = /\bCollections\.(\w+)$/.exec(frames[site.located.index - 1]?.function ?? "") ?? [];
  const helped = site.nodes.find((one) => one.kind === "call" && one.name !== null && one.name === helper);
  const given = helped && argumentsOf(helped)[0]?.value;
  // `Collections.sort(rows)` changes what it is passed.
  if (given) return badValue(site, given, "unmodifiable", "argument", helped.name, [{ node: given, wanted: anything }]);
  const call = callAtFrame(site.codebase, site.located, null)?.call;
  const on = call && receiverOf(call);
  return on ? badValue(site, on, "unmodifiable", "call", call.name, [{ node: on, wanted: anything }]) : null;
}
