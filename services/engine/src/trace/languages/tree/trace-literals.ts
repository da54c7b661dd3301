import { inlineCode } from "../../../prose.ts";
import { closest } from "../../similar-names.ts";
import { type CodeNode, part } from "./code-node.ts";
import { isLiteral, isNothing, keyText, plain, textOf } from "./expressions.ts";
import { anyKey, type Subject, type Tracing } from "./subject.ts";

const elementsMax = 6;

/** Whether a value that is written out is the one that did harm. */
export function isOrigin({ wanted, path, program }: Subject, value: CodeNode): boolean {
  const node = plain(value);
  if (path.length > 0) return false;
  if (wanted === "nothing") return isNothing(node);
  if (wanted === "zero") return node.kind === "number" && /^0+(?:\.0*)?$/.test(textOf(node, program.source));
  return false;
}

export function noteLiteral(trace: Tracing, subject: Subject, steps: number): void {
  const { program, node, path, wanted } = subject;
  // What is written at the failing expression itself is what it is meant to be.
  if (path.length > 0 || steps === 1 || (wanted !== "any" && !isOrigin(subject, node))) return;
  const text = textOf(node, program.source, 40);
  trace.log.note(program, node, "literal", text, `the value is written here: ${inlineCode(text)}`, steps);
}

/** A collection that is written out: the value of its key, or that it lacks the key. */
export function followCollection(trace: Tracing, subject: Subject, node: CodeNode, steps: number): void {
  const { program, path } = subject;
  const { source } = program;
  const [key, ...rest] = path;
  const body = part(node, "body") ?? node;
  const entries = body.children.filter(({ kind }) => kind === "entry");
  if (key === undefined) return;
  if (entries.length === 0) {
    followElements(trace, { ...subject, path: rest }, body, key, steps);
    return;
  }
  const keys = entries.map((entry) => keyText(part(entry, "key") ?? entry, source));
  const found = entries[keys.indexOf(key)];
  const value = found && part(found, "value");
  if (value) {
    const says = `${inlineCode(key)} is given ${inlineCode(textOf(value, source))}`;
    trace.log.note(program, value, "property", key, says, steps);
    trace.value({ ...subject, node: value, path: rest }, steps + 1);
    return;
  }
  if (key === anyKey) {
    for (const entry of entries.slice(0, elementsMax)) {
      const one = part(entry, "value");
      if (one && !isLiteral(one)) trace.value({ ...subject, node: one, path: rest }, steps + 1);
    }
    return;
  }
  noteMissing(trace, subject, node, entries, key, steps);
}

/** The key is not there: beside one that is spelled almost like it, it is a slip of the pen. */
function noteMissing(
  trace: Tracing,
  subject: Subject,
  node: CodeNode,
  entries: readonly CodeNode[],
  key: string,
  steps: number,
): void {
  const { program } = subject;
  const isWhole = node.children.every(({ type }) => !/splat|spread/.test(type));
  if (!isWhole) return;
  const names = entries.map((entry) => keyText(part(entry, "key") ?? entry, program.source) ?? "");
  const alike = closest(names, key);
  const twin = alike === null ? undefined : entries[names.indexOf(alike)];
  if (twin && alike !== null) {
    const says = `${inlineCode(key)} is missed, and ${inlineCode(alike)} is written here: the name is misspelled`;
    trace.log.note(program, twin, "setting", key, says, steps);
    return;
  }
  const nothing = subject.wanted === "nothing" ? `: it is ${inlineCode(program.dialect.nothing)}` : "";
  trace.log.note(program, node, "missing-key", key, `what is made here has no ${inlineCode(key)}${nothing}`, steps);
}

function followElements(trace: Tracing, subject: Subject, list: CodeNode, key: string, steps: number): void {
  const elements = list.children.filter(({ kind }) => kind !== "operator");
  const one = /^\d+$/.test(key) ? elements[Number(key)] : undefined;
  for (const node of one ? [one] : elements.slice(0, elementsMax)) trace.value({ ...subject, node }, steps + 1);
}
