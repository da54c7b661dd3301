import { isDate, isMap, isNativeError, isPromise, isProxy, isSet } from "node:util/types";
import { redactedValue } from "@whence/protocol/redaction";
import { bigintText } from "../runtime/bigint-text.ts";
import { asText } from "../runtime/read-property.ts";
import { trimText } from "../runtime/text.ts";
import * as sdkLimits from "../sdk-limits.ts";
import { type FieldRules, isReplaced, replacementOf, withoutKey } from "./redact.ts";

/** Values described only by their kind. A Proxy comes first: its traps would answer the other checks. */
const opaqueKinds: readonly (readonly [text: string, is: (value: object) => boolean])[] = [
  ["[proxy]", isProxy],
  ["[bytes]", (value) => ArrayBuffer.isView(value)],
  ["[map]", isMap],
  ["[set]", isSet],
  ["[promise]", isPromise],
];
/** The key under which a level states how many entries were left out. */
export const restName = "…";
/** Taken before the program may replace them. */
const dateText = Date.prototype.toISOString;
const dateTime = Date.prototype.getTime;

function copyBigint(value: bigint): string {
  const text = bigintText(value);
  return text === undefined ? "[bigint]" : trimText(`[bigint ${text}]`, sdkLimits.localsTextCharactersMax);
}

/**
 * Copies values without running the program's code: no getter, no Proxy trap, no method. `undefined` becomes
 * `[undefined]`, since JSON has no such value; functions and symbols are left out, and values with a redacted name,
 * and texts with a private key, aren't copied. At most {@link sdkLimits.localsDepthMax} levels and {@link
 * sdkLimits.localsEntriesMax} entries per level, which ends with the number left out. After {@link
 * sdkLimits.localsValuesMax} values, objects are described only by their kind.
 */
export class InertCopier {
  readonly #rules: FieldRules;
  #left: number = sdkLimits.localsValuesMax;

  constructor(rules: FieldRules) {
    this.#rules = rules;
  }

  /** Returns a copy of an own property; undefined when there is nothing to show. */
  property(target: object, key: string, depth: number = sdkLimits.localsDepthMax): unknown {
    if (isReplaced(this.#rules, key)) return redactedValue;
    try {
      const property = Object.getOwnPropertyDescriptor(target, key);
      if (property === undefined) return undefined;
      if (!("value" in property)) return "[getter]";
      const { value } = property;
      return replacementOf(this.#rules, key, value) ?? this.#copy(value, depth);
    } catch {
      // A variable before its declaration, or an export of a module that hasn't run.
      return undefined;
    }
  }

  #copy(value: unknown, depth: number): unknown {
    this.#left -= 1;
    switch (typeof value) {
      case "undefined":
        return "[undefined]";
      case "string":
        return withoutKey(trimText(value, sdkLimits.localsTextCharactersMax));
      case "function":
      case "symbol":
        return undefined;
      case "object":
        return value === null ? null : this.#copyObject(value, depth);
      case "bigint":
        return copyBigint(value);
      case "number":
        return Number.isFinite(value) ? value : `[number ${value}]`;
      default:
        return value;
    }
  }

  #copyObject(value: object, depth: number): unknown {
    const opaque = opaqueKinds.find(([, is]) => is(value));
    if (opaque) return opaque[0];
    if (isDate(value)) return `[date ${Number.isNaN(dateTime.call(value)) ? "invalid" : dateText.call(value)}]`;
    if (isNativeError(value)) return `Error: ${asText(this.property(value, "message", 0))}`;
    const isList = Array.isArray(value);
    if (depth === 0 || this.#left <= 0) return isList ? "[array]" : "[object]";
    return isList ? this.#copyList(value, depth - 1) : this.#copyRecord(value, depth - 1);
  }

  #copyList(list: readonly unknown[], depth: number): unknown[] {
    const count = Math.min(list.length, sdkLimits.localsEntriesMax);
    const items = Array.from({ length: count }, (_, index) => this.property(list, String(index), depth));
    return list.length > count ? [...items, `${restName} ${list.length - count} more`] : items;
  }

  #copyRecord(record: object, depth: number): Record<string, unknown> {
    const keys = Object.keys(record);
    const shown = keys.slice(0, sdkLimits.localsEntriesMax);
    // Without a prototype, a key named __proto__ is a key like any other.
    const copy: Record<string, unknown> = Object.create(null);
    for (const key of shown) copy[key] = this.property(record, key, depth);
    if (keys.length > shown.length) copy[restName] = `${keys.length - shown.length} more`;
    return copy;
  }
}
