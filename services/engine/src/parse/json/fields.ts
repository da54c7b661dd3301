import type { Scalar } from "../../findings/parsed-error.ts";
import type { JsonNode, JsonObject, JsonString } from "./json-reader.ts";

/** Properties kept of one object. */
const scalarsMax = 50;
const scalarUnitsMax = 4_000;

/** The first of some names that is there. A name with dots is found nested as well: `error.type` in `error`. */
export function fieldOf(object: JsonObject, names: readonly string[]): JsonNode | null {
  for (const name of names) {
    const found = object.entries.get(name) ?? nested(object, name);
    if (found && !(found.kind === "plain" && found.value === null)) return found;
  }
  return null;
}

/** The first of some names that is a text and not an empty one. */
export function stringOf(object: JsonObject, names: readonly string[]): JsonString | null {
  for (const name of names) {
    const found = fieldOf(object, [name]);
    if (found?.kind === "string" && found.value.trim() !== "") return found;
  }
  return null;
}

/** A field as text, numbers included. */
export function textOf(object: JsonObject, names: readonly string[]): string | null {
  const found = fieldOf(object, names);
  if (found?.kind === "string") return found.value === "" ? null : found.value;
  return found?.kind === "plain" ? String(found.value) : null;
}

/** A field as it is, when it is no object and no list. */
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

/** The members of a list, or of a field's list, that are objects. */
export function objectsOf(node: JsonNode | null | undefined): JsonObject[] {
  return itemsOf(node).filter((item) => item.kind === "object");
}

/** The fields that are no objects and no lists, without those named. */
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
