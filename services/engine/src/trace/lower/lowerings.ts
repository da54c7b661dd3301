import type { Lowering } from "../codebase.ts";
import { type Dialect, dialects } from "../dialects.ts";
import type { GivenFiles } from "../given-files.ts";
import { goShapes, goWrappers } from "./go.ts";
import { parserOf } from "./grammars.ts";
import { javaShapes, javaWrappers } from "./java.ts";
import { pythonShapes, pythonWrappers } from "./python.ts";
import { rubyShapes, rubyWrappers } from "./ruby.ts";
import { BoundedParser, lowerTree, type Shapes } from "./syntax-tree.ts";

const trees: Readonly<Record<Exclude<Dialect["name"], "javascript">, readonly [Shapes, ReadonlySet<string>]>> = {
  python: [pythonShapes, pythonWrappers],
  go: [goShapes, goWrappers],
  java: [javaShapes, javaWrappers],
  ruby: [rubyShapes, rubyWrappers],
};

/** What lowers each language that some files are written in. A parser is only loaded for files that need it. */
export async function loweringsFor(files: GivenFiles): Promise<ReadonlyMap<Dialect, Lowering>> {
  const used = dialects.filter(({ endings }) => files.all.some(({ name }) => endings.test(name)));
  return new Map(await Promise.all(used.map(async (dialect) => [dialect, await loweringOf(dialect)] as const)));
}

/** Loads TypeScript's parser, which takes 50 MB and 0.1 s; an investigation of JavaScript that finds it loaded starts sooner. */
export function loadJavaScript(): Promise<typeof import("./javascript.ts")> {
  return import("./javascript.ts");
}

async function loweringOf({ name }: Dialect): Promise<Lowering> {
  if (name === "javascript") return (await loadJavaScript()).lowerJavaScript;
  const [shapes, wrappers] = trees[name];
  const parser = new BoundedParser(await parserOf(`tree-sitter-${name}.wasm`));
  return (_, text) => lowerTree(parser, shapes, wrappers, text);
}
