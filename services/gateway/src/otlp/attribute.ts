import { isRedactedName, limits, type Redaction, redactedValue } from "@whence/protocol";
import { boundedData, cutText, dataLimits } from "../mapping/bounded-data.ts";
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

/** Attributes that an event keeps, and JSON pointers to those values in them that were replaced. */
export interface KeptAttributes {
  readonly data: Record<string, unknown>;
  readonly redacted: readonly string[];
}

/** Read elsewhere; or values that people gave, where a name doesn't say what is safe to keep. */
const neverKept =
  /^(?:exception\.|(?:end)?user\.|http\.(?:request|response)\.header\.|db\.(?:query|operation)\.parameter\.|(?:url\.query|db\.query\.text|db\.statement)$)/;
/** URLs and their parts, which are kept without query strings and credentials. */
const urls: ReadonlySet<string> = new Set(["url.full", "url.original", "http.url", "http.target", "url.path"]);

/**
 * Returns the first attributes within the limits of data, without what may be kept of none. At every level, a value is
 * replaced if the last part of its name is one that is redacted: that of `db.password` as well as that of `password`.
 */
export function keptAttributes(attributes: Attributes): KeptAttributes {
  const others = [...attributes].filter(([name]) => !neverKept.test(name)).slice(0, otlpLimits.otlpAttributesMax);
  const kept = others.map(([name, value]) => [name, urls.has(name) ? placeOf(value) : value]);
  const redacted: string[] = [];
  return { data: redactedCopy(boundedData(Object.fromEntries(kept)), "", redacted), redacted };
}

/**
 * Returns whom the program was working for, by the attributes of OpenTelemetry's namespaces `user` and `enduser` without
 * those names; undefined without any.
 */
export function userIn(attributes: Attributes): KeptAttributes | undefined {
  const named = [...attributes].flatMap(([name, value]) => {
    const [, field] = /^(?:end)?user\.(.+)$/.exec(name) ?? [];
    return field === undefined ? [] : [[field, value] as const];
  });
  if (named.length === 0) return undefined;
  const redacted: string[] = [];
  const first = Object.fromEntries(named.slice(0, otlpLimits.otlpAttributesMax));
  return { data: redactedCopy(boundedData(first), "", redacted), redacted };
}

/** Returns a URL, or the target of a request, without its query string and credentials. */
function placeOf(url: unknown): unknown {
  if (typeof url !== "string") return url;
  const [place = ""] = url.split(/[?#]/, 1);
  return place.replace(/^([a-z][a-z\d+.-]*:)?\/\/[^/]*@/i, "$1//");
}

/** Copies data without the values of redacted names, whose pointers are added to `redacted`. */
function redactedCopy(
  fields: Readonly<Record<string, unknown>>,
  pointer: string,
  redacted: string[],
): Record<string, unknown> {
  const copied = Object.entries(fields).map(([name, value]) => {
    const at = `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (!isSecret(name)) return [name, copyOf(value, at, redacted)];
    if (value !== redactedValue) redacted.push(at);
    return [name, redactedValue];
  });
  return Object.fromEntries(copied);
}

function copyOf(value: unknown, at: string, redacted: string[]): unknown {
  if (Array.isArray(value)) return value.map((item: unknown, index) => copyOf(item, `${at}/${index}`, redacted));
  return typeof value === "object" && value !== null ? redactedCopy({ ...value }, at, redacted) : value;
}

/** Replaces the values of redacted names while JSON is written. */
export function redactNamed(name: string, value: unknown): unknown {
  return isSecret(name) ? redactedValue : value;
}

/** A name that was cut doesn't say how it ended. */
function isSecret(name: string): boolean {
  return isRedactedName(name.slice(name.lastIndexOf(".") + 1)) || name.length === dataLimits.dataTextLengthMax;
}

/** Returns the redactions of attributes that are kept at this JSON pointer into the event. */
export function redactionsIn(place: string, { redacted }: KeptAttributes): Redaction[] {
  return redacted.slice(0, limits.redactionsMax).map((pointer) => ({
    rule: "default-name-at-gateway",
    path: cutText(`${place}${pointer}`, limits.textLengthMax),
  }));
}
