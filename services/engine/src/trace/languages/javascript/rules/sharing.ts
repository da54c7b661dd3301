import ts from "typescript";
import { inlineCode } from "../../../../prose.ts";
import { findBinding, receiverOf } from "../bindings.ts";
import { calleeOf } from "../calls.ts";
import { plain, spreadsOf, valueOfKey } from "../expressions.ts";
import { functionAround, nameOf } from "../functions.ts";
import { type CallNode, type FunctionNode, isFunction, lastName, nodesIn, type Program } from "../program.ts";
import type { Programs } from "../programs.ts";
import { around, textOf } from "../walk.ts";
import { callsNamed, type Find, type Rule } from "./rule.ts";

/** Calls of one function, each compared with the others. */
const callsMax = 60;
const acquiring = [
  "acquire",
  "connect",
  "getConnection",
  "checkout",
  "lease",
  "reserve",
  "withConnection",
  "transaction",
];
const changing = ["push", "unshift", "set", "add", "splice", "sort", "reverse", "fill"];

/** Who holds something of a pool and asks for another before giving it back: enough of them at a time wait for each other. */
export const nestedAcquire: Rule = {
  name: "nested-acquire",
  find: (program, programs) =>
    program.functions.flatMap((owner): Find[] => {
      const calls = nodesIn(program, owner, ts.isCallExpression).slice(0, callsMax);
      const first = calls.find(({ expression }) => acquiring.includes(lastName(expression) ?? ""));
      const second = first && calls.find((call) => call.pos > first.end && takesAgain(programs, program, call, first));
      if (!first || !second) return [];
      const [what, where] = [inlineCode(textOf(first.expression)), inlineCode(textOf(second.expression))];
      return [
        {
          node: second,
          subject: textOf(second.expression),
          says: `${where} takes a second one of what ${what} gave, while the first is still held: as many calls at a time as the pool is large wait for each other for ever (a deadlock on the pool)`,
          remedy: `Hand the one that is held to ${where}, or release it first.`,
        },
      ];
    }),
};

/** Whether a call leads into a function that takes from a pool of the same name. */
function takesAgain(programs: Programs, program: Program, call: CallNode, first: CallNode): boolean {
  if (isReleaseBetween(program, first, call)) return false;
  const found = calleeOf(programs, program, call);
  if (!found || found.node === functionAround(call)) return false;
  return nodesIn(found.program, found.node, ts.isCallExpression)
    .slice(0, callsMax)
    .some(
      ({ expression }) =>
        lastName(expression) === lastName(first.expression) && poolOf(expression) === poolOf(first.expression),
    );
}

function poolOf(expression: ts.Expression): string | null {
  const on = receiverOf(plain(expression).node);
  return on && lastName(on);
}

function isReleaseBetween(program: Program, first: CallNode, call: CallNode): boolean {
  return callsNamed(program, "release", "giveBack", "end", "close").some(
    ({ pos, end }) => pos > first.end && end < call.pos,
  );
}

