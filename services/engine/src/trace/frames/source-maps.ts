import { SourceMap } from "node:module";
import { debugIdOfCode, debugIdOfMap } from "../../source/debug-id.ts";
import { folderOf, pathIn } from "../../source/path-index.ts";
import { SourceText } from "../../source/source-text.ts";
import type { GivenFiles } from "../code/given-files.ts";

/** A place in a handwritten file. */
export interface OriginalPlace {
  readonly source: SourceText;
  readonly line: number;
  /** 1-based. */
  readonly column: number;
}

interface ReadMap {
  readonly map: SourceMap;
  /** The embedded sources, by their names in the map. */
  readonly contents: ReadonlyMap<string, SourceText>;
}

const marker = "sourceMappingURL=";
const inlineStart = /^data:application\/json(?:;charset=[\w-]{1,20})?;base64,/;
/** A map is several times as large as its code; reading a larger one takes too long. */
const mapUnitsMax = 8_000_000;

/** Maps generated code to its original sources, with the maps among the files and inside them. */
export class SourceMaps {
  readonly #files: GivenFiles;
  readonly #read = new Map<string, ReadMap | null>();
  #byId: ReadonlyMap<string, SourceText> | undefined;

  constructor(files: GivenFiles) {
    this.#files = files;
  }

  /** Null without a map, or when the map doesn't have the place. */
  original(file: string, line: number, column: number): OriginalPlace | null {
    const generated = this.#nameOf(file);
    const read = this.#mapOf(generated);
    if (!read) return null;
    const entry = read.map.findEntry(line - 1, column - 1);
    if (!("originalSource" in entry) || typeof entry.originalSource !== "string") return null;
    const given =
      read.contents.get(entry.originalSource) ?? this.#files.find(pathBeside(generated, entry.originalSource), null);
    const [originalLine, originalColumn] = [entry.originalLine + 1, entry.originalColumn + 1];
    return given?.has(originalLine) ? { source: given, line: originalLine, column: originalColumn } : null;
  }

  /** Returns its name among the files, from its own path or from its map. */
  #nameOf(file: string): string {
    const given = this.#files.find(file, null) ?? this.#files.find(`${file}.map`, null);
    return given?.name.replace(/\.map$/, "") ?? file;
  }

  #mapOf(file: string): ReadMap | null {
    const known = this.#read.get(file);
    if (known !== undefined) return known;
    const text = this.#textOf(file);
    const read = text === null || text.length > mapUnitsMax ? null : readMap(file, text);
    this.#read.set(file, read);
    return read;
  }

  /**
   * Finds the map with the file's debug ID, inside the file, in the file that it names, or in the one named after it.
   */
  #textOf(file: string): string | null {
    const text = this.#files.find(file, null)?.text ?? "";
    const id = debugIdOfCode(text);
    const built = id === null ? undefined : this.#mapsById().get(id);
    if (built) return built.text;
    const named = this.#namedMap(file, text);
    // A map with a different ID was built from different code.
    return named !== null && (id === null || (debugIdOfMap(named) ?? id) === id) ? named : null;
  }

  #mapsById(): ReadonlyMap<string, SourceText> {
    this.#byId ??= new Map(
      this.#files.all.flatMap((file): [string, SourceText][] => {
        const id = file.name.endsWith(".map") ? debugIdOfMap(file.text) : null;
        return id === null ? [] : [[id, file]];
      }),
    );
    return this.#byId;
  }

  #namedMap(file: string, text: string): string | null {
    const at = text.lastIndexOf(marker);
    const url = at < 0 ? "" : (text.slice(at + marker.length).split(/\s/, 1)[0] ?? "");
    const inline = inlineStart.exec(url)?.[0];
    if (inline !== undefined) return Buffer.from(url.slice(inline.length), "base64").toString("utf8");
    const named = url === "" || url.includes(":") ? null : this.#files.find(pathBeside(file, url), null);
    return (named ?? this.#files.find(`${file}.map`, null))?.text ?? null;
  }
}

function readMap(file: string, text: string): ReadMap | null {
  try {
    const payload: unknown = JSON.parse(text);
    if (!isMap(payload)) return null;
    const contents = payload.sources.flatMap((name, index): [string, SourceText][] => {
      const content = payload.sourcesContent?.[index];
      return typeof content === "string" ? [[name, new SourceText("source_file", plainPath(file, name), content)]] : [];
    });
    return { map: new SourceMap(payload), contents: new Map(contents) };
  } catch {
    return null;
  }
}

type MapPayload = ConstructorParameters<typeof SourceMap>[0];

function isMap(value: unknown): value is MapPayload {
  if (typeof value !== "object" || value === null) return false;
  const { sources, mappings }: { sources?: unknown; mappings?: unknown } = value;
  return Array.isArray(sources) && sources.every((one) => typeof one === "string") && typeof mappings === "string";
}

/** Returns `src/a.ts` for both `webpack://shop/./src/a.ts` and `../src/a.ts`. */
function plainPath(file: string, name: string): string {
  const bare = name.replace(/^[\w-]{1,20}:\/\/\/?(?:[^/]{1,100}\/(?=\.\/))?/, "");
  return bare === name ? pathBeside(file, name) : bare.replace(/^\.\//, "");
}

function pathBeside(file: string, relative: string): string {
  return pathIn(folderOf(file.replaceAll("\\", "/")), relative);
}
