import { inlineCode } from "../../../prose.ts";
import { typeOf, writtenToMember } from "./bindings.ts";
import { constructedBy, isSelf } from "./calls.ts";
import { type CodeNode, isWithin, part } from "./code-node.ts";
import { argumentsOf, keyText, lastName, nameText, plain, textOf } from "./expressions.ts";
import { classNameOf, parametersOf } from "./functions.ts";
import type { CodeProgram, Write } from "./program.ts";
import type { Subject, Tracing } from "./subject.ts";
import { isOrigin } from "./trace-literals.ts";

const writesMax = 3;

export function followWrite(
  trace: Tracing,
  subject: Subject,
  program: CodeProgram,
  { node, value, at }: Write,
  name: string,
  steps: number,
): void {
  if (!value) {
    const nothing = inlineCode(program.dialect.nothing);
    const says = `${inlineCode(name)} is declared without a value: it is ${nothing}`;
    const isNothing = program.dialect.name === "go" && subject.wanted === "nothing" && subject.path.length === 0;
    if (isNothing) trace.log.note(program, node, "fallback", name, says, steps);
    return;
  }
  const says = `${inlineCode(name)} gets its value from ${inlineCode(textOf(value, program.source))}`;
  const isWritten = isOrigin(subject, value) && steps > 1;
  trace.log.note(program, node, isWritten ? "literal" : "assignment", name, says, steps);
  const path = at === null ? subject.path : [String(at), ...subject.path];
  trace.value({ ...subject, program, node: value, path }, steps + 1);
}

/** What is written to a field: by assignment, when an object is made, or by the class itself. Whether anything was found. */
export function followField(trace: Tracing, used: Subject, name: string, steps: number): boolean {
  // What is written was written by another call than the one on the stack.
  const subject = { ...used, frame: null, via: null };
  const before = trace.log.length;
  for (const program of sameClassFirst(trace, used)) {
    const writes = writtenToMember(program, name).filter(
      ({ node, value }) => value !== null && (program !== used.program || !isWithin(used.node, node)),
    );
    for (const write of writes.slice(0, writesMax)) followWrite(trace, subject, program, write, name, steps);
    followKeyed(trace, subject, program, name, steps);
    if (trace.log.length > before) return true;
  }
  const records = trace.programs.all().flatMap((program) => program.classes.map((owner) => ({ program, owner })));
  for (const { program, owner } of records) {
    const position = positionInRecord(program, owner, name);
    const own = part(owner, "name");
    if (position >= 0 && own) followMade(trace, subject, nameText(own, program.source), position, name, steps);
  }
  if (trace.log.length > before) return true;
  const [getter] = trace.programs
    .functionsNamed(name)
    .filter(({ program, node }) => parametersOf(program, node).length === 0);
  if (getter && classNameOf(getter.program, getter.node) !== null) trace.returns(subject, getter, name, steps);
  return trace.log.length > before;
}

/** `Type{name: value}`. */
function followKeyed(trace: Tracing, subject: Subject, program: CodeProgram, name: string, steps: number): void {
  if (program.dialect.name !== "go") return;
  for (const { node, value } of (program.entries.get(name) ?? []).slice(0, writesMax)) {
    if (node.parent?.parent?.type !== "composite_literal") continue;
    const says = `${inlineCode(name)} is given ${inlineCode(textOf(value, program.source))}`;
    trace.log.note(program, node, "property", name, says, steps);
    trace.value({ ...subject, program, node: value }, steps + 1);
  }
}

function sameClassFirst(trace: Tracing, { program }: Subject): readonly CodeProgram[] {
  return [program, ...trace.programs.all().filter((one) => one !== program)];
}

/** `Class(…, value, …)`, `Class(name=value)`, `Class{name: value}`: what objects of a class are made with. */
function followMade(
  trace: Tracing,
  subject: Subject,
  className: string,
  position: number,
  name: string,
  steps: number,
): void {
  for (const program of trace.programs.all()) {
    const calls = (program.calls.get(className) ?? program.calls.get("new") ?? []).filter(
      (call) => constructedBy(program, call, lastName(call, program.source) ?? "") === className,
    );
    for (const call of calls.slice(0, writesMax)) {
      const given = argumentsOf(call, program.source);
      const node = given.find((one) => one.name === name)?.value ?? given[position]?.value;
      if (!node) continue;
      const says = `${inlineCode(textOf(node, program.source))} is passed as ${inlineCode(name)}`;
      trace.log.note(program, node, "argument", name, says, steps);
      trace.value({ ...subject, program, node }, steps + 1);
    }
  }
}

/** A field that is left out where the object is made, in a language where it is then nothing. */
export function noteUnset(trace: Tracing, subject: Subject, receiver: CodeNode, name: string, steps: number): void {
  const { program, wanted } = subject;
  if (program.dialect.name !== "go" || wanted !== "nothing" || subject.path.length > 0) return;
  const type = typeNameOf(trace, program, receiver);
  if (type === null) return;
  for (const one of trace.programs.all()) {
    for (const nodes of one.byLine.values()) {
      for (const literal of nodes) {
        if (literal.type !== "composite_literal") continue;
        const made = part(literal, "type");
        if (!made || textOf(made, one.source).split(".").at(-1) !== type) continue;
        const entries = (part(literal, "body")?.children ?? []).filter(({ kind }) => kind === "entry");
        const has = entries.some((entry) => keyText(part(entry, "key") ?? entry, one.source) === name);
        const says = `the ${inlineCode(type)} made here has no ${inlineCode(name)}: it is ${inlineCode("nil")}`;
        if (!has) trace.log.note(one, literal, "fallback", name, says, steps);
      }
    }
  }
}

function typeNameOf(trace: Tracing, program: CodeProgram, receiver: CodeNode): string | null {
  const owner = program.ownerOf(receiver);
  if (owner && isSelf(program, receiver)) return classNameOf(program, owner);
  const name = lastName(receiver, program.source);
  if (name === null) return null;
  return (
    typeOf(program, name) ??
    trace.programs
      .all()
      .map((one) => typeOf(one, name))
      .find((one) => one !== null) ??
    null
  );
}

/** The position of a class's constructor parameter that sets a field of the same name; for classes that only hold values. */
export function positionInRecord(program: CodeProgram, owner: CodeNode, name: string): number {
  const declared = part(owner, "parameters");
  if (declared) return parametersOf(program, owner).findIndex((one) => one.name === name);
  const body = part(owner, "body");
  const fields = (body?.children ?? []).map(plain).filter(({ kind }) => kind === "assign" || kind === "declare");
  return fields.findIndex((field) => {
    const target = part(field, "target");
    return target?.kind === "name" && nameText(target, program.source) === name;
  });
}
