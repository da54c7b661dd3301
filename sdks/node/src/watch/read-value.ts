import { isDate, isMap, isNativeError, isPromise, isProxy, isSet } from "node:util/types";
import type { FieldRules } from "../core/redact.ts";
import { detach } from "../runtime/text.ts";
import * as sdkLimits from "../sdk-limits.ts";

/** What was read of a value: a word for it, a text of the program, or what it holds. */
export type ReadValue =
  | { readonly word: string }
  | { readonly text: string }
  | { readonly items: readonly ReadValue[]; readonly more: number }
  | { readonly entries: readonly (readonly [name: string, value: ReadValue])[] };

/** The fields that are read of objects. */
type Names = ReadonlySet<string>;

/** Values described only by their kind. A Proxy comes first: its traps would answer the other checks. */
const opaqueKinds: readonly (readonly [word: string, is: (value: object) => boolean])[] = [
  ["[proxy]", isProxy],
  ["[bytes]", (value) => ArrayBuffer.isView(value)],
  ["[promise]", isPromise],
  ["[map]", isMap],
  ["[set]", isSet],
];
const wholeBigIntMax = 2n ** 64n;
/** Taken before the program may replace more of them. */
const { getOwnPropertyDescriptor, getPrototypeOf, is } = Object;
const dateText = Date.prototype.toISOString;
const dateTime = Date.prototype.getTime;

/**
 * Reads values while the program is stopped: no getter, no Proxy trap, no method, and no regular expression, which would
 * change `RegExp.$1`. Of an object, only the named fields are read: to list those of a dictionary takes V8 a second and
 * more. Values with a redacted name aren't read, and of a very long text only its length.
 */
export class ValueReader {
  readonly #rules: FieldRules;

  constructor(rules: FieldRules) {
    this.#rules = rules;
  }

  /** Returns what a property holds; undefined where there is none, or it can't be read, as before its declaration. */
  property(target: object, key: string, names: Names, depth: number = sdkLimits.watchDepthMax): ReadValue | undefined {
    try {
      const property = propertyOf(target, key);
      if (property === undefined) return undefined;
      if (this.#rules.ruleOf(key) !== undefined) return { word: "[redacted]" };
      return "value" in property ? this.value(property.value, names, depth) : { word: "[getter]" };
    } catch {
      return undefined;
    }
  }

  value(value: unknown, names: Names, depth: number = sdkLimits.watchDepthMax): ReadValue {
    switch (typeof value) {
      case "string":
        return textOf(value);
      case "bigint":
        return { word: value < wholeBigIntMax && value > -wholeBigIntMax ? `${value}n` : "[bigint]" };
      case "function":
      case "symbol":
        return { word: `[${typeof value}]` };
      case "object":
        return value === null ? { word: "null" } : this.#object(value, names, depth);
      default:
        return { word: is(value, -0) ? "-0" : String(value) };
    }
  }

  #object(value: object, names: Names, depth: number): ReadValue {
    for (const [word, isKind] of opaqueKinds) if (isKind(value)) return { word };
    if (isDate(value)) return { word: Number.isNaN(dateTime.call(value)) ? "[invalid date]" : dateText.call(value) };
    // A message is text of the program: it is masked like one.
    if (isNativeError(value))
      return { entries: [["message", this.property(value, "message", names, 0) ?? { word: '""' }]] };
    const isList = Array.isArray(value);
    if (depth === 0) return { word: isList ? "[array]" : "[object]" };
    return isList ? this.#list(value, names, depth - 1) : this.#record(value, names, depth - 1);
  }

  #list(list: readonly unknown[], names: Names, depth: number): ReadValue {
    const items: ReadValue[] = [];
    const count = Math.min(list.length, sdkLimits.watchEntriesMax);
    for (let at = 0; at < count; at += 1) items.push(this.property(list, String(at), names, depth) ?? { word: "" });
    return { items, more: list.length - count };
  }

  #record(record: object, names: Names, depth: number): ReadValue {
    const entries: [string, ReadValue][] = [];
    for (const name of names) {
      const value = entries.length < sdkLimits.watchEntriesMax && this.property(record, name, names, depth);
      if (value) entries.push([name, value]);
    }
    return { entries };
  }
}

/** Returns a property of an object, or the one that it inherits; a Proxy isn't asked. */
function propertyOf(target: object, key: string): PropertyDescriptor | undefined {
  for (let holder: object | null = target; holder && !isProxy(holder); holder = getPrototypeOf(holder)) {
    const property = getOwnPropertyDescriptor(holder, key);
    if (property) return property;
  }
  return undefined;
}

/** A text that was concatenated is copied as a whole before any of it can be read. */
function textOf(text: string): ReadValue {
  if (text.length > sdkLimits.watchWholeCharactersMax) return { word: `[text of ${text.length} characters]` };
  return { text: shortened(text, sdkLimits.watchReadCharactersMax) };
}

function shortened(text: string, lengthMax: number): string {
  return text.length > lengthMax ? detach(`${text.slice(0, lengthMax - 1)}…`) : text;
}
