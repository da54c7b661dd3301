import { inlineCode } from "../../../prose.ts";
import { part } from "../tree/code-node.ts";
import { lastName, receiverOf } from "../tree/expressions.ts";
import {
  argumentOf,
  divisor,
  elementOf,
  type Failing,
  keyOf,
  keyRead,
  missing,
  named,
  operandOf,
  readOf,
  type Site,
  type Suspicion,
} from "../tree/throw-site.ts";

/** What CPython says when it raises, and which expression of the line it means (Objects/ and Python/ of its source). */
export const pythonFailures: readonly Failing[] = [
  {
    pattern: /^AttributeError: '(\w+)' object has no attribute '(\w+)'/,
    find: (site, [, type = "", name = ""]) =>
      readOf(site, name, type === "NoneType" ? "nothing" : "any", typeText(type)),
  },
  {
    pattern: /^TypeError: '(\w+)' object (?:is not subscriptable|does not support item assignment)/,
    find: (site, [, type = ""]) => elementOf(site, type === "NoneType" ? "nothing" : "any", typeText(type)),
  },
  {
    pattern: /^KeyError: ['"]?(.{1,200}?)['"]?$/,
    find: (site, [, key = ""]) => keyOf(site, key) ?? anyKeyRead(site, key),
  },
  { pattern: /^IndexError: /, find: (site) => outOfRange(site) },
  { pattern: /^ZeroDivisionError: /, find: divisor },
  {
    pattern:
      /^(?:ValueError: invalid literal for int|TypeError: int\(\) argument|ValueError: could not convert string to float|TypeError: float\(\) argument)/,
    find: (site, [text]) =>
      argumentOf(site, ["int", "float"], text.startsWith("TypeError") ? "nothing" : "any", "no number"),
  },
  {
    pattern:
      /^TypeError: 'NoneType' object is not (?:iterable|callable)|^TypeError: cannot unpack non-iterable NoneType/,
    find: (site) => iterated(site) ?? called(site),
  },
  {
    pattern: /^TypeError: unsupported operand type\(s\) for (\S{1,3}?)=?: '(\w+)' and '(\w+)'/,
    find: (site, [, operator = "", left, right]) =>
      operandOf(
        site,
        operator,
        left === "NoneType" || right === "NoneType" ? "nothing" : "any",
        left === "NoneType" || right === "NoneType" ? "None" : `${left} or ${right}`,
      ),
  },
  {
    pattern: /^TypeError: '(\S{1,2})' not supported between instances of '(\w+)' and '(\w+)'/,
    find: (site, [, operator = "", left, right]) =>
      operandOf(site, operator, left === "NoneType" || right === "NoneType" ? "nothing" : "any", `${left} or ${right}`),
  },
  {
    pattern: /^TypeError: can only concatenate str \(not "(\w+)"\) to str/,
    find: (site, [, type = ""]) => operandOf(site, "+", type === "NoneType" ? "nothing" : "any", type),
  },
  {
    pattern: /^TypeError: object of type '(\w+)' has no len\(\)/,
    find: (site, [, type = ""]) => argumentOf(site, ["len"], type === "NoneType" ? "nothing" : "any", typeText(type)),
  },
  {
    pattern: /^(?:NameError: name|UnboundLocalError: (?:cannot access )?local variable) '(\w+)'/,
    find: (site, [, name = ""]) => named(site, name, "any", "has no value on the way that was taken to here"),
  },
];

/** `None` for the type of it. */
function typeText(type: string): string {
  return type === "NoneType" ? "None" : type;
}

/** A key that the line does not spell. */
function anyKeyRead(site: Site, key: string): Suspicion | null {
  const reads = site.nodes.flatMap((node) => keyRead(site.program, node) ?? []);
  const [first] = reads;
  if (!first) return null;
  return {
    kind: "nullish-operand",
    says: `the key ${inlineCode(key)} was missing`,
    subjects: [{ node: first.on, wanted: "nothing", path: [key] }],
  };
}

function outOfRange(site: Site): Suspicion | null {
  const node = site.nodes.find(({ kind }) => kind === "index");
  const [on, key] = node ? [part(node, "on"), part(node, "key")] : [null, null];
  if (!on || !key) return null;
  return {
    ...missing(site, on, "any", "has fewer elements than are read"),
    subjects: [
      { node: on, wanted: "any" },
      { node: key, wanted: "any" },
    ],
  };
}

function iterated(site: Site): Suspicion | null {
  const loop = site.nodes.find(({ kind }) => kind === "loop");
  const over = loop && part(loop, "over");
  if (over) return missing(site, over, "nothing", "was `None` when it was gone through");
  const assign = site.nodes.find(({ kind }) => kind === "assign");
  const value = assign && part(assign, "value");
  return value ? missing(site, value, "nothing", "was `None` when it was taken apart") : null;
}

function called(site: Site): Suspicion | null {
  const call = site.nodes.find(({ kind }) => kind === "call");
  const callee = call && part(call, "callee");
  if (!callee || (receiverOf(callee) === null && lastName(callee, site.program.source) === null)) return null;
  return missing(site, callee, "nothing", "was `None` when it was called");
}
