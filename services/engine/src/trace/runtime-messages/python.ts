import { naiveOrAware } from "../../signals/code/bad-value.ts";
import { argumentsOf, textOf as codeOf, pathOf, plain as unwrapped } from "../code/expressions.ts";
import { part } from "../code/ir.ts";
import { words } from "../dialects/dialect.ts";
import { divisor, operandOf } from "../follow/failed-operand.ts";
import {
  argumentOf,
  badValue,
  elementOf,
  elementUse,
  type FailedUse,
  iterated,
  keyOf,
  named,
  type RuntimeMessage,
  readOf,
  type Site,
  type UsedValue,
} from "../follow/throw-site.ts";
import { anything, nothing, short, type Wanted, zero } from "../follow/wanted.ts";

const none = "NoneType";
const wantedOf = (...types: readonly (string | undefined)[]): Wanted => (types.includes(none) ? nothing : anything);
const textOf = (type: string): string => (type === none ? "None" : type);
const operator = (text: string): RegExp => new RegExp(`^${text.replace(/[^\w]/g, "\\$&")}=?$`);

/**
 * The messages of CPython's exceptions (Objects/ and Python/ of its source), and the expression of the line that each
 * refers to.
 */
export const pythonMessages: readonly RuntimeMessage[] = [
  {
    pattern: /^AttributeError: (?:'(\w+)' object|module '([\w.]+)'|type object '(\w+)') has no attribute '(\w+)'/,
    find: (site, [, type = "", , , name = ""]) =>
      readOf(site, name, type === "" ? "not defined" : textOf(type), wantedOf(type)),
  },
  {
    pattern: /^TypeError: '(\w+)' object (?:is not subscriptable|does not support item (?:assignment|deletion))/,
    find: (site, [, type = ""]) => elementOf(site, textOf(type), wantedOf(type)),
  },
  { pattern: /^KeyError: (?:u(?=['"]))?['"]?(.{1,200}?)['"]?$/, find: (site, [, key = ""]) => keyOf(site, key) },
  { pattern: /^IndexError: /, find: outOfRange },
  {
    pattern: /^ZeroDivisionError: |^(?:decimal\.)?\w+: \[<class 'decimal\.Division(?:ByZero|Undefined)'>/,
    find: (site) => divisor(site, zero) ?? divmodDivisor(site),
  },
  {
    pattern: /^TypeError: can't (subtract|compare) offset-naive and offset-aware datetimes/,
    find: (site, [, done]) => {
      const operator = done === "subtract" ? /^-=?$/ : /^(?:[<>]=?|[!=]=)$/;
      const use = operandOf(site, operator, naiveOrAware, anything);
      return use && { ...use, values: withoutAware(site, use.values) };
    },
  },
  {
    pattern:
      /^(?:ValueError: invalid literal for int|TypeError: int\(\) argument|ValueError: could not convert string to float|TypeError: float\(\) argument)/,
    find: (site, [text]) =>
      argumentOf(site, /^(?:int|float)$/, "no number", text.startsWith("TypeError") ? nothing : anything),
  },
  {
    pattern: /^TypeError: conversion from (\w+) to Decimal is not supported/,
    find: (site, [, type = ""]) => refusedArgument(site, /^Decimal$/, type),
  },
  {
    pattern: /^TypeError: the JSON object must be str, bytes or bytearray, not (\w+)/,
    find: (site, [, type = ""]) => refusedArgument(site, /^loads$/, type),
  },
  {
    pattern: /^TypeError: fromisoformat: argument must be str/,
    find: (site) => argumentOf(site, /^fromisoformat$/, "not a text", anything),
  },
  {
    pattern: /^TypeError: (\w+)\(\) (?:argument 1|argument) must be [^\n]{1,80}, not '?(\w+)/,
    find: (site, [, name = "", type = ""]) => refusedArgument(site, new RegExp(`^${name}$`), type),
  },
  {
    pattern:
      /^TypeError: (?:'(\w+)' object is not iterable|cannot unpack non-iterable (\w+)|argument of type '(\w+)' is not iterable)/,
    find: (site, [, one, two, three]) => {
      const type = one ?? two ?? three ?? "";
      if (three !== undefined) return operandOf(site, /^(?:not )?in$/, textOf(type), wantedOf(type), "right");
      return iterated(site, textOf(type), wantedOf(type)) ?? anyArgument(site, textOf(type), wantedOf(type));
    },
  },
  {
    pattern: /^ValueError: (?:not enough|too many) values to unpack/,
    find: (site) => iterated(site, "another length", anything),
  },
  {
    pattern: /^TypeError: '(\w+)' object is not callable/,
    find: (site, [, type = ""]) => called(site, textOf(type), wantedOf(type)),
  },
  {
    pattern:
      /^TypeError: unsupported operand type\(s\) for (\S{1,3}?)(?:=| or pow\(\))?: '([\w.]+)' and '([\w.]+)'|^TypeError: '(\S{1,2})' not supported between instances of '([\w.]+)' and '([\w.]+)'/,
    find: (site, [, one, a, b, two, c, d]) => unsupported(site, one ?? two ?? "", a ?? c ?? "", b ?? d ?? ""),
  },
  {
    pattern: /^TypeError: can only concatenate \w+ \(not "(\w+)"\) to/,
    find: (site, [, type = ""]) => operandOf(site, /^\+=?$/, textOf(type), wantedOf(type), "right"),
  },
  {
    pattern: /^TypeError: object of type '(\w+)' has no len\(\)/,
    find: (site, [, type = ""]) => argumentOf(site, /^len$/, textOf(type), wantedOf(type)),
  },
  {
    pattern: /^(?:NameError: name|UnboundLocalError: (?:cannot access )?local variable) '(\w+)'/,
    find: (site, [, name = ""]) => named(site, name, "not defined", "read", anything),
  },
];

const numeric = words("int float complex bool Decimal Fraction");
/** Types that no arithmetic or order with a number is defined for. */
const plain = words(
  "NoneType str bytes bytearray list tuple dict range function method builtin_function_or_method type module generator coroutine",
);
/** Types with operators among themselves: beside one of these, a number is of the wrong type. */
const ownOperators: readonly (readonly [types: ReadonlySet<string>, operators: ReadonlySet<string>])[] = [
  [words("datetime date timedelta Timestamp Timedelta"), words("+ -")],
  [words("set frozenset dict_keys"), words("- & | ^")],
];

/** Finds the operand of the wrong type, or both where the types don't say which. */
function unsupported(site: Site, name: string, left: string, right: string): FailedUse | null {
  const side = oddSide(name, left, right);
  const types = side === null ? [left, right] : [side === "left" ? left : right];
  const found = operandOf(site, operator(name), types.map(textOf).join(" or "), wantedOf(...types), side);
  return found && side === null ? withOperands(site, operator(name), found) : found;
}

/** Returns the side that is of the wrong type beside a number: the other one, unless the operator is its own. */
function oddSide(operator: string, ...printed: readonly [left: string, right: string]): "left" | "right" | null {
  // Types of modules written in C are printed with their module.
  const [left = "", right = ""] = printed.map((type) => type.slice(type.lastIndexOf(".") + 1));
  if (numeric.has(left) === numeric.has(right)) return null;
  const [number, other, type] = numeric.has(left)
    ? (["left", "right", right] as const)
    : (["right", "left", left] as const);
  if (plain.has(type)) return other;
  return ownOperators.some(([types, operators]) => types.has(type) && operators.has(operator)) ? number : null;
}

/** Adds the operands, in the order of their types in the message, where only one operator on the line is meant. */
function withOperands({ program, nodes }: Site, operator: RegExp, { said, values }: FailedUse): FailedUse {
  const [node, ...others] = nodes.filter(({ kind, name }) => kind === "binary" && operator.test(name ?? ""));
  const [left, right] = node && others.length === 0 ? [part(node, "left"), part(node, "right")] : [];
  if (said.kind !== "bad-value" || !left || !right) return { said, values };
  const operands = [codeOf(unwrapped(left), program.source), codeOf(unwrapped(right), program.source)] as const;
  return { said: { ...said, args: { ...said.args, operands } }, values };
}

function outOfRange(site: Site): FailedUse | null {
  const node = site.nodes.find(({ kind }) => kind === "index");
  const [on, key] = node ? [part(node, "on"), part(node, "key")] : [null, null];
  if (!on || !key) return argumentOf(site, /^pop$/, "empty", anything);
  const values = [
    { node: on, wanted: short },
    { node: key, wanted: anything },
  ];
  return badValue(site, on, "too short", elementUse(node), null, values);
}

/** A date with a time and its offset, as Python prints it, or the class of its time zone. */
const aware = /\d:\d\d(?:\.\d+)?(?:[+-]\d\d:\d\d| [^ ]+)>?$/;

/** Leaves out what had a time zone, where the client sent its value: what lacks one is followed. */
function withoutAware({ located }: Site, values: readonly UsedValue[]): readonly UsedValue[] {
  const naive = values.filter(({ node }) => {
    let value: unknown = located.frame.variables;
    for (const name of pathOf(node) ?? [])
      value = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
    return typeof value !== "string" || !aware.test(value);
  });
  return naive.length > 0 ? naive : values;
}

function called(site: Site, was: string, wanted: Wanted): FailedUse | null {
  const call = site.nodes.find(({ kind }) => kind === "call");
  const callee = call && part(call, "callee");
  return callee ? badValue(site, callee, was, "call", null, [{ node: callee, wanted }]) : null;
}

function anyArgument(site: Site, was: string, wanted: Wanted): FailedUse | null {
  const value = site.nodes.find(({ kind, role }) => role === "value" && kind !== "string");
  return (
    argumentOf(
      site,
      /^(?:sorted|list|set|tuple|dict|sum|max|min|join|enumerate|zip|map|filter|any|all|extend|update|iter)$/,
      was,
      wanted,
    ) ?? (value ? badValue(site, value, was, "iterate", null, [{ node: value, wanted }]) : null)
  );
}

/** Finds the argument of a function that doesn't take values of its type. */
function refusedArgument(site: Site, names: RegExp, type: string): FailedUse | null {
  return argumentOf(site, names, textOf(type), wantedOf(type));
}

function divmodDivisor(site: Site): FailedUse | null {
  const call = site.nodes.find(({ kind, name }) => kind === "call" && name === "divmod");
  const by = call && argumentsOf(call)[1]?.value;
  return by ? badValue(site, by, "0", "divide", null, [{ node: by, wanted: zero }]) : null;
}
