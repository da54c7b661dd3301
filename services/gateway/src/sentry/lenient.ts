/**
 * Reads a value of a client's JSON: undefined for one that isn't what it should be. Clients differ, and the rest of an
 * event is worth keeping. A zod schema that leaves out what doesn't match took half of the time that an event takes.
 */
export type Reader<Value> = (value: unknown) => Value | undefined;
/** What a reader reads. */
export type Read<Of extends Reader<unknown>> = NonNullable<ReturnType<Of>>;

type Items = readonly unknown[];
type Fields = Readonly<Record<string, Reader<unknown>>>;
type ObjectOf<Of extends Fields> = { readonly [Name in keyof Of]?: ReturnType<Of[Name]> };

export function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export const fields: Reader<Readonly<Record<string, unknown>>> = (value) => (isFields(value) ? value : undefined);

export const string: Reader<string> = (value) => (typeof value === "string" ? value : undefined);

/** A text, or what some clients send in its place. */
export const text: Reader<string> = (value) => {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
};

/** The same, where some clients send an empty text for what they don't know. */
export const name: Reader<string> = (value) => text(value) || undefined;

export const whole: Reader<number> = (value) =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

export const flag: Reader<boolean> = (value) => (typeof value === "boolean" ? value : undefined);

/** Seconds since 1970, or RFC 3339. */
export const time: Reader<number | string> = (value) =>
  typeof value === "number" || typeof value === "string" ? value : undefined;

/** An object, with those of its fields that are what they should be. */
export function object<Of extends Fields>(of: Of): Reader<ObjectOf<Of>> {
  const readers = Object.entries(of);
  // The readers say which type each name has, which no type of a loop over them can.
  const typed = (values: Readonly<Record<string, unknown>>) => values as ObjectOf<Of>;
  return (value) => {
    if (!isFields(value)) return undefined;
    const values: Record<string, unknown> = {};
    for (const [field, read] of readers) {
      const one = read(value[field]);
      if (one !== undefined) values[field] = one;
    }
    return typed(values);
  };
}

/**
 * A list, also as `{ values: […] }`, cut before its items are read, since a body may have hundreds of thousands of them,
 * and without those that aren't what they should be.
 */
export function listOf<Value>(read: Reader<Value>, cut: (items: Items) => Items): Reader<Value[]> {
  return (value) => {
    const items = isFields(value) ? value.values : value;
    if (!Array.isArray(items)) return undefined;
    return cut(items).flatMap((item) => {
      const one = read(item);
      return one === undefined ? [] : [one];
    });
  };
}

/** A list of texts, cut before they are read; undefined if one of them isn't. */
export function lines(cut: (items: Items) => Items): Reader<string[]> {
  return (value) => {
    if (!Array.isArray(value)) return undefined;
    const kept = cut(value);
    return kept.every((line) => typeof line === "string") ? [...kept] : undefined;
  };
}

/** The first pairs by name, also as a list of `[name, value]`. */
export function pairs(max: number): Reader<[string, unknown][]> {
  return (value) => {
    if (isFields(value)) return Object.entries(value).slice(0, max);
    if (!Array.isArray(value)) return undefined;
    return value.slice(0, max).flatMap((pair: unknown) => {
      const [key, one]: Items = Array.isArray(pair) ? pair : [];
      return typeof key === "string" ? [[key, one] satisfies [string, unknown]] : [];
    });
  };
}

export const first =
  (max: number) =>
  (items: Items): Items =>
    items.slice(0, max);
export const last =
  (max: number) =>
  (items: Items): Items =>
    items.slice(-max);
