import { inlineCode } from "../../../prose.ts";
import { type Binding, findBinding, writtenInModule } from "./bindings.ts";
import { type CallSite, callersOf, handedOutBy } from "./calls.ts";
import type { CodeNode } from "./code-node.ts";
import { argumentsOf, isLiteral, nameText, plain, textOf } from "./expressions.ts";
import { ownName } from "./functions.ts";
import { anyKey, type Subject, type Tracing } from "./subject.ts";
import { followField, followWrite } from "./trace-fields.ts";
import { isOrigin } from "./trace-literals.ts";

const writesMax = 3;
const modulesMax = 3;

export function followName(trace: Tracing, subject: Subject, node: CodeNode, steps: number): void {
  const { program } = subject;
  const name = nameText(node, program.source);
  const binding = findBinding(program, name, node);
  if (binding?.kind === "parameter") followParameter(trace, subject, binding, name, steps);
  else if (binding?.kind === "element") followElement(trace, subject, binding, name, steps);
  else if (binding) for (const write of binding.writes) followWrite(trace, subject, program, write, name, steps);
  else followOutside(trace, subject, name, steps);
}

function followElement(
  trace: Tracing,
  subject: Subject,
  { node, over }: Binding & { kind: "element" },
  name: string,
  steps: number,
): void {
  const says = `${inlineCode(name)} is an element of ${inlineCode(textOf(over, subject.program.source))}`;
  trace.log.note(subject.program, node, "iteration", name, says, steps);
  trace.value({ ...subject, node: over, path: [anyKey, ...subject.path] }, steps + 1);
}

/** A name that the file does not declare: a field, what another file of the module writes, or a function without arguments. */
function followOutside(trace: Tracing, subject: Subject, name: string, steps: number): void {
  const { program } = subject;
  if (program.dialect.name === "java" && followField(trace, subject, name, steps)) return;
  const others = trace.programs.all().flatMap((one) =>
    writtenInModule(one, name)
      .slice(-1)
      .map((write) => ({ one, write })),
  );
  for (const { one, write } of others.slice(0, modulesMax))
    followWrite(trace, { ...subject, frame: null, via: null }, one, write, name, steps);
  if (others.length > 0 || program.dialect.name !== "ruby") return;
  const [found] = trace.programs.functionsNamed(name);
  if (found) trace.returns({ ...subject, frame: null, via: null }, found, name, steps);
  else followField(trace, subject, name, steps);
}

function followParameter(
  trace: Tracing,
  subject: Subject,
  { owner, position, fallback }: Binding & { kind: "parameter" },
  name: string,
  steps: number,
): void {
  const { program } = subject;
  const elements = handedOutBy(program, owner, position);
  if (elements) {
    const says = `${inlineCode(name)} is handed in by ${inlineCode(textOf(elements, program.source))}`;
    trace.log.note(program, owner, "iteration", name, says, steps);
    trace.value({ ...subject, node: elements, path: [anyKey, ...subject.path] }, steps + 1);
    return;
  }
  const owned = inlineCode(ownName(program, owner) ?? "a callback");
  trace.log.note(program, owner, "parameter", name, `${inlineCode(name)} is a parameter of ${owned}`, steps);
  const via = subject.via?.entered === owner ? subject.via : null;
  const found = { program, node: owner };
  const calls = via ? [via] : callersOf(trace.programs, trace.frames, found, subject.frame);
  for (const call of calls.slice(0, writesMax))
    followArgument(trace, subject, call, position, name, fallback, steps + 1);
}

function followArgument(
  trace: Tracing,
  subject: Subject,
  site: CallSite,
  position: number,
  name: string,
  fallback: CodeNode | null,
  steps: number,
): void {
  const given = argumentsOf(site.call, site.program.source);
  const node =
    given.find((one) => one.name === name)?.value ??
    (given[position]?.name === null ? given[position]?.value : undefined);
  if (!node) {
    if (fallback && isOrigin(subject, fallback)) {
      const says = `${inlineCode(name)} is ${inlineCode(textOf(fallback, subject.program.source))} when it is not given`;
      trace.log.note(subject.program, fallback, "fallback", name, says, steps);
    }
    return;
  }
  const { source } = site.program;
  const says = `${inlineCode(textOf(node, source))} is passed as ${inlineCode(name)}`;
  trace.log.note(site.program, node, "argument", name, says, steps);
  const outer = subject.via === site ? subject.via.outer.via : null;
  const inner: Subject = { ...subject, program: site.program, node, frame: site.frame, via: outer };
  // What a caller spells out is its input: whoever takes it has to stand it, unless it is what did harm.
  if (isLiteral(plain(node)) && !isOrigin(inner, node)) return;
  trace.value(inner, steps + 1);
}
