import type { RemedyOf } from "../../signals/code/remedy.ts";
import { newlineOf } from "../../source/newline-of.ts";
import type { SourceText } from "../../source/source-text.ts";
import { type CodeNode, part } from "../code/ir.ts";
import { parametersOf } from "../code/program.ts";
import { type Edit, insert, type Repairing } from "./repair.ts";

/** Replaces a default value that all calls share: with `None`, and a new list or dict in the body. */
export const copyDefault: Repairing<RemedyOf<"default">> = ({ name }, { program, signal: { subject } }) => {
  const { source, dialect, functions } = program;
  const isParameter = (one: CodeNode): boolean => one.name === name && source.lineAt(one.start) === subject.line;
  const owners = functions.filter((one) => parametersOf(one).some(isParameter));
  const [owner, other] = owners;
  const parameter = owner && parametersOf(owner).find(isParameter);
  const fallback = parameter && part(parameter, "fallback");
  const first = owner && firstStatement(owner, source.text);
  if (!owner || other || !parameter || !fallback || !first || !dialect.defaultsAreShared) return null;
  const line = source.lines(source.lineAt(first.start), source.lineAt(first.start));
  const indent = source.text.slice(line.start, first.start);
  if (indent.trim() !== "") return null;
  const newline = newlineOf(source);
  const made = source.text.slice(fallback.start, fallback.end);
  return {
    by: "default",
    edits: [
      ...optionalType(source, parameter.start, fallback.start),
      { source, start: fallback.start, end: fallback.end, text: "None" },
      insert(source, line.start, `${indent}if ${name} is None:${newline}${indent}    ${name} = ${made}${newline}`),
    ],
    subject: name,
  };
};

/** Lets the type before a default be `None`, too, in the way that the file's Python allows; nothing where none is known. */
function optionalType(source: SourceText, from: number, to: number): Edit[] {
  const [, before, type] = /^(\w+\s*:\s*)(\S(?:.*\S)?)\s*=\s*$/s.exec(source.text.slice(from, to)) ?? [];
  if (before === undefined || type === undefined || /\bNone\b|\bOptional\b|\bAny\b/.test(type)) return [];
  const start = from + before.length;
  const edit = (text: string): Edit[] => [{ source, start, end: start + type.length, text }];
  if (unions.test(source.text)) return edit(`${type} | None`);
  return importedOptional.test(source.text) ? edit(`Optional[${type}]`) : [];
}

/** Types are never evaluated, or one is already written as a union, which needs Python 3.10. */
const unions = /^from __future__ import [^\n]*\bannotations\b|[\w\]] \| None\b/m;
const importedOptional = /^from typing import [^\n]*\bOptional\b/m;

/** Returns the first statement of a function, after what documents it. */
function firstStatement(owner: CodeNode, text: string): CodeNode | null {
  const body = part(owner, "body");
  const statements = body?.kind === "block" ? body.children : [];
  return statements.find(({ start }) => !/^(?:[rRuU]?"""|[rRuU]?''')/.test(text.slice(start, start + 4))) ?? null;
}
