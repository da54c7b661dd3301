import ts from "typescript";
import { inlineCode } from "../../../prose.ts";
import { anyKey, assignmentsTo, type Binding, findBinding, receiverOf } from "./bindings.ts";
import { type CallSite, callersOf, callGiven, type FoundFunction, specifierOf } from "./calls.ts";
import { isLiteral, isNullish, plain } from "./expressions.ts";
import { nameOf } from "./functions.ts";
import { type CallNode, type FunctionNode, lastName } from "./program.ts";
import { registrationsOf } from "./registrations.ts";
import type { Subject, Tracing, Via } from "./subject.ts";
import { handedOutBy } from "./value-kinds.ts";
import { textOf } from "./walk.ts";

const writesMax = 3;
/** Calls of one name that are asked whether they add to the collection. */
const addingMax = 500;

export function followName(trace: Tracing, subject: Subject, node: ts.Identifier, steps: number): void {
  const binding = findBinding(subject.program, node.text, node);
  if (binding) {
    followBinding(trace, subject, binding, node.text, steps);
    return;
  }
  // A window into a file may lack what another window into the same file shows.
  for (const program of trace.programs.all()) {
    if (program === subject.program || program.source.name !== subject.program.source.name) continue;
    const other = findBinding(program, node.text, program.tree);
    if (!other) continue;
    followBinding(trace, { ...subject, program }, other, node.text, steps);
    return;
  }
}

export function followBinding(trace: Tracing, subject: Subject, binding: Binding, name: string, steps: number): void {
  const { program } = subject;
  if (binding.kind === "parameter") followParameter(trace, subject, binding, name, steps);
  else if (binding.kind === "function" || binding.kind === "class" || binding.kind === "caught") return;
  else if (binding.kind === "import") trace.importFrom(subject, binding.specifier, binding.exported, [], steps);
  else {
    // Of a loop it is the elements that are taken apart.
    const element = binding.kind === "iteration" ? [anyKey] : [];
    const path = [...element, ...binding.path, ...subject.path];
    const specifier = specifierOf(binding);
    if (specifier) {
      trace.importFrom(subject, specifier.from, specifier.exported, specifier.path, steps);
      return;
    }
    const whole = binding.value ? inlineCode(textOf(binding.value)) : null;
    const key = binding.path.at(-1);
    if (whole === null)
      trace.log.note(
        program,
        binding.node,
        "assignment",
        name,
        `${inlineCode(name)} is declared without a value`,
        steps,
      );
    else {
      const isElement = binding.kind === "iteration";
      const isChoice =
        subject.isNullish &&
        key === undefined &&
        binding.value !== null &&
        ts.isConditionalExpression(plain(binding.value).node);
      const how = isElement ? "iteration" : isChoice ? "fallback" : key === undefined ? "assignment" : "property";
      const says = isElement ? `is an element of ${whole}` : `gets its value from ${whole}`;
      trace.log.note(program, binding.node, how, key ?? name, `${inlineCode(name)} ${says}`, steps);
    }
    const isSet = followSet(trace, subject, name, binding, steps + 1);
    followAdded(trace, subject, name, binding, steps);
    for (const value of assignmentsTo(program, name, binding).slice(0, writesMax)) {
      trace.log.note(
        program,
        value,
        "assignment",
        name,
        `${inlineCode(name)} is set to ${inlineCode(textOf(value))}`,
        steps + 1,
      );
      trace.value({ ...subject, node: value }, steps + 2);
    }
    // That the object began without the key tells nothing when the key is set later.
    const isMadeLater = isSet && binding.value !== null && ts.isObjectLiteralExpression(plain(binding.value).node);
    if (binding.value && !isMadeLater) trace.value({ ...subject, node: binding.value, path }, steps + 1);
  }
}

/** `object.key = value` on the way to where the object is used; when it is only written under a condition, that one. */
function followSet(trace: Tracing, subject: Subject, name: string, binding: Binding, steps: number): boolean {
  const { program, path } = subject;
  const [key, ...rest] = path;
  if (key === undefined || key === anyKey) return false;
  const writes = (program.writes.get(key) ?? []).filter(({ target }) => {
    const on = receiverOf(target);
    return on && ts.isIdentifier(on) && on.text === name && findBinding(program, name, on) === binding;
  });
  for (const { target, value } of writes.slice(0, writesMax)) {
    const condition = subject.isNullish && rest.length === 0 ? conditionAround(target) : null;
    const says = `${inlineCode(key)} is only set when ${inlineCode(textOf(condition ?? target))}`;
    if (condition) trace.log.note(program, condition, "fallback", textOf(condition), says, steps);
    trace.value({ ...subject, node: value, path: rest }, steps + 1);
  }
  return writes.length > 0;
}

function conditionAround(node: ts.Node): ts.Expression | null {
  for (let at = node; at.parent !== undefined && !ts.isFunctionLike(at); at = at.parent) {
    if (ts.isIfStatement(at.parent) && at.parent.expression !== at && !at.parent.elseStatement)
      return at.parent.expression;
  }
  return null;
}

