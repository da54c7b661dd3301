import { credentialNamed, cutWithoutCredentials } from "@whence/protocol/credentials";
import * as sdkLimits from "../sdk-limits.ts";
import type { ReadValue } from "./read-value.ts";

/** Writes what was read of a named value as JavaScript would, with its credentials masked, and cut. */
export function valueText(value: ReadValue, name = ""): string {
  return cut(named(value, name));
}

/** Returns a text in the characters of a value. */
export function cut(text: string): string {
  const lengthMax = sdkLimits.watchTextCharactersMax;
  return text.length > lengthMax ? `${text.slice(0, lengthMax - 1)}…` : text;
}

function named(value: ReadValue, name: string): string {
  if ("word" in value && (value.word === "undefined" || value.word === "null")) return value.word;
  // Of what has a credential's name, nothing inside is written either.
  if (credentialNamed.test(name)) return "[redacted]";
  if ("text" in value) return quoted(value.text);
  if ("word" in value) return value.word;
  // Of an object, other fields aren't known.
  if ("entries" in value)
    return `{${[...value.entries.map(([key, item]) => `${quoted(key)}: ${named(item, key)}`), "…"].join(", ")}}`;
  const items = value.items.map((item) => named(item, name));
  return `[${[...items, ...(value.more > 0 ? [`… ${value.more} more`] : [])].join(", ")}]`;
}

function quoted(text: string): string {
  return JSON.stringify(cut(cutWithoutCredentials(text)));
}
