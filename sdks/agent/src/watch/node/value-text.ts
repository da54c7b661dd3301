import { isDate, isMap, isNativeError, isPromise, isProxy, isSet } from "node:util/types";
import { type MaskedText, redacted } from "./masked-text.ts";

/** Values described only by their kind. A Proxy comes first: its traps would answer the other checks. */
const opaqueKinds: readonly (readonly [text: string, is: (value: object) => boolean])[] = [
  ["[proxy]", isProxy],
  ["[bytes]", (value) => ArrayBuffer.isView(value)],
  ["[promise]", isPromise],
  ["[map]", isMap],
  ["[set]", isSet],
];
const depthMax = 2;
const entriesMax = 8;
const wholeBigIntMax = 2n ** 64n;
/** Taken before the program runs: it may replace them. */
const { getOwnPropertyDescriptor, keys } = Object;
const dateText = Date.prototype.toISOString;
const dateTime = Date.prototype.getTime;

/**
 * Writes values as JavaScript would, without running the program's code: no getter, no Proxy trap, no method. Values
 * with a redacted name aren't read, and credentials are masked. A text is cut at a number of characters.
 */
export class ValueText {
  readonly #masked: MaskedText;
  readonly #lengthMax: number;

  constructor(masked: MaskedText, lengthMax: number) {
    this.#masked = masked;
    this.#lengthMax = lengthMax;
  }

  /** Returns the text of an own property; undefined where it can't be read, such as before its declaration. */
  property(target: object, key: string): string | undefined {
    const text = this.#property(target, key, depthMax, this.#lengthMax);
    return text === undefined ? undefined : cut(text, this.#lengthMax);
  }

  /** Returns the text of what a function of this name returned. */
  of(value: unknown, name = ""): string {
    return cut(this.#named(name, value, depthMax, this.#lengthMax), this.#lengthMax);
  }

  #property(target: object, key: string, depth: number, room: number): string | undefined {
    if (this.#masked.isRedacted(key)) return redacted;
    try {
      const property = getOwnPropertyDescriptor(target, key);
      if (property === undefined) return undefined;
      return "value" in property ? this.#named(key, property.value, depth, room) : "[getter]";
    } catch {
      return undefined;
    }
  }

  #named(name: string, value: unknown, depth: number, room: number): string {
    if (typeof value === "string" && this.#masked.isCredential(name)) return redacted;
    return this.#text(value, depth, room);
  }

  #text(value: unknown, depth: number, room: number): string {
    switch (typeof value) {
      case "string":
        return JSON.stringify(cut(this.#masked.of(value), room));
      case "bigint":
        return value < wholeBigIntMax && value > -wholeBigIntMax ? `${value}n` : "[bigint]";
      case "function":
      case "symbol":
        return `[${typeof value}]`;
      case "object":
        return value === null ? "null" : this.#object(value, depth, room);
      default:
        return Object.is(value, -0) ? "-0" : String(value);
    }
  }

  #object(value: object, depth: number, room: number): string {
    const opaque = opaqueKinds.find(([, is]) => is(value));
    if (opaque) return opaque[0];
    if (isDate(value)) return Number.isNaN(dateTime.call(value)) ? "[invalid date]" : dateText.call(value);
    if (isNativeError(value)) return `[error ${this.#property(value, "message", 0, room) ?? ""}]`;
    const isList = Array.isArray(value);
    if (depth === 0) return isList ? "[array]" : "[object]";
    return isList ? this.#list(value, depth - 1, room) : this.#record(value, depth - 1, room);
  }

  #list(list: readonly unknown[], depth: number, room: number): string {
    const shown = Math.min(list.length, entriesMax);
    const items: string[] = [];
    for (let at = 0, left = room; at < shown && left > 0; at += 1) {
      const item = this.#property(list, String(at), depth, left) ?? "";
      items.push(item);
      left -= item.length;
    }
    return `[${[...items, ...(list.length > items.length ? [`… ${list.length - items.length} more`] : [])].join(", ")}]`;
  }

  #record(record: object, depth: number, room: number): string {
    const names = keys(record);
    const entries: string[] = [];
    for (let at = 0, left = room; at < Math.min(names.length, entriesMax) && left > 0; at += 1) {
      const name = names[at] ?? "";
      const entry = `${JSON.stringify(cut(this.#masked.of(name), left))}: ${this.#property(record, name, depth, left) ?? ""}`;
      entries.push(entry);
      left -= entry.length;
    }
    const rest = names.length - entries.length;
    return `{${[...entries, ...(rest > 0 ? [`… ${rest} more`] : [])].join(", ")}}`;
  }
}

export function cut(text: string, lengthMax: number): string {
  return text.length > lengthMax ? `${text.slice(0, Math.max(0, lengthMax - 1))}…` : text;
}
