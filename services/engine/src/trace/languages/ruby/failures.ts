import { inlineCode } from "../../../prose.ts";
import { part } from "../tree/code-node.ts";
import { lastName, receiverOf, textOf } from "../tree/expressions.ts";
import {
  argumentOf,
  divisor,
  elementOf,
  type Failing,
  keyOf,
  missing,
  named,
  operandOf,
  readOf,
  type Site,
  type Suspicion,
  type Wanted,
} from "../tree/throw-site.ts";

/** What Ruby says when it raises, before 3.4 and since (error.c and eval_error.c of its source), and which expression of the line it means. */
export const rubyFailures: readonly Failing[] = [
  {
    pattern:
      /^NoMethodError: (?:private method|undefined method) [`'](.{1,80}?)' (?:called )?for (?:an instance of )?(nil|\S+)/,
    find: (site, [, name = "", on = ""]) => unknownMethod(site, name, on.startsWith("nil") ? "nothing" : "any", on),
  },
  {
    pattern: /^KeyError: key not found: (?:"(.{1,200}?)"|:?([^\n]{1,200}))/,
    find: (site, [, text, symbol]) => keyOf(site, text ?? symbol ?? ""),
  },
  { pattern: /^ZeroDivisionError: /, find: divisor },
  { pattern: /^FrozenError: can't modify frozen (\w+)/, find: (site, [, type = ""]) => frozen(site, type) },
  {
    pattern: /^NameError: (?:uninitialized constant|undefined local variable or method) [`']?([\w:]{1,100})/,
    find: (site, [, name = ""]) => named(site, name, "any", "is not defined here"),
  },
  {
    pattern:
      /^(?:ArgumentError: invalid value for (?:Integer|Float)|TypeError: can't convert (nil) into (?:Integer|Float))/,
    find: (site, [, none]) => argumentOf(site, ["Integer", "Float"], none ? "nothing" : "any", none ?? "no number"),
  },
  {
    pattern: /^TypeError: (\w+) can't be coerced into \w+/,
    find: (site, [, type]) =>
      ["+", "-", "*", "/", "%", "<", ">"]
        .map((operator) => operandOf(site, operator, type === "nil" ? "nothing" : "any", type ?? ""))
        .find((one) => one !== null) ?? null,
  },
  {
    pattern: /^TypeError: no implicit conversion (?:of|from) (\w+)/,
    find: (site, [, type = ""]) => operandOf(site, "+", type === "nil" ? "nothing" : "any", type),
  },
  { pattern: /^ArgumentError: (?:wrong number of arguments|missing keyword|unknown keyword)/, find: () => null },
];

const operators = /^(?:[+\-*/%<>]|<<|>>|\*\*|==|<=|>=|=~)$/;

function unknownMethod(site: Site, name: string, wanted: Wanted, on: string): Suspicion | null {
  const value = on.startsWith("nil") ? "nil" : on;
  if (name === "[]" || name === "[]=") return elementOf(site, wanted, value);
  if (operators.test(name)) return leftOf(site, name, wanted, value);
  return readOf(site, name.replace(/=$/, ""), wanted, value);
}

/** `left * right` is a method of what stands to the left. */
function leftOf(site: Site, operator: string, wanted: Wanted, value: string): Suspicion | null {
  const found = operandOf(site, operator, wanted, value);
  const [first] = found?.subjects ?? [];
  return found && first
    ? {
        ...found,
        says: `${inlineCode(textOf(first.node, site.program.source))} was ${inlineCode(value)} when ${inlineCode(operator)} was called on it`,
        subjects: [first],
      }
    : null;
}

const changing =
  /^(?:<<|merge!|concat|push|append|store|delete|gsub!|sub!|upcase!|downcase!|strip!|chomp!|sort!|map!|insert|clear|replace|unshift|update|prepend|\w+!)$/;

/** What is changed, though it must not be. */
function frozen(site: Site, type: string): Suspicion | null {
  const says = `is frozen (${inlineCode(type)}) and is changed here`;
  const written = site.nodes.find(({ kind }) => kind === "assign");
  const target = written && part(written, "target");
  const on = target && receiverOf(target);
  if (on) return missing(site, on, "any", says);
  for (const node of site.nodes) {
    if (node.kind === "call" && changing.test(lastName(node, site.program.source) ?? "")) {
      const receiver = receiverOf(node);
      if (receiver) return missing(site, receiver, "any", says);
    }
    const left = node.kind === "binary" ? part(node, "left") : null;
    if (left && textOf(node, site.program.source).includes("<<")) return missing(site, left, "any", says);
  }
  return null;
}