/** What a loop writes without a look at whether more is wanted: it piles up in memory. */
export const ignoredBackPressure: Rule = {
  name: "ignored-back-pressure",
  find: (program) =>
    callsNamed(program, "write").flatMap((call): Find[] => {
      const on = receiverOf(plain(call.expression).node);
      if (!on || !ts.isExpressionStatement(call.parent) || !isInLoop(call)) return [];
      if (/^(?:process\.std|console|res\b|response\b)/.test(textOf(on)) || /["'`]drain["'`]/.test(program.source.text))
        return [];
      const name = inlineCode(textOf(on));
      return [
        {
          node: call,
          subject: textOf(on),
          says: `each round of the loop writes to ${name} and does not look at what \`write\` returns: when it is slower than the loop, everything piles up in its buffer (no back-pressure)`,
          remedy: `Wait for \`drain\` when \`write\` returns false, or let \`pipeline(source, ${textOf(on)})\` do it.`,
        },
      ];
    }),
};

function isInLoop(node: ts.Node): boolean {
  const loop = around(node, (one): one is ts.Node => ts.isIterationStatement(one, false) || isFunction(one));
  return loop !== null && (!isFunction(loop) || isGivenToLoop(loop));
}

function isGivenToLoop({ parent }: FunctionNode): boolean {
  return ts.isCallExpression(parent) && lastName(parent.expression) === "forEach";
}

/** `{ ...defaults }` copies one level: a list in the defaults is the same for everybody, and is changed here. */
export const sharedDefault: Rule = {
  name: "shared-default",
  find: (program) =>
    callsNamed(program, ...changing).flatMap((call): Find[] => {
      const member = receiverOf(plain(call.expression).node);
      const object = member && receiverOf(member);
      const key = member && lastName(member);
      if (!object || !ts.isIdentifier(object) || key === null) return [];
      const shared = sharedBehind(program, object, key);
      if (shared === null) return [];
      const [list, defaults] = [inlineCode(textOf(member)), inlineCode(shared)];
      return [
        {
          node: call,
          subject: textOf(member),
          says: `${list} is changed here and is the same object for everybody: copying ${defaults} copies one level only, and ${inlineCode(key)} in it is shared`,
          remedy: `Give each its own: \`${key}: [...${shared}.${key}]\`, or make ${defaults} in a function.`,
        },
      ];
    }),
};

/** The name of the module's object that a copy has this key from. */
function sharedBehind(program: Program, object: ts.Identifier, key: string): string | null {
  const binding = findBinding(program, object.text, object);
  if (binding?.kind !== "variable" || !binding.value || binding.path.length > 0 || !functionAround(binding.node))
    return null;
  const value = plain(binding.value).node;
  const copied = ts.isObjectLiteralExpression(value)
    ? valueOfKey(value, key) === null
      ? spreadsOf(value)
      : []
    : ts.isCallExpression(value) && lastName(value.expression) === "assign"
      ? [...value.arguments]
      : [];
  const shared = copied.find((one) => ts.isIdentifier(one) && isSharedWith(program, one, key));
  return shared ? textOf(shared) : null;
}

function isSharedWith(program: Program, name: ts.Identifier, key: string): boolean {
  const binding = findBinding(program, name.text, name);
  if (binding?.kind !== "variable" || !binding.value || functionAround(binding.node)) return false;
  const value = plain(binding.value).node;
  const inner = ts.isObjectLiteralExpression(value) ? valueOfKey(value, key) : null;
  return (
    inner !== null &&
    (ts.isArrayLiteralExpression(inner) || ts.isObjectLiteralExpression(inner) || ts.isNewExpression(inner))
  );
}

/** A day by the clock on the wall has 23, 24 or 25 hours. */
export const fixedDay: Rule = {
  name: "fixed-day",
  find: (program) =>
    (program.nodes.get(ts.SyntaxKind.BinaryExpression) ?? []).flatMap((node): Find[] => {
      if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return [];
      const text = textOf(node.right, 120);
      const isDay =
        /^\(?(?:24 \* \w*(?:hour|3600000|3_600_000|HOUR)|24 \* 60 \* 60 \* 1000|86_?400_?000|\w*(?:dayMs|DAY_MS|msPerDay|MS_PER_DAY|oneDay))/i.test(
          text,
        );
      const owner = functionAround(node);
      const local =
        owner && /\bget(?:Hours|Date|Day|Month)\(|set(?:Hours|Date)\(|toLocale/.test(owner.body.getText(program.tree));
      if (!isDay || !owner || !local) return [];
      const name = inlineCode(nameOf(owner) ?? "the function");
      return [
        {
          node,
          subject: text,
          says: `${name} takes a day for ${inlineCode(text)}: on the day on which summer time begins or ends, a day by the local clock has 23 or 25 hours`,
          remedy: "Let the calendar count: `setDate(getDate() + 1)` for the end of the day, or reckon in UTC.",
        },
      ];
    }),
};
