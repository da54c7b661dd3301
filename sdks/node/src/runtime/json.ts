/**
 * A value of plain objects and lists as JSON. Unlike `JSON.stringify` it asks none of them for a `toJSON` that a program
 * may have given to all objects.
 */
export function toJson(value: unknown): string {
  const isPolluted = "toJSON" in Object.prototype || "toJSON" in Array.prototype;
  return JSON.stringify(isPolluted ? shield(value) : value);
}

/** What a text says as JSON; undefined when it is none, such as one that was cut off. */
export function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A copy that inherits nothing. */
function shield(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return Object.setPrototypeOf(value.map(shield), null);
  const copy: Record<string, unknown> = Object.create(null);
  for (const name of Object.keys(value)) copy[name] = shield(Reflect.get(value, name));
  return copy;
}
