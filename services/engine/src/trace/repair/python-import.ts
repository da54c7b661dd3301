import { newlineOf } from "../../source/newline-of.ts";
import type { CodeNode } from "../code/ir.ts";
import { importedBy } from "../code/modules.ts";
import type { Program } from "../code/program.ts";
import { resolve } from "../code/scopes.ts";
import { type Edit, insert } from "./repair.ts";

/** Returns the edit that imports a module of Python; none where it is imported, null where its name is something else. */
export function withImport(program: Program, module: string, at: CodeNode): Edit[] | null {
  const { imports, source, tree } = program;
  const binding = resolve(program, module, at);
  if (binding) {
    const imported = importedBy(binding);
    return imported?.specifier === module && imported.path.length === 0 ? [] : null;
  }
  const first = imports.find(({ name, parent }) => parent === tree && name !== "__future__");
  const line = first ? source.lineAt(first.start) : 1;
  return [insert(source, source.lines(line, line).start, `import ${module}${newlineOf(source)}`)];
}
