import { isDate, isStringObject } from "node:util/types";
import { redactedValue } from "@whence/protocol/redaction";
import { bigintText } from "../runtime/bigint-text.ts";
import { errorText, isError } from "../runtime/is-error.ts";
import { readProperty } from "../runtime/read-property.ts";
import { trimText } from "../runtime/text.ts";
import * as sdkLimits from "../sdk-limits.ts";
import { type FieldRules, isReplaced, replacementOf, withoutKey } from "./redact.ts";

/** The budget left for copying a value. */
interface Budget {
  characters: number;
}

/** The cost of any value that isn't a string, even an empty list: a tree of lists has four levels of fifty. */
const valueCharacters = 8;
const keepAll: FieldRules = { ruleOf: () => undefined, within: () => keepAll };

/**
 * Returns a copy of any value as JSON can carry it, without cycles or throwing getters: at most `characters` characters
 * of keys and strings (any other value counts as a few), {@link sdkLimits.dataDepthMax} levels, and {@link
 * sdkLimits.propertiesMax} entries per level. Leaves out what JSON can't represent (functions, symbols, undefined).
 * Redacted by `rules`, and without texts that have a private key.
 */
export function boundedData(
  value: unknown,
  characters: number,
  rules: FieldRules = keepAll,
): { data: unknown; characters: number } {
  const budget = { characters };
  const data = copy(value, budget, sdkLimits.dataDepthMax, rules);
  return { data, characters: characters - Math.max(0, budget.characters) };
}

/** Returns {@link boundedData} of a record, redacted by `rules`; undefined for anything else. */
export function boundedRecord(
  value: unknown,
  characters: number,
  rules: FieldRules = keepAll,
): { data: Record<string, unknown>; characters: number } | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const budget = { characters };
  const data = copyRecord(value, budget, sdkLimits.dataDepthMax, rules);
  return { data, characters: characters - Math.max(0, budget.characters) };
}

/**
 * Returns the first own enumerable string keys; none for an object that throws when asked, such as a revoked Proxy.
 * None for byte arrays and string objects either: they have a key per element, and listing them takes seconds.
 */
export function ownKeys(target: object): string[] {
  if (ArrayBuffer.isView(target) || isStringObject(target)) return [];
  try {
    return Object.keys(target).slice(0, sdkLimits.propertiesMax);
  } catch {
    return [];
  }
}

/**
 * Returns the first items of an array; undefined for anything else, and for one that can't be read, such as a revoked
 * Proxy.
 */
export function readItems(value: unknown): unknown[] | undefined {
  try {
    return Array.isArray(value) ? Array.prototype.slice.call(value, 0, sdkLimits.propertiesMax) : undefined;
  } catch {
    return undefined;
  }
}

function copy(value: unknown, budget: Budget, depth: number, rules: FieldRules): unknown {
  if (typeof value === "string") return spend(value, budget);
  budget.characters -= valueCharacters;
  switch (typeof value) {
    case "number":
      return Number.isFinite(value) ? value : String(value);
    case "boolean":
      return value;
    case "bigint":
      return spend(bigintText(value) ?? "[bigint]", budget);
    case "object":
      return value === null ? null : copyObject(value, budget, depth, rules);
    default:
      return undefined;
  }
}

function copyObject(value: object, budget: Budget, depth: number, rules: FieldRules): unknown {
  if (isDate(value)) return copyDate(value, budget);
  if (isStringObject(value)) return spend(String.prototype.valueOf.call(value), budget);
  if (ArrayBuffer.isView(value)) return spend(bytesText(value), budget);
  if (isError(value)) return spend(errorText(value), budget);
  const items = readItems(value);
  if (depth === 0 || budget.characters <= 0) return items ? "[array]" : "[object]";
  if (!items) return copyRecord(value, budget, depth - 1, rules);
  return items.map((item) => copy(item, budget, depth - 1, rules) ?? null);
}

function bytesText(value: ArrayBufferView): string {
  const bytes = readProperty(value, "byteLength");
  return typeof bytes === "number" ? `[${bytes} bytes]` : "[bytes]";
}

/** Copies a date without calling a method that the program may have overridden. */
function copyDate(value: Date, budget: Budget): unknown {
  const time = Date.prototype.getTime.call(value);
  return Number.isNaN(time) ? null : spend(new Date(time).toISOString(), budget);
}

function copyRecord(value: object, budget: Budget, depth: number, rules: FieldRules): Record<string, unknown> {
  // Without a prototype, a key named __proto__ is a key like any other.
  const result: Record<string, unknown> = Object.create(null);
  for (const key of ownKeys(value)) {
    if (budget.characters <= 0) break;
    const copied = isReplaced(rules, key)
      ? spend(redactedValue, budget)
      : copyField(key, readProperty(value, key), budget, depth, rules);
    if (copied !== undefined) result[spend(key, budget)] = copied;
  }
  return result;
}

function copyField(name: string, value: unknown, budget: Budget, depth: number, rules: FieldRules): unknown {
  // What the program hands over as a field of its own may be a variable of the environment.
  const isGiven = depth === sdkLimits.dataDepthMax;
  const replacement = isGiven ? undefined : replacementOf(rules, name, value);
  return replacement === undefined ? copy(value, budget, depth, rules.within(name)) : spend(replacement, budget);
}

function spend(text: string, budget: Budget): string {
  const kept = withoutKey(trimText(text, Math.max(0, budget.characters)));
  budget.characters -= kept.length + 4;
  return kept;
}
