import type { Runtime } from "node:inspector";

/** Characters of what V8 says of an error that are read. */
const errorReadMax = 10_000;

/** The first line of what V8 says of an error. */
export function firstLineOf(data: object | undefined): string {
  const described: { description?: unknown; value?: unknown } = data ?? {};
  const text = typeof described.description === "string" ? described.description : String(described.value ?? "");
  return text.slice(0, errorReadMax).split("\n", 1)[0] ?? "";
}

/** Returns a value that isn't an object. */
export function plainValue({ type, value, unserializableValue }: Runtime.RemoteObject): unknown {
  if (unserializableValue === undefined) return type === "undefined" ? undefined : value;
  return unserializableValue.endsWith("n")
    ? BigInt(unserializableValue.slice(0, -1).slice(0, 40))
    : Number(unserializableValue);
}
