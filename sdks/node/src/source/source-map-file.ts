import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import * as sdkLimits from "../sdk-limits.ts";
import { contentOf, type OnDisk } from "./on-disk.ts";
import { readSourceMap, type SourceMapPart } from "./source-map.ts";

/** A source map, and the base of its relative sources. */
export interface SourceMapFile {
  readonly folder: string;
  readonly parts: readonly SourceMapPart[];
}

const noMap: SourceMapFile = { folder: "", parts: [] };
const comment = "sourceMappingURL=";
const dataUrl = /^data:application\/json(?:;[^,;]+)*?(;base64)?,/;

/**
 * Returns the map of a compiled file: the one named by its last `sourceMappingURL`, in the file itself or on the same
 * disk, or else the adjacent `.map`. Never fetches anything. Has no parts when no map can be read, or when the file or
 * the map is larger than {@link sdkLimits.sourceMapBytesMax}.
 */
export function* sourceMapOf(file: string): OnDisk<SourceMapFile> {
  const content = yield* contentOf(file, sdkLimits.sourceMapBytesMax);
  if (content === undefined) return noMap;
  for (const place of placesOf(file, content)) {
    const json = "json" in place ? place.json : yield* textOf(place.path);
    const parts = json === undefined ? [] : readSourceMap(json);
    if (parts.length > 0) return { folder: place.folder, parts };
  }
  return noMap;
}

type Whereabouts = { readonly folder: string } & ({ readonly path: string } | { readonly json: string });

/** Returns the possible places of the map, the most likely first. */
function placesOf(file: string, content: Buffer): Whereabouts[] {
  const url = urlIn(content);
  const beside: Whereabouts = { folder: dirname(file), path: `${file}.map` };
  if (url === undefined) return [beside];
  const data = dataUrl.exec(url);
  if (data) return inline(url.slice(data[0].length), data[1] !== undefined, dirname(file));
  const path = pathOf(url, dirname(file));
  return path === undefined ? [beside] : [{ folder: dirname(path), path }, beside];
}

/** Returns the last URL: a bundle may contain those of its parts. */
function urlIn(content: Buffer): string | undefined {
  const at = content.lastIndexOf(comment);
  if (at === -1 || !/\/[/*][#@]\s*$/.test(content.toString("latin1", Math.max(0, at - 10), at))) return undefined;
  const start = at + comment.length;
  const lineEnd = content.indexOf(0x0a, start);
  return content.toString("latin1", start, lineEnd === -1 ? content.length : lineEnd).split(/[\s*]/, 1)[0];
}

function inline(data: string, isBase64: boolean, folder: string): Whereabouts[] {
  try {
    return [{ folder, json: isBase64 ? Buffer.from(data, "base64").toString() : decodeURIComponent(data) }];
  } catch {
    // Not encoded as declared: no map.
    return [];
  }
}

function pathOf(url: string, folder: string): string | undefined {
  try {
    if (url.startsWith("file:")) return fileURLToPath(url);
    return /^[a-z][a-z0-9+.-]+:/i.test(url)
      ? undefined
      : resolve(folder, decodeURIComponent(url.replace(/[?#].*$/, "")));
  } catch {
    // Not a path on this machine.
    return undefined;
  }
}

/** Returns the text of a map; undefined when it wasn't deployed. */
function* textOf(path: string): OnDisk<string | undefined> {
  return (yield* contentOf(path, sdkLimits.sourceMapBytesMax))?.toString();
}
