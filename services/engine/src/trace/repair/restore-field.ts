import type { RemedyOf } from "../../signals/code/remedy.ts";
import { newlineOf } from "../../source/newline-of.ts";
import type { SourceText } from "../../source/source-text.ts";
import { classAround } from "../code/functions.ts";
import { around, type CodeNode, part, walk } from "../code/ir.ts";
import { parametersOf } from "../code/program.ts";
import { namedOn } from "./code-names.ts";
import { insert, type Repairing } from "./repair.ts";

/**
 * Sets a field that a class reads and never sets: to the constructor's parameter of the same name, or else to an empty
 * value, where a method called on the field shows its type.
 */
export const restoreField: Repairing<RemedyOf<"field">> = ({ name }, { program, codebase, signal: { subject } }) => {
  const read = namedOn(program, subject.line, name).find(
    ({ node }) => part(node, "on")?.kind === "self" || isSelf(node),
  );
  const owner = read && classAround(read.node);
  if (!owner || codebase.near().some((one) => (one.fieldWrites.get(name) ?? []).length > 0)) return null;
  const made = [...program.dialect.constructors];
  const maker = program.functions.find(
    (one) => one.name !== null && made.includes(one.name) && classAround(one) === owner,
  );
  const body = maker && part(maker, "body");
  const [first] = body?.children ?? [];
  if (!maker || !body || !first || body.kind !== "block") return null;
  const { writing } = program.dialect;
  if (!writing) return null;
  const isGiven = parametersOf(maker).some((one) => one.name === name);
  const value = isGiven ? name : emptyFor(owner, name, writing.empty);
  if (value === null) return null;
  const at = after(body, program.source, writing.isIndented);
  if (!at) return null;
  const end = writing.isIndented ? "" : ";";
  return {
    by: "field",
    edits: [insert(program.source, at.position, `${at.before}${writing.self}.${name} = ${value}${end}${at.after}`)],
    subject: name,
  };
};

function isSelf(node: CodeNode): boolean {
  const on = part(node, "on");
  return on?.kind === "name" && on.name === "self";
}

/** Returns the literal that its methods ask for; null where they ask for none, or for several. */
function emptyFor(owner: CodeNode, name: string, empty: ReadonlyMap<string, string>): string | null {
  const asked = new Set<string>();
  for (const node of walk(owner)) {
    const on = node.kind === "member" ? part(node, "on") : null;
    if (on?.kind !== "member" || on.name !== name || !node.name) continue;
    const made = empty.get(node.name);
    if (made && around(on, "class") === owner) asked.add(made);
  }
  const [only, other] = asked;
  return only !== undefined && other === undefined ? only : null;
}

/** Before the first statement, or after a call of the parent's constructor; null where that is on the line of another. */
function after(
  body: CodeNode,
  source: SourceText,
  isIndented: boolean,
): { readonly position: number; readonly before: string; readonly after: string } | null {
  const isSuper = (node: CodeNode): boolean => /^(?:super\b|"""|''')/.test(source.text.slice(node.start));
  const skipped = body.children.filter(isSuper).at(-1);
  const next = body.children.find(({ start }) => !skipped || start > skipped.start);
  const anchor = next ?? skipped ?? body;
  const lineStart = source.text.lastIndexOf("\n", anchor.start) + 1;
  const indent = /^[ \t]*/.exec(source.text.slice(lineStart))?.[0] ?? "";
  if (isIndented && source.text.slice(lineStart, anchor.start).trim() !== "") return null;
  const newline = newlineOf(source);
  return next
    ? { position: anchor.start, before: "", after: `${newline}${indent}` }
    : { position: anchor.end, before: `${newline}${indent}`, after: "" };
}
