import ts from "typescript";
import { inlineCode } from "../../../prose.ts";
import type { SourceText } from "../../../source-text.ts";
import { anyKey, findBinding, receiverOf } from "./bindings.ts";
import { calleeOf, classFor, type FoundFunction, functionFor, specifierOf } from "./calls.ts";
import { fallsThrough, mayBeNullish, plain, returnsOf, valueOfKey, yieldsOf } from "./expressions.ts";
import { noteLostMethod } from "./lost-methods.ts";
import { requiredSpecifier } from "./modules.ts";
import { type CallNode, isFunction, lastName, type Program } from "./program.ts";
import type { Subject, Tracing } from "./subject.ts";
import { noteData } from "./trace-imports.ts";
import { callbackCalls, handOn, kindOfCall, lookups, sameElements } from "./value-kinds.ts";
import { textOf } from "./walk.ts";
import { isMadeOnlyHere, surelyIs } from "./wrong-value.ts";

/** What an HTTP answer has besides its body: it depends on what was asked. */
const envelope: ReadonlySet<string> = new Set(["ok", "status", "statusCode", "statusText"]);
/** Calls that give the same fields again. */
const copying: ReadonlySet<string> = new Set(
  "parse load safeLoad stringify structuredClone assign freeze seal cloneDeep clone".split(" "),
);
const collections: ReadonlySet<string> = new Set(["Map", "Set", "WeakMap", "WeakSet", "Array"]);
const writesMax = 3;

export function followCall(trace: Tracing, subject: Subject, call: CallNode, isAwaited: boolean, steps: number): void {
  const { program } = subject;
  const specifier = requiredSpecifier(call);
  if (specifier !== null) {
    trace.importFrom(subject, specifier, "default", [], steps);
    return;
  }
  const name = lastName(call.expression) ?? "";
  if (name === "Promise" && ts.isNewExpression(call)) {
    followResolved(trace, subject, call, steps);
    return;
  }
  // At the failing expression itself it is what it was given that is wrong.
  const isConverted =
    steps > 1 && subject.path.length === 0 && subject.wrong !== undefined && surelyIs(call, subject.wrong);
  if (isConverted && subject.wrong) {
    const says = `${inlineCode(textOf(call))} makes it a ${subject.wrong.type}`;
    trace.log.note(program, call, "computed", textOf(call), says, steps);
    if (isMadeOnlyHere(subject.wrong)) return;
  }
  if (noteLostMethod(trace, subject, call, steps)) return;
  const how = kindOfCall(call, isAwaited);
  const whole = inlineCode(textOf(call));
  const isWholeNullish = subject.isNullish && subject.path.length === 0;
  if (ts.isNewExpression(call) && isWholeNullish) return;
  const unseen = unseenModuleOf(trace, program, call);
  const from = unseen === null ? "" : `, from ${inlineCode(unseen)} (its source is not at hand)`;
  // An empty collection makes nothing: what counts is what was put into it.
  const isEmptied = ts.isNewExpression(call) && (call.arguments ?? []).length === 0 && collections.has(name);
  if (!isEmptied && !isConverted)
    trace.log.note(program, call, how, name, `the value is what ${whole} gives${from}`, steps);
  const data = dataFileOf(trace, call, name);
  if (data) {
    noteData(trace, data, subject.path, steps + 1);
    return;
  }
  if (enter(trace, subject, call, name, steps)) return;
  const inner = { ...subject, path: [], isNullish: false, wrong: undefined };
  const args = call.arguments ?? [];
  const isHandedOn = handOn.has(name) || how === "parsed-text" || lookups.has(name);
  const isFromOutside = how === "outside-answer" || how === "incoming-body";
  const isAsked = isFromOutside && (subject.path[0] === undefined || envelope.has(subject.path[0]));
  const isCopy = copying.has(name);
  if (isHandedOn || isAsked || isCopy) trace.parts(isCopy ? subject : inner, args, steps + 1);
  const receiver = receiverOf(plain(call.expression).node);
  // What a method is called on makes its value when it is given nothing else.
  const isOfReceiver = args.length === 0 || lookups.has(name) || how === "computed" || sameElements.has(name);
  if (receiver && isOfReceiver)
    trace.value(
      { ...inner, node: receiver, path: lookups.has(name) ? [anyKey, ...subject.path] : subject.path },
      steps + 1,
    );
}

