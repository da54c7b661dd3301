import type { ValueSource } from "../../../findings.ts";
import { inlineCode } from "../../../prose.ts";
import { calleesOf, constructedBy, isSelf } from "./calls.ts";
import { type CodeNode, part } from "./code-node.ts";
import { followData } from "./data-keys.ts";
import type { Dialect } from "./dialect.ts";
import { argumentsOf, isNothing, keyText, lastName, plain, receiverOf, textOf } from "./expressions.ts";
import { fallsThrough, isGenerator, returnsOf } from "./functions.ts";
import type { CodeProgram } from "./program.ts";
import type { FoundFunction } from "./programs.ts";
import { anyKey, type Subject, type Tracing } from "./subject.ts";
import { keyRead } from "./throw-site.ts";
import { followField } from "./trace-fields.ts";
import { isOrigin } from "./trace-literals.ts";
import { followEntries, followIndex } from "./trace-members.ts";

const returnsMax = 8;

export function followCall(trace: Tracing, subject: Subject, call: CodeNode, steps: number): void {
  const { program } = subject;
  const name = lastName(call, program.source);
  if (name === null) return;
  const found = calleesOf(trace.programs, program, call);
  const made = constructedBy(program, call, name);
  if (made !== null) {
    const [key, ...rest] = subject.path;
    if (key !== undefined) followField(trace, { ...subject, path: rest }, key, steps + 1);
    return;
  }
  if (found.length > 0) {
    enter(trace, subject, call, name, found, steps);
    return;
  }
  if (isAttribute(call) && followField(trace, subject, name, steps + 1)) return;
  const getter = /^(?:get|is)([A-Z]\w*)$/.exec(name)?.[1];
  if (getter && followField(trace, subject, getter.charAt(0).toLowerCase() + getter.slice(1), steps + 1)) return;
  if (keyRead(program, call)) {
    followLookup(trace, subject, call, name, steps);
    return;
  }
  followUnseen(trace, subject, call, name, steps);
}

/** `a.b` and `a.b()`: a call that is given nothing may only read. */
function isAttribute(call: CodeNode): boolean {
  return part(call, "on") !== null && (part(call, "arguments")?.children.length ?? 0) === 0;
}

function enter(
  trace: Tracing,
  subject: Subject,
  call: CodeNode,
  name: string,
  found: readonly FoundFunction[],
  steps: number,
): void {
  const { program, frame } = subject;
  const whole = inlineCode(textOf(call, program.source));
  trace.log.note(program, call, "call", name, `the value is what ${whole} gives`, steps);
  for (const target of found) {
    const via = { program, call, frame, entered: target.node, outer: subject };
    followReturns(trace, { ...subject, program: target.program, frame: null, via }, target, name, steps + 1);
  }
}

/** A lookup that found nothing: what it was made on, and what is written under its key. */
function followLookup(trace: Tracing, subject: Subject, call: CodeNode, name: string, steps: number): void {
  const { program, wanted } = subject;
  const read = keyRead(program, call);
  if (!read) return;
  if (keyText(read.key, program.source) !== null || read.fallback) {
    followIndex(trace, subject, call, steps);
    return;
  }
  const whole = inlineCode(textOf(call, program.source));
  const nothing = wanted === "nothing" ? `, and that is ${inlineCode(program.dialect.nothing)} when there is none` : "";
  trace.log.note(program, call, "lookup", name, `the value is what ${whole} gives${nothing}`, steps);
  trace.value({ ...subject, node: read.on, path: [anyKey, ...subject.path] }, steps + 1);
}

