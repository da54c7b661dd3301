import type { Lowering } from "../code/ir.ts";
import { parserOf } from "./grammars.ts";
import { BoundedParser, lowerTree, type Shapes } from "./syntax-tree.ts";

/**
 * Creates the lowering of a language from the shapes of its grammar's nodes. Nodes of the types in `wrappers` are
 * replaced by the one inside.
 */
export async function treeLowering(grammar: string, shapes: Shapes, wrappers: ReadonlySet<string>): Promise<Lowering> {
  const parser = new BoundedParser(await parserOf(`tree-sitter-${grammar}.wasm`));
  return (_, text) => lowerTree(parser, shapes, wrappers, text);
}

/** Returns whether a text is well-formed in the language of a grammar. */
export async function parsesAs(grammar: string, text: string): Promise<boolean> {
  const parser = await parserOf(`tree-sitter-${grammar}.wasm`);
  return new BoundedParser(parser).isWellFormed(text);
}
