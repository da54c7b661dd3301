/**
 * Serializes plain objects and lists. Unlike `JSON.stringify`, ignores a `toJSON` that a program may have added to all
 * objects.
 */
export function toJson(value: unknown): string {
  const isPolluted = "toJSON" in Object.prototype || "toJSON" in Array.prototype;
  return JSON.stringify(isPolluted ? shield(value) : value);
}

/** Parses JSON; returns undefined for invalid text, such as an incomplete one. */
export function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns a copy without a prototype. */
function shield(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return Object.setPrototypeOf(value.map(shield), null);
  const copy: Record<string, unknown> = Object.create(null);
  for (const name of Object.keys(value)) copy[name] = shield(Reflect.get(value, name));
  return copy;
}
