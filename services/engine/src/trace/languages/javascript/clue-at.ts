import type ts from "typescript";
import type { Clue } from "../../../findings.ts";
import { nameAround } from "./functions.ts";
import type { Program } from "./program.ts";

/** Something seen at a node, that is no step of a value. */
export function clueAt(program: Program, node: ts.Node, kind: Clue["kind"], subject: string, says: string): Clue {
  const { source, tree } = program;
  const line = source.lineAt(node.getStart(tree));
  const place = { file: source.name, line, function: nameAround(node), source };
  return { kind, place, subject, says, steps: 0, how: null, isEnd: false };
}
