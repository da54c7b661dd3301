import type { RemedyOf } from "../../signals/code/remedy.ts";
import { newlineOf } from "../../source/newline-of.ts";
import { type CodeNode, part } from "../code/ir.ts";
import { parametersOf } from "../code/program.ts";
import { insert, type Repairing } from "./repair.ts";

/** Replaces a default value that all calls share: with `None`, and a new list or dict in the body. */
export const copyDefault: Repairing<RemedyOf<"default">> = ({ name }, { program, signal: { subject } }) => {
  const { source, dialect, functions } = program;
  const owners = functions.filter((one) =>
    parametersOf(one).some((each) => each.name === name && source.lineAt(each.start) === subject.line),
  );
  const [owner, other] = owners;
  const fallback = owner && part(parametersOf(owner).find((one) => one.name === name) ?? owner, "fallback");
  const first = owner && firstStatement(owner, source.text);
  if (!owner || other || !fallback || !first || !dialect.defaultsAreShared) return null;
  const line = source.lines(source.lineAt(first.start), source.lineAt(first.start));
  const indent = source.text.slice(line.start, first.start);
  if (indent.trim() !== "") return null;
  const newline = newlineOf(source);
  const made = source.text.slice(fallback.start, fallback.end);
  return {
    by: "default",
    edits: [
      { source, start: fallback.start, end: fallback.end, text: "None" },
      insert(source, line.start, `${indent}if ${name} is None:${newline}${indent}    ${name} = ${made}${newline}`),
    ],
    subject: name,
  };
};

/** Returns the first statement of a function, after what documents it. */
function firstStatement(owner: CodeNode, text: string): CodeNode | null {
  const body = part(owner, "body");
  const statements = body?.kind === "block" ? body.children : [];
  return statements.find(({ start }) => !/^(?:[rRuU]?"""|[rRuU]?''')/.test(text.slice(start, start + 4))) ?? null;
}
