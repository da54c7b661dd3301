import type { RemedyOf } from "../../signals/code/remedy.ts";
import { stepTextOf } from "../code/expressions.ts";
import type { CodeNode } from "../code/ir.ts";
import { nodesBetween } from "../code/ir.ts";
import type { Program } from "../code/program.ts";
import { resolve } from "../code/scopes.ts";
import { type Edit, insert, type Repairing } from "./repair.ts";

const nodesMax = 2_000;

/** Adds an entry that is read later to the object that lacks it, where a variable of that name is in scope. */
export const restoreEntry: Repairing<RemedyOf<"entry">> = ({ name, code }, { program, signal: { subject } }) => {
  const { source, tree } = program;
  const { start, end } = source.lines(subject.line, subject.line);
  const objects = nodesBetween(tree, start, end, nodesMax).filter(
    (node) => node.kind === "object" && source.lineAt(node.start) === subject.line && stepTextOf(node, source) === code,
  );
  const [object, other] = objects;
  const edit = object && !other ? entryIn(program, object, name) : null;
  return edit && { by: "entry", edits: [edit], subject: name };
};

/** Returns the edit that adds the variable of this name to an object; null where there is none. */
export function entryIn(program: Program, object: CodeNode, name: string): Edit | null {
  const { source, dialect } = program;
  const binding = resolve(program, name, object);
  const [first] = object.children;
  const isGiven = object.children.some((one) => one.name === name || one.kind === "spread");
  const isWord = /^[\w$]+$/.test(name);
  if (!binding || isGiven || !isWord || source.text[object.start] !== "{") return null;
  // An import is there for the code that uses it.
  if (binding.kind === "caught" || binding.kind === "import") return null;
  // A variable that is set later has no value yet.
  if (binding.kind === "variable" && binding.node.start > object.start && binding.node.owner === object.owner)
    return null;
  const { writing } = dialect;
  if (!writing) return null;
  const entry = writing.entry(name);
  if (!first) return insert(source, object.start + 1, writing.isIndented ? entry : ` ${entry}`);
  const gap = source.text.slice(object.start + 1, first.start);
  return insert(source, object.start + 1, `${/^\s*$/.test(gap) ? gap : ""}${entry},${gap === "" ? " " : ""}`);
}
