import type { LanguageReader } from "../code/ir.ts";
import { parserOf } from "./grammars.ts";
import { BoundedParser, lowerTree, type Shapes } from "./syntax-tree.ts";

/**
 * Creates what reads a language from the shapes of its grammar's nodes. Nodes of the types in `wrappers` are replaced by
 * the one inside.
 */
export async function treeReader(
  grammar: string,
  shapes: Shapes,
  wrappers: ReadonlySet<string>,
): Promise<LanguageReader> {
  const parser = new BoundedParser(await parserOf(`tree-sitter-${grammar}.wasm`));
  return {
    lower: (_, text) => lowerTree(parser, shapes, wrappers, text),
    isWellFormed: (_, text) => parser.isWellFormed(text),
  };
}
