import { isDate, isNativeError } from "node:util/types";
import { redactedValue } from "@whence/protocol/redaction";
import { readProperty } from "./read-property.ts";
import type { FieldRules } from "./redact.ts";
import { sdkLimits } from "./sdk-limits.ts";
import { trimText } from "./text.ts";

export { readProperty };

/** What is left to spend while a value is copied. */
interface Budget {
  characters: number;
}

const keepAll: FieldRules = { ruleOf: () => undefined, within: () => keepAll };

/**
 * A copy of any value that JSON can carry: no cycle, no getter that throws, at most `characters` characters of keys
 * and strings, {@link sdkLimits.dataDepthMax} levels, {@link sdkLimits.propertiesMax} entries a level. What JSON has no
 * word for (functions, symbols, undefined) is left out.
 */
export function boundedData(value: unknown, characters: number): { data: unknown; characters: number } {
  const budget = { characters };
  const data = copy(value, budget, sdkLimits.dataDepthMax, keepAll);
  return { data, characters: characters - Math.max(0, budget.characters) };
}

/** {@link boundedData} for what must be a record, redacted by `rules`; anything else is undefined. */
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

/** The first own enumerable string keys; none of what refuses to tell them, as a revoked Proxy does. */
export function ownKeys(target: object): string[] {
  try {
    return Object.keys(target).slice(0, sdkLimits.propertiesMax);
  } catch {
    return [];
  }
}

/** The first items of an array; undefined for what is none, or refuses to tell, as a revoked Proxy does. */
export function readItems(value: unknown): unknown[] | undefined {
  try {
    return Array.isArray(value) ? Array.prototype.slice.call(value, 0, sdkLimits.propertiesMax) : undefined;
  } catch {
    return undefined;
  }
}

/** A string as it is; anything else is none. */
export function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function copy(value: unknown, budget: Budget, depth: number, rules: FieldRules): unknown {
  switch (typeof value) {
    case "string":
      return spend(value, budget);
    case "number":
      budget.characters -= 8;
      return Number.isFinite(value) ? value : String(value);
    case "boolean":
      return value;
    case "bigint":
      return spend(value.toString(), budget);
    case "object":
      return value === null ? null : copyObject(value, budget, depth, rules);
    default:
      return undefined;
  }
}

function copyObject(value: object, budget: Budget, depth: number, rules: FieldRules): unknown {
  if (isDate(value)) return spend(JSON.stringify(Date.prototype.toJSON.call(value)).replaceAll('"', ""), budget);
  if (isNativeError(value))
    return spend(`${asText(readProperty(value, "name"))}: ${asText(readProperty(value, "message"))}`, budget);
  const items = readItems(value);
  if (depth === 0 || budget.characters <= 0) return items ? "[array]" : "[object]";
  if (!items) return copyRecord(value, budget, depth - 1, rules);
  return items.map((item) => copy(item, budget, depth - 1, rules) ?? null);
}

function copyRecord(value: object, budget: Budget, depth: number, rules: FieldRules): Record<string, unknown> {
  // Without a prototype a key named __proto__ is a key like any other.
  const result: Record<string, unknown> = Object.create(null);
  for (const key of ownKeys(value)) {
    if (budget.characters <= 0) break;
    const copied =
      rules.ruleOf(key) === undefined
        ? copy(readProperty(value, key), budget, depth, rules.within(key))
        : spend(redactedValue, budget);
    if (copied !== undefined) result[spend(key, budget)] = copied;
  }
  return result;
}

function spend(text: string, budget: Budget): string {
  const kept = trimText(text, Math.max(0, budget.characters));
  budget.characters -= kept.length + 4;
  return kept;
}
