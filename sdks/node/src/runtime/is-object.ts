/** Whether a value has an identity of its own, as objects and functions do. */
export function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}