/** The data file that a call reads, when the path is written out in it and the file was given. */
function dataFileOf(trace: Tracing, call: CallNode, name: string): SourceText | null {
  if (name !== "readFile" && name !== "readFileSync") return null;
  const [path] = call.arguments ?? [];
  const written =
    path && /["'`](?:[^"'`]{0,200}\/)?([\w.-]{1,100}\.(?:json|ya?ml|toml|env|properties))["'`]/.exec(textOf(path, 300));
  return written?.[1] === undefined ? null : trace.programs.files.find(written[1], null);
}

/** Goes into the function, the callback or the class that a call means, when that was given. */
function enter(trace: Tracing, subject: Subject, call: CallNode, name: string, steps: number): boolean {
  const { program } = subject;
  const callback =
    callbackCalls.has(name) && call.arguments?.[0] ? functionFor(trace.programs, program, call.arguments[0]) : null;
  const base = { program, call, frame: subject.frame, outer: subject, isCallback: callback !== null };
  if (ts.isNewExpression(call)) {
    const made = classFor(trace.programs, program, call.expression);
    const [key, ...rest] = subject.path;
    if (!made || key === undefined) return false;
    const via = { ...base, entered: null };
    trace.memberOf({ ...subject, program: made.program, frame: null, via, path: rest }, made.node, key, steps + 1);
    return true;
  }
  // A method is known by its name alone; a function of the same name is what this code says it is.
  const isKnown = handOn.has(name) && !ts.isIdentifier(call.expression);
  const target = callback ?? (isKnown ? null : calleeOf(trace.programs, program, call));
  if (!target) return false;
  const path = callback && subject.path[0] === anyKey ? subject.path.slice(1) : subject.path;
  followReturns(
    trace,
    { ...subject, program: target.program, frame: null, via: { ...base, entered: target.node }, path },
    target,
    name,
    steps + 1,
  );
  return true;
}

/** `new Promise((resolve) => …)`: what `resolve` is given. */
function followResolved(trace: Tracing, subject: Subject, call: ts.NewExpression, steps: number): void {
  const executor = call.arguments?.[0];
  const first = executor && isFunction(executor) ? executor.parameters[0]?.name : undefined;
  if (!first || !ts.isIdentifier(first)) return;
  for (const one of (subject.program.calls.get(first.text) ?? []).slice(0, writesMax)) {
    const value = one.arguments?.[0];
    if (value && one.pos >= call.pos && one.end <= call.end) trace.value({ ...subject, node: value }, steps);
  }
}

export function followReturns(
  trace: Tracing,
  subject: Subject,
  { program, node }: FoundFunction,
  name: string,
  steps: number,
): void {
  if (node.asteriskToken) {
    followYields(trace, subject, { program, node }, name, steps);
    return;
  }
  const returns = returnsOf(node);
  const isSilent = returns.length === 0 || (subject.isNullish && fallsThrough(node));
  const isSomething = subject.wrong !== undefined && subject.path.length === 0 && !subject.isNullish;
  if (!isSomething && (isSilent || returns.includes(null))) {
    trace.log.note(
      program,
      node,
      "returns-nothing",
      name,
      `${inlineCode(name)} can end without returning a value`,
      steps,
    );
  }
  for (const value of preferKeyed(returns, subject)) {
    const before = trace.log.length;
    trace.log.note(program, value, "return", name, `${inlineCode(name)} returns ${inlineCode(textOf(value))}`, steps);
    trace.value({ ...subject, program, node: value }, steps + 1);
    const isInnocent = subject.isNullish && subject.path.length === 0 && !mayBeNullish(value);
    // A value that is never nullish was not what came back.
    if (trace.log.length === before + 1 && isInnocent) trace.log.pop();
  }
}

function followYields(
  trace: Tracing,
  subject: Subject,
  { program, node }: FoundFunction,
  name: string,
  steps: number,
): void {
  const path = subject.path[0] === anyKey ? subject.path.slice(1) : subject.path;
  for (const value of yieldsOf(node).slice(0, writesMax)) {
    trace.log.note(program, value, "return", name, `${inlineCode(name)} yields ${inlineCode(textOf(value))}`, steps);
    trace.value({ ...subject, program, node: value, path }, steps + 1);
  }
}

function unseenModuleOf(trace: Tracing, program: Program, call: CallNode): string | null {
  if (!ts.isIdentifier(call.expression)) return null;
  const binding = findBinding(program, call.expression.text, call);
  const from = binding && specifierOf(binding)?.from;
  if (!from?.startsWith(".")) return null;
  return trace.programs.files.resolve(program.source.name, from) ? null : from;
}

/** When a value with the key is returned somewhere, the returns without it are other cases. */
function preferKeyed(
  returns: readonly (ts.Expression | null)[],
  { path, isNullish: mustBeNullish }: Subject,
): ts.Expression[] {
  const given = returns.filter((value) => value !== null);
  const [key] = path;
  if (key === undefined || mustBeNullish) return given;
  const keyed = given.filter((value) => {
    const { node } = plain(value);
    return !ts.isObjectLiteralExpression(node) || valueOfKey(node, key) !== null;
  });
  return keyed.length > 0 ? keyed : given;
}
