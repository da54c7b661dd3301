/** A property's value; undefined where reading it throws, since a value that can't be read is no value. */
export function readProperty(target: unknown, key: PropertyKey): unknown {
  try {
    return (typeof target === "object" && target !== null) || typeof target === "function"
      ? Reflect.get(target, key)
      : undefined;
  } catch {
    return undefined;
  }
}

/** A string as it is; anything else is none. */
export function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}