/** A call that cannot be looked into: what it is known for, and what it was given. */
function followUnseen(trace: Tracing, subject: Subject, call: CodeNode, name: string, steps: number): void {
  const { program, path } = subject;
  const { calls } = program.dialect;
  const how = kindOf(calls, name);
  // What converts gives a value or raises.
  if (how === "computed" && subject.wanted === "nothing") return;
  const whole = inlineCode(textOf(call, program.source));
  trace.log.note(program, call, how, name, `the value is what ${whole} gives`, steps);
  if (how === "parsed-text") followData(trace, program, path, steps + 1, true);
  const receiver = receiverOf(call);
  const given = argumentsOf(call, program.source).map(({ value }) => value);
  const isChanged = how === "computed" || how === "parsed-text";
  const inner: Subject = { ...subject, path: isChanged ? [] : path };
  const isHandedOn = calls.handOn.has(name) || isChanged || calls.lookups.has(name);
  if (isHandedOn)
    for (const node of given.slice(0, 2)) trace.value({ ...inner, node, wanted: wantedOf(subject, how) }, steps + 1);
  const isOfReceiver =
    receiver !== null &&
    !isSelf(program, receiver) &&
    (calls.handOn.has(name) || how === "computed" || how === "lookup");
  if (isOfReceiver) trace.value({ ...inner, node: receiver, wanted: wantedOf(subject, how) }, steps + 1);
  const [key] = path;
  if (key !== undefined && key !== anyKey && how !== "parsed-text")
    followEntries(trace, { ...subject, path: path.slice(1) }, call, key, steps + 1);
}

/** `int(text)` is 0 of `"0"`, and `nil.to_i` is 0 too: what was converted may have been nothing. */
function wantedOf({ wanted }: Subject, how: ValueSource): Subject["wanted"] {
  return how === "computed" || how === "lookup" ? "any" : wanted;
}

function kindOf({ parsing, outside, lookups, computing }: Dialect["calls"], name: string): ValueSource {
  if (parsing.has(name)) return "parsed-text";
  if (outside.has(name)) return "outside-answer";
  if (lookups.has(name)) return "lookup";
  return computing.has(name) ? "computed" : "call";
}

export function followReturns(
  trace: Tracing,
  subject: Subject,
  { program, node }: FoundFunction,
  name: string,
  steps: number,
): void {
  const { wanted, path } = subject;
  const returns = returnsOf(program, node);
  const isWhole = wanted === "nothing" && path.length === 0;
  const endsBare = !isGenerator(node) && (returns.includes(null) || fallsThrough(program, node));
  if (isWhole && endsBare)
    trace.log.note(
      program,
      node,
      "returns-nothing",
      name,
      `${inlineCode(name)} can end without returning a value`,
      steps,
    );
  for (const value of returns.slice(0, returnsMax)) {
    if (!value) continue;
    const one = partOf(value, path);
    if (isWhole || one.isPart) {
      if (isNothing(one.node) && wanted === "nothing") {
        const says = `${inlineCode(name)} returns ${inlineCode(program.dialect.nothing)} here`;
        trace.log.note(program, value, "returns-nothing", name, says, steps);
        continue;
      }
    }
    const returned = `${inlineCode(name)} returns ${inlineCode(textOf(value, program.source))}`;
    if (isWhole && mayMiss(program, value)) {
      const says = `${returned}, and that is ${inlineCode(program.dialect.nothing)} when there is none`;
      trace.log.note(program, value, "returns-nothing", name, says, steps);
      continue;
    }
    trace.log.note(program, value, isOrigin(subject, value) ? "literal" : "return", name, returned, steps);
    if (!isOrigin(subject, value))
      trace.value({ ...subject, program, node: one.node, path: one.isPart ? path.slice(1) : path }, steps + 1);
  }
}

/** A lookup by a key that is not known here, with nothing to stand in for what is not found. */
function mayMiss(program: CodeProgram, value: CodeNode): boolean {
  const read = plain(value).kind === "call" ? keyRead(program, plain(value)) : null;
  return read !== null && read.fallback === null && keyText(read.key, program.source) === null;
}

/** Of `return value, err`, the one that was taken. */
function partOf(value: CodeNode, path: readonly string[]): { node: CodeNode; isPart: boolean } {
  const [key] = path;
  const list = plain(value);
  const one = key !== undefined && /^\d+$/.test(key) && list.kind === "list" ? list.children[Number(key)] : undefined;
  return one ? { node: one, isPart: true } : { node: value, isPart: false };
}
