import { type Dialect, dialects } from "../dialects.ts";
import type { Lowering } from "../programs.ts";
import type { SourceFiles } from "../source-files.ts";
import { lowerJavaScript } from "./javascript.ts";

/** What lowers each language that some files are written in. A grammar is only loaded for files that need it. */
export async function loweringsFor(files: SourceFiles): Promise<ReadonlyMap<Dialect, Lowering>> {
  const used = dialects.filter(({ endings }) => files.all.some(({ name }) => endings.test(name)));
  return new Map(await Promise.all(used.map(async (dialect) => [dialect, await loweringOf(dialect)] as const)));
}

async function loweringOf({ name }: Dialect): Promise<Lowering> {
  if (name === "javascript") return lowerJavaScript;
  return () => null;
}
