import { argumentsOf, receiverOf } from "../code/expressions.ts";
import { part } from "../code/ir.ts";
import {
  anyReceiver,
  argumentOf,
  badValue,
  divisor,
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
  { pattern: /IndexOutOfBoundsException/, find: (site) => outOfRange(site, "too short") },
  { pattern: /ArithmeticException: .*zero/, find: (site) => divisor(site, zero) },
  {
    pattern: /NumberFormatException: (Cannot parse null|null)?/,
    find: (site, [, none]) =>
      argumentOf(site, /^(?:parse\w+|valueOf|decode)$/, none ? "null" : "no number", none ? nothing : anything),
  },
  { pattern: /NoSuchElementException: No value present/, find: emptyOptional },
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

function outOfRange(site: Site, was: string): FailedUse | null {
  const node = site.nodes.find(({ kind }) => kind === "index");
  if (!node) return argumentOf(site, /^(?:get|charAt|substring|remove|set|subList)$/, "out of bounds", anything);
  const [on, key] = [part(node, "on"), part(node, "key")];
  const values = [...(key ? [{ node: key, wanted: anything }] : []), ...(on ? [{ node: on, wanted: short }] : [])];
  return on ? badValue(site, on, was, elementUse(node), null, values) : null;
}

function emptyOptional(site: Site): FailedUse | null {
  const call = site.nodes.find((one) => one.kind === "call" && /^(?:get|orElseThrow|getAs\w+)$/.test(one.name ?? ""));
  const on = call && receiverOf(call);
  return on ? badValue(site, on, "empty", "call", call.name, [{ node: on, wanted: nothing }]) : null;
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
