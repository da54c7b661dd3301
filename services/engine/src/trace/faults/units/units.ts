import { wordsOfName } from "../../../words/name-words.ts";
import type { CodeNode } from "../../code/ir.ts";
import type { Program } from "../../code/program.ts";

/** The dimension of a quantity, and its size in the smallest unit: milliseconds, cents, or bytes. */
export interface Unit {
  readonly dimension: Dimension;
  readonly size: number;
  /** Where the value was stored under a name that doesn't say its unit; absent where a name or a call tells it. */
  readonly lostAt?: LostAt;
}

interface LostAt {
  readonly program: Program;
  readonly value: CodeNode;
  readonly name: string;
}
export type Dimension = "time" | "money" | "size";

const msPerSecond = 1000;
const bytesPerKb = 1024;
const msPerMinute = 60 * msPerSecond;
const msPerHour = 60 * msPerMinute;
const msPerDay = 24 * msPerHour;
const centsPerWhole = 100;

const units: readonly (readonly [names: string, dimension: Dimension, size: number, called: string])[] = [
  ["ns nanos nanoseconds", "time", 1e-6, "nanoseconds"],
  ["us micros microseconds", "time", 1e-3, "microseconds"],
  ["ms msec msecs millis milliseconds", "time", 1, "milliseconds"],
  ["sec secs seconds", "time", msPerSecond, "seconds"],
  ["mins minutes", "time", msPerMinute, "minutes"],
  ["hrs hours", "time", msPerHour, "hours"],
  ["days", "time", msPerDay, "days"],
  ["cents pence", "money", 1, "cents"],
  ["euros dollars pounds eur usd gbp", "money", centsPerWhole, "whole currency"],
  ["bytes", "size", 1, "bytes"],
  ["kb kib kilobytes", "size", bytesPerKb, "kilobytes"],
  ["mb mib megabytes", "size", bytesPerKb ** 2, "megabytes"],
  ["gb gib gigabytes", "size", bytesPerKb ** 3, "gigabytes"],
];
const byName = new Map(
  units.flatMap(([names, dimension, size]) => names.split(" ").map((name) => [name, { dimension, size }] as const)),
);

/** A unit by one of its names. */
export function unitOf(name: string): Unit {
  const unit = byName.get(name);
  if (!unit) throw new RangeError(`${name} isn't a unit`);
  return unit;
}

/** Returns the name of a unit in prose; null for a unit that has none. */
export function unitName(unit: Unit): string | null {
  return units.find(([, dimension, size]) => isSameUnit(unit, { dimension, size }))?.[3] ?? null;
}

/** How far two units of size may differ and be called the same: 1,000 and 1,024. */
const tolerance = 1.08;

export function isSameUnit(one: Unit, other: Unit): boolean {
  const ratio = one.size / other.size;
  return one.dimension === other.dimension && ratio < tolerance && ratio > 1 / tolerance;
}

/** Words after the unit that leave it the unit of the whole: `secondsLeft`, `bytesRead`. */
const following = /^(?:left|until|since|ago|elapsed|remaining|total|read|written|old|max|limit|timeout|ahead|late)$/;

/** Returns the unit that a name ends with, or begins with: `timeoutMs`, `TTL_SECONDS`, `bytesRead`. */
export function unitInName(name: string): Unit | null {
  const words = wordsOfName(name);
  if (words.includes("per")) return null;
  if (/^(?:exp|iat|nbf)$/.test(name) || /^expires_in$/.test(name)) return unitOf("seconds");
  // A single word is a part of a date, or a column, as often as a quantity; in capitals it is a factor.
  if (words.length === 1)
    return longNames.test(name) && name !== name.toUpperCase() ? unitOf(name.toLowerCase()) : null;
  const from = words.indexOf("from");
  const made = byName.get(words[from - 1] ?? "");
  if (made || from === 0) return made ?? null;
  const [first = "", second = ""] = words;
  const last = words.at(-1) ?? "";
  if (last === "s" && name.endsWith("_s")) return unitOf("seconds");
  if (first === "byte" && /^(?:length|size|count)$/.test(second)) return unitOf("bytes");
  return byName.get(last) ?? (following.test(second) ? (byName.get(first) ?? null) : null);
}

const longNames = /^(?:ms|seconds|milliseconds|millis|minutes|cents|euros|dollars|bytes|kilobytes)$/i;

/**
 * Returns the unit of a function's result, by its name. A single word isn't enough, because it may be what the function
 * formats or reads, and `priceFromCents` takes cents.
 */
export function unitInFunctionName(name: string): Unit | null {
  const words = wordsOfName(name);
  const from = words.indexOf("from");
  if (from > 0) return byName.get(words[from - 1] ?? "") ?? null;
  return words.length > 1 ? unitInName(name) : null;
}

/** Returns the units of `msPerSecond` and `SECONDS_PER_DAY`; null for another name. */
export function unitsInRate(name: string): { readonly of: Unit; readonly per: Unit } | null {
  const words = wordsOfName(name);
  const at = words.indexOf("per");
  const of = byName.get(words[at - 1] ?? "");
  const per = byName.get(`${words[at + 1]}s`) ?? byName.get(words[at + 1] ?? "");
  return at > 0 && of && per && of.dimension === per.dimension ? { of, per } : null;
}

/** Returns the unit of a quantity after multiplication by a number; the same unit where the number is no conversion. */
export function scaled(unit: Unit, by: number): Unit {
  const other = { ...unit, size: unit.size / by };
  const isConversion = thousands.has(by) || thousands.has(1 / by) || unitName(other) !== null;
  return isConversion && !isCount(by) ? other : unit;
}

const thousands: ReadonlySet<number> = new Set([1000, 1024, 60_000, 3_600_000, 86_400_000]);

/** Small numbers count more often than they convert, except those of the clock. */
function isCount(by: number): boolean {
  const whole = by < 1 ? 1 / by : by;
  return whole < 24;
}
