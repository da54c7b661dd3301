import type { ParsedError } from "../findings/parsed-error.ts";

/** How many lines up to the failing one are looked at: its condition, and what it is computed from. */
const linesBefore = 8;
const fieldsMax = 4;
/** Shorter names, such as `id`, are everywhere. */
const fieldLengthMin = 4;
/** A field that isn't called: `order.weight`, `row["weight"]`. */
const field = /(?:\.|\[["'])([A-Za-z_]\w{0,60})\b(?!\s*\()/g;
const dataFile = /["'`]((?:[\w@.-]{1,100}\/){0,8}[\w@-][\w@.-]{0,100}\.(?:json|ya?ml|toml|csv|ini|db|sqlite))["'`]/g;
const dataFilesMax = 2;

/**
 * Returns the fields that the innermost failing line of a file reads, or else those of the lines before it, nearest
 * first: other code sets them.
 */
export function fieldsReadAt(error: ParsedError, text: string): string[] {
  const frames = error.chain.flatMap((index) => error.exceptions[index]?.frames ?? []);
  const line = frames.find(({ origin }) => origin === "app")?.line ?? null;
  if (line === null) return [];
  const lines = text
    .split("\n")
    .slice(Math.max(0, line - linesBefore), line)
    .toReversed();
  const [here = [], ...before] = lines.map(fieldsIn);
  return [...new Set(here.length > 0 ? here : before.flat())].slice(0, fieldsMax);
}

function fieldsIn(line: string): string[] {
  const named = [...line.matchAll(field)].flatMap(([, name = ""]) => name);
  return named.filter(({ length }) => length >= fieldLengthMin);
}

/** Returns the data files that texts name by a path: other code may write them. */
export function dataFilesNamed(texts: readonly string[]): string[] {
  const named = texts.flatMap((text) => [...text.matchAll(dataFile)].flatMap(([, path = ""]) => path));
  return [...new Set(named.filter((path) => path.includes("/")))].slice(0, dataFilesMax);
}
