import type { Program } from "../program.ts";
import { type Edit, insert } from "./repair.ts";

/** Returns the edit that imports a module of Python; none where it is imported. */
export function withImport({ imports, source, tree }: Program, module: string): Edit[] {
  if (new RegExp(`^import (?:.*, *)?${module}(?: *,.*)?$`, "m").test(source.text)) return [];
  const first = imports.find(({ name, parent }) => parent === tree && name !== "__future__");
  const line = first ? source.lineAt(first.start) : 1;
  return [insert(source, source.lines(line, line).start, `import ${module}\n`)];
}
