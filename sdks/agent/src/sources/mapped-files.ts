import { SourceMap } from "node:module";
import { posix } from "node:path";

const placesMax = 200;

/**
 * Returns the files that the places of a built file were made from, as its source map says, in the order in which the
 * text names the places; relative to where the map's name is. Empty when it isn't a map.
 */
export function mappedFiles(
  text: string,
  path: string,
  map: { readonly name: string; readonly text: string },
): string[] {
  const payload = readMap(map.text);
  if (payload === null) return [];
  const read = new SourceMap(payload);
  const places = [...text.matchAll(new RegExp(`${escaped(path)}:(\\d{1,7})(?::(\\d{1,7}))?`, "g"))];
  const found = places.slice(0, placesMax).flatMap(([, line, column]) => {
    const entry = read.findEntry(Number(line) - 1, Number(column ?? 1) - 1);
    return "originalSource" in entry && typeof entry.originalSource === "string" ? [entry.originalSource] : [];
  });
  const folder = posix.dirname(map.name);
  return [...new Set(found.map((source) => posix.join(folder, source.replace(/^[\w-]{1,20}:\/\/\/?/, ""))))];
}

type Payload = ConstructorParameters<typeof SourceMap>[0];

function readMap(text: string): Payload | null {
  try {
    const payload: unknown = JSON.parse(text);
    return isMap(payload) ? payload : null;
  } catch {
    return null;
  }
}

function isMap(value: unknown): value is Payload {
  if (typeof value !== "object" || value === null) return false;
  const { sources, mappings }: { sources?: unknown; mappings?: unknown } = value;
  return Array.isArray(sources) && sources.every((one) => typeof one === "string") && typeof mappings === "string";
}

function escaped(path: string): string {
  return path.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
