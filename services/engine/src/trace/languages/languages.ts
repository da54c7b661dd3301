import type { SourceText } from "../../source-text.ts";
import type { SourceFiles } from "../source-files.ts";
import { go } from "./go/go.ts";
import { java } from "./java/java.ts";
import { javascript } from "./javascript/javascript.ts";
import type { Language } from "./language.ts";
import { python } from "./python/python.ts";
import { ruby } from "./ruby/ruby.ts";
import { treeLanguage } from "./tree/tree-language.ts";

/** The languages that are read with a grammar. */
const dialects = [python, go, java, ruby];

/** The languages that some files are written in. A grammar is only loaded for files that need it. */
export async function languagesOf(
  files: SourceFiles,
  onStack: ReadonlyMap<SourceText, readonly number[]>,
): Promise<readonly Language[]> {
  const used = dialects.filter(({ endings }) => files.all.some(({ name }) => endings.test(name)));
  return [
    javascript(files, onStack),
    ...(await Promise.all(used.map((dialect) => treeLanguage(dialect, files, onStack)))),
  ];
}