/** What is put into a collection that a name stands for. */
function followAdded(trace: Tracing, subject: Subject, name: string, binding: Binding, steps: number): void {
  const { program } = subject;
  const adding = ["push", "unshift", "add", "set"].flatMap((method) =>
    (program.calls.get(method) ?? []).slice(0, addingMax),
  );
  const found = adding.filter((call) => {
    const on = receiverOf(plain(call.expression).node);
    return on && ts.isIdentifier(on) && on.text === name && findBinding(program, name, on) === binding;
  });
  for (const call of found.slice(0, writesMax)) {
    const value = call.arguments?.at(-1);
    if (!value) continue;
    trace.log.note(
      program,
      value,
      "argument",
      name,
      `${inlineCode(textOf(value))} is added to ${inlineCode(name)}`,
      steps + 1,
    );
    trace.value({ ...subject, node: value, path: subject.path.slice(subject.path[0] === anyKey ? 1 : 0) }, steps + 2);
  }
}

/** Whether a call is the one by which a function was entered, or by which its object was made. */
function isEnteredBy({ entered }: Via, owner: FunctionNode): boolean {
  return entered === null ? ts.isConstructorDeclaration(owner) : entered === owner;
}

function followParameter(
  trace: Tracing,
  subject: Subject,
  binding: Binding & { kind: "parameter" },
  name: string,
  steps: number,
): void {
  const { program } = subject;
  const { owner, position } = binding;
  const path = [...binding.path, ...subject.path];
  const via = subject.via && isEnteredBy(subject.via, owner) ? subject.via : null;
  const given = via?.isCallback ? via : callGiven(owner);
  const elements = given && handedOutBy(given.call, position);
  if (elements) {
    trace.log.note(
      program,
      owner,
      "iteration",
      name,
      `${inlineCode(name)} is handed in by ${inlineCode(textOf(elements))}`,
      steps,
    );
    const outside = via?.isCallback ? { program: via.program, frame: via.frame, via: via.outer.via } : {};
    trace.value({ ...subject, ...outside, node: elements, path: [anyKey, ...path] }, steps + 1);
    return;
  }
  const owned = nameOf(owner) ?? "a callback";
  trace.log.note(
    program,
    owner,
    "parameter",
    name,
    `${inlineCode(name)} is a parameter of ${inlineCode(owned)}`,
    steps,
  );
  if (binding.fallback && !subject.isNullish) trace.value({ ...subject, node: binding.fallback }, steps + 1);
  const calls: readonly CallSite[] = via
    ? [via]
    : callersOf(trace.programs, trace.frames, { program, node: owner }, subject.frame);
  for (const call of calls) followArgument(trace, subject, call, position, name, path, steps + 1);
  if (calls.length === 0) followRegistered(trace, subject, { program, node: owner }, position, name, path, steps);
}

/** Of a handler: who registered it for what, and what those hand over who raise the event, or the timer. */
function followRegistered(
  trace: Tracing,
  subject: Subject,
  handler: FoundFunction,
  position: number,
  name: string,
  path: readonly string[],
  steps: number,
): void {
  for (const { program, call, says, raisedBy, offset } of registrationsOf(trace.programs, handler).slice(
    0,
    writesMax,
  )) {
    trace.log.note(program, call, "parameter", name, says, steps + 1);
    for (const site of raisedBy.slice(0, writesMax))
      followArgument(trace, subject, site, position + offset, name, path, steps + 2);
  }
}

function followArgument(
  trace: Tracing,
  subject: Subject,
  site: CallSite,
  position: number,
  name: string,
  path: readonly string[],
  steps: number,
): void {
  const node = site.call.arguments?.[position];
  if (!node) {
    const called = inlineCode(textOf(site.call));
    if (subject.isNullish && !isIndirect(site.call))
      trace.log.note(
        site.program,
        site.call,
        "argument",
        name,
        `${called} gives nothing for ${inlineCode(name)}`,
        steps,
      );
    return;
  }
  trace.log.note(
    site.program,
    node,
    "argument",
    name,
    `${inlineCode(textOf(node))} is passed as ${inlineCode(name)}`,
    steps,
  );
  const outer = subject.via === site ? subject.via.outer.via : null;
  // What a caller spells out is its input: whoever takes it has to stand it, unless it is nothing at all.
  if (isLiteral(plain(node).node) && !isNullish(plain(node).node)) return;
  trace.value({ ...subject, program: site.program, node, frame: site.frame, path, via: outer }, steps + 1);
}

/** `fn.apply(self, list)`: which arguments it hands over is not to be seen. */
function isIndirect({ expression, arguments: given }: CallNode): boolean {
  return /^(?:apply|call|bind)$/.test(lastName(expression) ?? "") || given?.some(ts.isSpreadElement) === true;
}
