import { receiverOf } from "../code/expressions.ts";
import { part } from "../code/ir.ts";
import { divisor, operandOf } from "../follow/failed-operand.ts";
import {
  argumentOf,
  badValue,
  elementOf,
  type FailedUse,
  keyOf,
  named,
  type RuntimeMessage,
  readOf,
  type Site,
} from "../follow/throw-site.ts";
import { anything, nothing, type Wanted, zero } from "../follow/wanted.ts";

const wantedOf = (type: string | undefined): Wanted => (type?.startsWith("nil") ? nothing : anything);
const operators = /^(?:[+\-*/%<>]|<<|>>|\*\*|==|<=|>=|=~)$/;
const arithmetic = /^(?:[+\-*/%<>]|<=|>=)=?$/;

/**
 * The messages of Ruby's exceptions, before 3.4 and since (error.c and eval_error.c of its source), and the expression
 * of the line that each refers to.
 */
export const rubyMessages: readonly RuntimeMessage[] = [
  {
    pattern:
      /^NoMethodError: (?:private method|undefined method) [`'](.{1,80}?)' (?:called )?for (?:an instance of )?(nil|(?:[^\n]{1,2000}[^:\n]:)?(?<type>[A-Z][\w:]*)(?=\n|$)|\S+)/,
    find: (site, { 1: name = "", 2: on = "", groups }) =>
      unknownMethod(site, name, on.startsWith("nil") ? "nil" : (groups?.type ?? on)),
  },
  {
    pattern: /^KeyError: key not found: (?:"(.{1,200}?)"|:?([^\n]{1,200}))/,
    find: (site, [, text, symbol]) => keyOf(site, text ?? symbol ?? ""),
  },
  { pattern: /^ZeroDivisionError: /, find: (site) => divisor(site, zero) },
  { pattern: /^FrozenError: can't modify frozen (\w+)/, find: (site, [, type = ""]) => frozen(site, type) },
  {
    pattern: /^NameError: (?:uninitialized constant|undefined local variable or method) [`']?([\w:]{1,100})/,
    find: (site, [, name = ""]) => named(site, name, "not defined", "read", null),
  },
  {
    pattern:
      /^(?:ArgumentError: invalid value for (?:Integer|Float)|TypeError: can't convert (nil) into (?:Integer|Float))/,
    find: (site, [, none]) => argumentOf(site, /^(?:Integer|Float)$/, none ?? "no number", wantedOf(none)),
  },
  {
    pattern:
      /^TypeError: (\w+) can't be coerced into \w+|^TypeError: no implicit conversion (?:of|from) (\w+)|^ArgumentError: comparison of \w+ with (\w+)/,
    find: (site, [, one, two, three]) => {
      const was = one ?? two ?? three ?? "";
      const failed = operatorAt(site);
      return failed && operandOf(site, failed, was, wantedOf(was), "right");
    },
  },
];

/**
 * Returns the operator that a frame names, since Ruby prints its own methods at the line that calls them; any of the
 * line if it names none, and null if it names another method.
 */
function operatorAt({ located: { frame, place } }: Site): RegExp | null {
  const [printed, own] = [frame.function, place?.function].map((name) => name?.split(/[#.]/).at(-1) ?? "");
  if (printed === undefined || printed === own) return arithmetic;
  return arithmetic.test(printed) ? operator(printed) : null;
}

function operator(name: string): RegExp {
  return new RegExp(`^${name.replace(/[^\w]/g, "\\$&")}=?$`);
}

function unknownMethod(site: Site, name: string, was: string): FailedUse | null {
  const wanted = wantedOf(was);
  if (name === "[]" || name === "[]=") return elementOf(site, was, wanted);
  if (!operators.test(name)) return readOf(site, name.replace(/=$/, ""), was, wanted, "call");
  // `left * right` is a method call on the left operand.
  return operandOf(site, operator(name), was, wanted, "left");
}

const changing =
  /^(?:<<|merge!|concat|push|append|store|delete|gsub!|sub!|upcase!|downcase!|strip!|chomp!|sort!|map!|insert|clear|replace|unshift|update|prepend|\w+!)$/;

/** Finds what is modified although it is frozen. */
function frozen(site: Site, type: string): FailedUse | null {
  const written = site.nodes.find(({ kind }) => kind === "assign");
  const target = written && part(written, "target");
  const call = site.nodes.find((one) => one.kind === "call" && changing.test(one.name ?? ""));
  const shift = site.nodes.find((one) => one.kind === "binary" && one.name === "<<");
  const on = (target && part(target, "on")) ?? (call && receiverOf(call)) ?? (shift && part(shift, "left"));
  return on ? badValue(site, on, `frozen ${type}`, "write", null, [{ node: on, wanted: anything }]) : null;
}
