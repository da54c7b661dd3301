import { inlineCode } from "../../../prose.ts";
import { isSelf } from "./calls.ts";
import { type CodeNode, isWithin } from "./code-node.ts";
import { followData } from "./data-keys.ts";
import { isLiteral, keyText, lastName, receiverOf, textOf } from "./expressions.ts";
import { anyKey, type Subject, type Tracing } from "./subject.ts";
import { keyRead } from "./throw-site.ts";
import { followField, noteUnset } from "./trace-fields.ts";
import { isOrigin } from "./trace-literals.ts";

const _writesMax = 3;
/** Places that write under one key. */
const entriesMax = 4;

export function followMember(trace: Tracing, subject: Subject, node: CodeNode, steps: number): void {
  const { program } = subject;
  const name = lastName(node, program.source);
  if (name === null) return;
  const says = `${inlineCode(textOf(node, program.source))} is read here`;
  trace.log.note(program, node, "property", name, says, steps);
  const receiver = receiverOf(node);
  if (receiver) noteUnset(trace, subject, receiver, name, steps + 1);
  if (followField(trace, subject, name, steps + 1)) return;
  if (receiver && !isSelf(program, receiver))
    trace.value({ ...subject, node: receiver, path: [name, ...subject.path] }, steps + 1);
}

/** `container[key]`: into the container, and if that leads nowhere to whatever is written under the key. */
export function followIndex(trace: Tracing, subject: Subject, node: CodeNode, steps: number): void {
  const { program } = subject;
  const read = keyRead(program, node);
  if (!read) return;
  const key = keyText(read.key, program.source);
  const says = `${inlineCode(textOf(node, program.source))} is read here`;
  trace.log.note(program, node, "property", key ?? "", says, steps);
  if (read.fallback && isOrigin(subject, read.fallback)) {
    const text = inlineCode(textOf(read.fallback, program.source, 40));
    const missed = inlineCode(textOf(read.key, program.source, 40));
    trace.log.note(program, read.fallback, "fallback", text, `${text} stands in for a missing ${missed}`, steps + 1);
    return;
  }
  const before = trace.log.length;
  trace.value({ ...subject, node: read.on, path: [key ?? anyKey, ...subject.path] }, steps + 1);
  if (key === null) {
    if (!isLiteral(read.key) && subject.path.length === 0)
      trace.value({ ...subject, node: read.key, path: [], wanted: "any" }, steps + 2);
    return;
  }
  if (!trace.log.hasOriginSince(before)) followEntries(trace, subject, node, key, steps + 1);
  if (!trace.log.hasOriginSince(before)) followData(trace, program, [key], steps + 1, false);
}

/** What is written under a key anywhere in the code: a session, a context, a message hands it on unseen. */
export function followEntries(trace: Tracing, subject: Subject, use: CodeNode, key: string, steps: number): void {
  const entries = trace.programs
    .all()
    .flatMap((program) => (program.entries.get(key) ?? []).map((entry) => ({ program, entry })))
    .filter(({ program, entry }) => program !== subject.program || !isWithin(use, entry.node));
  for (const { program, entry } of entries.slice(0, entriesMax)) {
    const says = `${inlineCode(key)} is given ${inlineCode(textOf(entry.value, program.source))}`;
    const isMeant = subject.wanted === "any" || isOrigin(subject, entry.value);
    trace.log.note(program, entry.node, isMeant ? "data" : "property", key, says, steps);
    trace.value({ ...subject, program, node: entry.value, frame: null, via: null }, steps + 1);
  }
}
