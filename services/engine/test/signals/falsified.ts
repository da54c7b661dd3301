import { dayMs } from "@whence/protocol";
import { SourceText } from "../../src/source/source-text.ts";

/** A number that no example has, to be added to those that it has. */
const more = 1_000_003;

/** The versions of some data in which one number, time, or text is another one. */
export function falsified<Data extends object>(data: Data): Data[] {
  return Object.entries(data).flatMap(([name, value]) => others(value).map((other) => ({ ...data, [name]: other })));
}

function others(value: unknown): unknown[] {
  if (typeof value === "number") return [0, value + more];
  if (typeof value === "string") return isTime(value) ? [moved(value, -dayMs), moved(value, dayMs)] : [`${value} ?`];
  if (Array.isArray(value)) {
    return value.flatMap((one, index) => others(one).map((other) => value.with(index, other)));
  }
  return value === null || typeof value !== "object" || value instanceof SourceText ? [] : falsified(value);
}

function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT/.test(text);
}

function moved(time: string, ms: number): string {
  return new Date(Date.parse(time) + ms).toISOString();
}
