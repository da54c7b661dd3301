import type { RemedyOf } from "../../signals/code/remedy.ts";
import type { CodeNode } from "../code/ir.ts";
import { exportedNames } from "../code/modules.ts";
import type { Program } from "../code/program.ts";
import { resolveInModule } from "../code/scopes.ts";
import { insert, type Repairing } from "./repair.ts";

/** Exports what a module declares at its top level. */
export const exportName: Repairing<RemedyOf<"export">> = ({ name }, { program }) => {
  const { source } = program;
  const declared = resolveInModule(program, name);
  if (!declared || !["function", "class", "variable"].includes(declared.kind)) return null;
  if (exportedNames(program)?.has(name)) return null;
  const statement = statementOf(declared.node, program);
  const text = statement && source.text.slice(statement.start);
  if (
    !text ||
    !isModule(program) ||
    !/^(?:async\s+)?(?:function|class)\b|^(?:const|let|var|abstract|enum)\b/.test(text)
  )
    return null;
  return { by: "export", edits: [insert(source, statement.start, "export ")], subject: name };
};

/** Returns whether a file is written as a module of ECMAScript. */
function isModule({ source }: Program): boolean {
  return /^(?:import|export)\b/m.test(source.text);
}

/** Returns the statement at the top level of a module that declares something; its text begins a line. */
function statementOf(node: CodeNode, { tree, source }: Program): { readonly start: number } | null {
  let at = node;
  while (at.parent && at.parent !== tree) at = at.parent;
  const start = source.text.lastIndexOf("\n", at.start) + 1;
  return at.parent === tree && /^\S/.test(source.text.slice(start)) ? { start } : null;
}
