/** Returns a property's value; undefined when reading it throws. */
export function readProperty(target: unknown, key: PropertyKey): unknown {
  try {
    return (typeof target === "object" && target !== null) || typeof target === "function"
      ? Reflect.get(target, key)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a string unchanged; an empty one for anything else. */
export function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}
