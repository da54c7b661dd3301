import { limits, utf8Length } from "@whence/protocol";
import { z } from "zod";
import { isReadable } from "../readable-path.ts";
import { artifactLimits } from "./artifact-limits.ts";
import { builtPath, builtPlace, isInstalled, mapPlace, originalPath, pathInPlace } from "./built-paths.ts";
import type { BundledFile } from "./unpack-bundle.ts";

const mapSchema = z.looseObject({
  version: z.number(),
  mappings: z.string(),
  sources: z.array(z.string().nullable()),
  sourcesContent: z.array(z.string().nullable()).nullish(),
  sourceRoot: z.string().nullish(),
});

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** The files of a release that a bundle consists of. */
export interface ReleaseFiles {
  /** By their paths; built files and their maps by their places. */
  readonly texts: ReadonlyMap<string, string>;
  /** The places of built files by their debug IDs. */
  readonly built: ReadonlyMap<string, string>;
}

/**
 * Returns what is kept of a bundle: built files, their maps beside them, and, as files of their own, the original
 * sources in these maps that are the program's. What is larger than a source file may be is left out, and so is what
 * is never read.
 */
export function releaseFilesOf(files: readonly BundledFile[]): ReleaseFiles {
  const texts = new Map<string, string>();
  const built = new Map<string, string>();
  const maps = new MapsOf(files);
  const keep = (place: string, text: string, bytesMax: number = limits.sourceFileBytesMax): void => {
    const isKept = isReadable(pathInPlace(place)) && utf8Length(text) <= bytesMax;
    if (isKept && texts.size < limits.sourceFilesMax) texts.set(place, text);
  };
  for (const file of files) {
    if (file.type === "source_map") continue;
    const path = builtPath(file.url);
    const place = builtPlace(file.url);
    keep(place, file.text);
    const debugId = debugIdOf(file);
    if (debugId !== null) built.set(debugId, place);
    const map = maps.of(file);
    if (!map) continue;
    keep(`${place}.map`, JSON.stringify({ ...map, sourcesContent: undefined }), artifactLimits.mapBytesMax);
    for (const [index, content] of (map.sourcesContent ?? []).entries()) {
      const original = originalPath(path, `${map.sourceRoot ?? ""}${map.sources[index] ?? ""}`);
      if (content !== null && !isInstalled(original) && !texts.has(original)) keep(original, content);
    }
  }
  return { texts, built };
}

type SourceMapText = z.infer<typeof mapSchema>;

/** The maps of a bundle, by what leads to them. */
class MapsOf {
  readonly #byId = new Map<string, BundledFile>();
  readonly #byPlace = new Map<string, BundledFile>();

  constructor(files: readonly BundledFile[]) {
    for (const file of files) {
      if (file.type !== "source_map") continue;
      this.#byPlace.set(builtPlace(file.url), file);
      const debugId = debugIdOf(file);
      if (debugId !== null) this.#byId.set(debugId, file);
    }
  }

  /** Returns the map with the debug ID of a built file, that its header names, or that is named after it. */
  of(file: BundledFile): SourceMapText | null {
    const named = file.headers.get("sourcemap") ?? file.headers.get("x-sourcemap");
    const beside = named === undefined ? undefined : this.#byPlace.get(mapPlace(file.url, named));
    const found = this.#byId.get(debugIdOf(file) ?? "") ?? beside ?? this.#byPlace.get(`${builtPlace(file.url)}.map`);
    return found ? parseMap(found.text) : null;
  }
}

function parseMap(text: string): SourceMapText | null {
  try {
    return mapSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

function debugIdOf({ headers }: BundledFile): string | null {
  const debugId = headers.get("debug-id")?.toLowerCase() ?? "";
  return uuid.test(debugId) ? debugId : null;
}
