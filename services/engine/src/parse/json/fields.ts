import type { Scalar } from "../../findings/parsed-error.ts";
import type { JsonNode, JsonObject, JsonString } from "./json-reader.ts";

/** Maximum properties kept of one object. */
const scalarsMax = 50;
const scalarUnitsMax = 4_000;

/**
 * Returns the first of some fields that is present. A dotted name also matches nested fields: `error.type` in `error`.
 */
export function fieldOf(object: JsonObject, names: readonly string[]): JsonNode | null {
  for (const name of names) {
    const found = object.entries.get(name) ?? nested(object, name);
    if (found && !(found.kind === "plain" && found.value === null)) return found;
  }
  return null;
}

/** Returns the first of some fields that is a nonempty string. */
export function stringOf(object: JsonObject, names: readonly string[]): JsonString | null {
  for (const name of names) {
    const found = fieldOf(object, [name]);
    if (found?.kind === "string" && found.value.trim() !== "") return found;
  }
  return null;
}

/** Returns a field as text; numbers are converted. */
export function textOf(object: JsonObject, names: readonly string[]): string | null {
  const found = fieldOf(object, names);
  if (found?.kind === "string") return found.value === "" ? null : found.value;
  return found?.kind === "plain" ? String(found.value) : null;
}

/** Returns a field that is neither an object nor a list. */
export function scalarOf(object: JsonObject, names: readonly string[]): Scalar {
  const found = fieldOf(object, names);
  return found?.kind === "string" || found?.kind === "plain" ? found.value : null;
}

export function objectOf(object: JsonObject, names: readonly string[]): JsonObject | null {
  const found = fieldOf(object, names);
  return found?.kind === "object" ? found : null;
}

export function itemsOf(node: JsonNode | null | undefined): readonly JsonNode[] {
  return node?.kind === "array" ? node.items : [];
}

/** Returns the objects in a list, or in a field's list. */
export function objectsOf(node: JsonNode | null | undefined): JsonObject[] {
  return itemsOf(node).filter((item) => item.kind === "object");
}

/** Returns the fields that are neither objects nor lists, except those named. */
export function scalarsOf(object: JsonObject, without: ReadonlySet<string>): Record<string, Scalar> {
  const scalars: Record<string, Scalar> = {};
  let count = 0;
  for (const [name, node] of object.entries) {
    if (count >= scalarsMax || without.has(name) || name === "__proto__") continue;
    if (node.kind !== "string" && node.kind !== "plain") continue;
    scalars[name] = typeof node.value === "string" ? node.value.slice(0, scalarUnitsMax) : node.value;
    count++;
  }
  return scalars;
}

function nested(object: JsonObject, name: string): JsonNode | null {
  const dot = name.indexOf(".");
  if (dot < 0) return null;
  const inner = object.entries.get(name.slice(0, dot));
  return inner?.kind === "object" ? (inner.entries.get(name.slice(dot + 1)) ?? null) : null;
}
