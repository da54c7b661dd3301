import type { GivenName } from "../trace/code/given-names.ts";

/** `key: value`, `"key": value`, `KEY=value`, at the start of a line or of an entry. */
const entry = /(?:^\s*(?:-\s+)?(?:export )?|[{,]\s*)["']?([\w.$-]{1,60})["']?\s*[:=]\s*([^,}]{0,200})/g;

/** Returns the keys that lines of a data file give a value. Lines count from 1. */
export function keysOfData(lines: readonly string[]): GivenName[] {
  return lines.flatMap((line, index) =>
    [...line.matchAll(entry)].map(({ 1: name = "", 2: value = "" }) => ({
      name,
      value: value.trim(),
      line: index + 1,
    })),
  );
}
