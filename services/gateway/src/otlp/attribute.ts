import { isRedactedName, limits, type Redaction, redactedValue } from "@whence/protocol";
import { boundedData, cutText } from "../mapping/bounded-data.ts";
import type { Attributes } from "./any-value.ts";
import { otlpLimits } from "./otlp-limits.ts";

/** Returns the first of these attributes that is a text and not empty, or a number, as text. */
export function textOf(attributes: Attributes, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = attributes.get(name);
    if (typeof value === "string" && value !== "") return value;
    if (typeof value === "number") return String(value);
  }
  return undefined;
}

/** Returns the first of these attributes that is a whole number of 0 or above. */
export function numberOf(attributes: Attributes, ...names: readonly string[]): number | undefined {
  for (const name of names) {
    const value = Number(attributes.get(name) ?? Number.NaN);
    if (Number.isSafeInteger(value) && value >= 0) return value;
  }
  return undefined;
}

/** Attributes that an event keeps, and those of them whose values were replaced, by name. */
export interface KeptAttributes {
  readonly data: Record<string, unknown>;
  readonly redacted: readonly string[];
}

/**
 * Returns the first attributes within the limits of data, without those that `isRead` says are kept elsewhere. A value
 * is replaced if the last part of its name is one that is redacted: that of `db.password` as well as that of `password`.
 */
export function keptAttributes(attributes: Attributes, isRead: (name: string) => boolean): KeptAttributes {
  const others = [...attributes].filter(([name]) => !isRead(name)).slice(0, otlpLimits.otlpAttributesMax);
  const redacted = others.flatMap(([name, value]) => (isSecret(name) && value !== redactedValue ? [name] : []));
  const kept = others.map(([name, value]) => [name, isSecret(name) ? redactedValue : value]);
  return { data: boundedData(Object.fromEntries(kept)), redacted };
}

function isSecret(name: string): boolean {
  return isRedactedName(name.slice(name.lastIndexOf(".") + 1));
}

/** Returns the redactions of attributes that are kept in the context of this name. */
export function redactionsIn(context: string, { redacted }: KeptAttributes): Redaction[] {
  return redacted.slice(0, limits.redactionsMax).map((name) => ({
    rule: "default-name-at-gateway",
    path: cutText(`/contexts/${context}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`, limits.textLengthMax),
  }));
}
