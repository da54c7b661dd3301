import { SourceMap } from "node:module";
import { posix } from "node:path";
import type { SourceMapData } from "./source-map.ts";

const placesMax = 200;

/**
 * Returns the files that the places of a built file were made from, as its source map says, in the order in which the
 * text names the places; relative to where the map's name is. Empty when the map is broken.
 */
export function mappedFiles(text: string, path: string, name: string, map: SourceMapData): string[] {
  const read = lookup(map);
  if (read === null) return [];
  const places = [...text.matchAll(new RegExp(`${escaped(path)}:(\\d{1,7})(?::(\\d{1,7}))?`, "g"))];
  const found = places.slice(0, placesMax).flatMap(([, line, column]) => {
    const entry = read.findEntry(Number(line) - 1, Number(column ?? 1) - 1);
    return "originalSource" in entry && typeof entry.originalSource === "string" ? [entry.originalSource] : [];
  });
  const folder = posix.dirname(name);
  return [...new Set(found.map((source) => posix.join(folder, source.replace(/^[\w-]{1,20}:\/\/\/?/, ""))))];
}

function lookup({ version, file, sourceRoot, sources, names, mappings }: SourceMapData): SourceMap | null {
  try {
    const lists = { sources: [...sources], names: [...names], sourcesContent: [] };
    return new SourceMap({ version, file, sourceRoot, mappings, ...lists });
  } catch {
    return null;
  }
}

function escaped(path: string): string {
  return path.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
