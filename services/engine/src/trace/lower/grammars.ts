import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Parser } from "@vscode/tree-sitter-wasm";

const require = createRequire(import.meta.url);
const parsers = new Map<string, Promise<Parser>>();
/** Begun once: grammars that are loaded by two beginnings at the same time can't be read. */
let started: Promise<void> | undefined;

/**
 * Returns the parser of a grammar, compiled on first use, so that investigations of other languages don't pay for it.
 * The grammars are WebAssembly, the same on every platform and in every thread.
 */
export function parserOf(grammar: string): Promise<Parser> {
  const known = parsers.get(grammar);
  if (known) return known;
  const loading = load(grammar);
  parsers.set(grammar, loading);
  // Tried again by the next investigation.
  loading.catch(() => {
    parsers.delete(grammar);
    started = undefined;
  });
  return loading;
}

async function load(grammar: string): Promise<Parser> {
  const entry = require.resolve("@vscode/tree-sitter-wasm");
  const treeSitter: typeof import("@vscode/tree-sitter-wasm") = require(entry);
  started ??= treeSitter.Parser.init();
  await started;
  const language = await treeSitter.Language.load(join(dirname(entry), grammar));
  return new treeSitter.Parser().setLanguage(language);
}
