import { isAbsolute, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Frame, SourceContext } from "@whence/protocol";
import { type Calls, isInApp, withPlace } from "../core/stack.ts";
import { nodeFlags } from "../environment.ts";
import { nextTurn } from "../runtime/next-turn.ts";
import * as sdkLimits from "../sdk-limits.ts";
import type { FunctionSources } from "./function-sources.ts";
import { readFiles, readFilesSync } from "./on-disk.ts";
import { MappingScan, type OriginalPlace, type Place, type SourceMapData, type SourceMapPart } from "./source-map.ts";
import { type SourceMapFile, sourceMapOf } from "./source-map-file.ts";

/** A place in the original code, with the lines around it if the map has them. */
interface Original {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly context: SourceContext | undefined;
}

/** The places to look up, by file. */
type Questions = Map<string, Map<string, Place>>;

/**
 * Maps stacks of compiled code to the original code. Each place is looked up once and cached; a map is read when a new
 * place in its file is looked up, and not cached.
 */
export class MappedStacks {
  /** By compiled place, oldest first; undefined where there is no original. */
  readonly #known = new Map<string, Original | undefined>();
  readonly #mapped = new WeakMap<Calls, Calls>();
  readonly #functions: FunctionSources;

  constructor(functions: FunctionSources) {
    this.#functions = functions;
  }

  /** Returns the calls as mapped by {@link load}, or unchanged if they weren't. */
  of(calls: Calls): Calls {
    return this.#mapped.get(calls) ?? calls;
  }

  /** Returns the lines around a mapped frame that a map contains. */
  contextOf({ generated }: Frame): SourceContext | undefined {
    return generated && this.#known.get(keyOf(generated.file, generated))?.context;
  }

  /** Maps the frames of the program's own code. Never rejects. */
  async load(stacks: Iterable<Calls>): Promise<void> {
    const waiting = this.#unmapped(stacks);
    for (const [file, places] of this.#questions(waiting)) {
      await this.#answer(file, [...places.values()], await readFiles(sourceMapOf(file)));
    }
    for (const calls of waiting) this.#map(calls);
  }

  /**
   * Does what {@link load} does, synchronously. Also looks up the places of `others` that are in the same files, and
   * those in further files while `isInTime`.
   */
  loadSync(stacks: readonly Calls[], others: readonly Calls[], isInTime: () => boolean): void {
    const waiting = this.#unmapped([...stacks, ...others]);
    const needed = this.#questions(this.#unmapped(stacks));
    for (const [file, places] of this.#questions(waiting)) {
      if (!needed.has(file) && !isInTime()) continue;
      this.#answerSync(file, [...places.values()], readFilesSync(sourceMapOf(file)));
    }
    for (const calls of waiting) this.#map(calls);
  }

  #unmapped(stacks: Iterable<Calls>): Set<Calls> {
    if (nodeMapsStacks()) return new Set();
    return new Set([...stacks].filter((calls) => calls.frames.length > 0 && !this.#mapped.has(calls)));
  }

  #questions(stacks: Iterable<Calls>): Questions {
    const questions: Questions = new Map();
    for (const { frames } of stacks) {
      for (const frame of frames) {
        if (!isMappable(frame)) continue;
        const key = keyOf(frame.file, frame);
        if (this.#known.has(key)) continue;
        questions.set(frame.file, (questions.get(frame.file) ?? new Map()).set(key, frame));
      }
    }
    return questions;
  }

  async #answer(file: string, places: readonly Place[], map: SourceMapFile): Promise<void> {
    const lookUp = new LookUp(places, map, this.#functions);
    while (lookUp.step()) await nextTurn();
    this.#keep(file, places, lookUp.originals());
  }

  #answerSync(file: string, places: readonly Place[], map: SourceMapFile): void {
    const lookUp = new LookUp(places, map, this.#functions);
    while (lookUp.step());
    this.#keep(file, places, lookUp.originals());
  }

  #keep(file: string, places: readonly Place[], originals: readonly (Original | undefined)[]): void {
    for (const [index, place] of places.entries()) {
      if (this.#known.size >= sdkLimits.mappedPlacesMax) this.#known.delete(this.#known.keys().next().value ?? "");
      this.#known.set(keyOf(file, place), originals[index]);
    }
  }

  #map(calls: Calls): void {
    const frames = calls.frames.map((frame) => this.#mapFrame(frame));
    const changed = frames.some((frame, index) => frame !== calls.frames[index]);
    this.#mapped.set(calls, changed ? withFrames(calls, frames) : calls);
  }

  #mapFrame(frame: Frame): Frame {
    if (!isMappable(frame)) return frame;
    const original = this.#known.get(keyOf(frame.file, frame));
    if (!original) return frame;
    const { file, line, column } = original;
    const generated = { file: frame.file, line: frame.line, column: frame.column };
    return { ...frame, file, line, column, in_app: isInApp(file), generated };
  }
}

/** Looks up the places of one file in its map. */
class LookUp {
  readonly #map: SourceMapFile;
  readonly #functions: FunctionSources;
  readonly #scans: { readonly part: SourceMapPart; readonly indexes: readonly number[]; readonly scan: MappingScan }[];
  readonly #count: number;

  constructor(places: readonly Place[], map: SourceMapFile, functions: FunctionSources) {
    this.#map = map;
    this.#functions = functions;
    this.#count = places.length;
    const partOf = places.map((place) => map.parts.findLast((part) => isAtOrAfter(place, part)));
    this.#scans = map.parts.flatMap((part) => {
      const indexes = places.flatMap((_, index) => (partOf[index] === part ? [index] : []));
      const inside = indexes.map((index) => relativeTo(part, places[index]));
      return indexes.length === 0 ? [] : [{ part, indexes, scan: new MappingScan(part.map.mappings, inside) }];
    });
  }

  /** Reads on; returns false at the end. */
  step(): boolean {
    return this.#scans.some(({ scan }) => scan.step(sdkLimits.mappingsPerTurn));
  }

  originals(): (Original | undefined)[] {
    const originals = Array.from<Original | undefined>({ length: this.#count });
    for (const { part, indexes, scan } of this.#scans) {
      for (const [position, index] of indexes.entries()) {
        const found = scan.found[position];
        if (found) originals[index] = this.#originalOf(found, part.map);
      }
    }
    return originals;
  }

  #originalOf({ source: index, line, column }: OriginalPlace, map: SourceMapData): Original | undefined {
    const source = map.sources[index];
    if (source === undefined || source === "") return undefined;
    const content = map.sourcesContent[index];
    const file = originalPath(source, map.sourceRoot, this.#map.folder);
    const context = content === undefined ? undefined : this.#functions.around(file, Buffer.from(content), line);
    return { file, line, column, context };
  }
}

/** Matches URLs of tools that end with a path: `webpack://shop/./src/cart.ts`, `turbopack:///[project]/src/cart.ts`. */
const toolUrl = /^[a-z][a-z0-9+.-]*:\/\/[^/]*\/(?:\[project\]\/)?(?:\.\/)?/i;

const urlPath = /^(?:[\w.~!$&'()*+,;=:@/-]|%[0-9a-f]{2})*$/i;

/** Returns the path of a source that a map in a folder names, with the map's `sourceRoot`. */
export function originalPath(source: string, root: string, folder: string): string {
  const named = root === "" || isAbsolute(source) || /^[a-z][a-z0-9+.-]+:/i.test(source) ? source : join(root, source);
  try {
    if (named.startsWith("file:")) return fileURLToPath(named);
  } catch {
    // A URL of another machine is better than no name.
    return named;
  }
  return toolUrl.test(named)
    ? decoded(named.replace(toolUrl, "").replace(/\?[0-9a-z]*$/, ""))
    : resolve(folder, decoded(named));
}

/**
 * Decodes a source name such as Turbopack's `app/%5Bid%5D/page.tsx`. Most tools write a path, recognizable by a
 * character that URLs can't contain.
 */
function decoded(source: string): string {
  if (!source.includes("%") || !urlPath.test(source)) return source;
  try {
    return decodeURIComponent(source);
  } catch {
    // It only looks encoded.
    return source;
  }
}

function join(root: string, source: string): string {
  return root.endsWith("/") ? root + source : `${root}/${source}`;
}

/** Returns the calls with other frames, printed as V8 would. */
function withFrames({ text }: Calls, frames: readonly Frame[]): Calls {
  const byPlace = new Map(
    frames.flatMap((frame) =>
      frame.generated ? [[keyOf(frame.generated.file, frame.generated), frame] as const] : [],
    ),
  );
  const lines = text.split("\n").map((line) => withPlace(line, (file, place) => byPlace.get(keyOf(file, place))));
  return { text: lines.join("\n"), frames };
}

type MappableFrame = Frame & { readonly file: string; readonly line: number; readonly column: number };

function isMappable(frame: Frame): frame is MappableFrame {
  const { file, line, column, in_app } = frame;
  return in_app === true && file !== undefined && isAbsolute(file) && (line ?? 0) > 0 && (column ?? 0) > 0;
}

function isAtOrAfter({ line, column }: Place, part: SourceMapPart): boolean {
  return line - 1 > part.line || (line - 1 === part.line && column - 1 >= part.column);
}

function relativeTo(part: SourceMapPart, place: Place = { line: 1, column: 1 }): Place {
  const line = place.line - part.line;
  return { line, column: line === 1 ? place.column - part.column : place.column };
}

function keyOf(file: string, { line, column }: { line?: number | undefined; column?: number | undefined }): string {
  return `${file}:${line}:${column}`;
}

/** Whether Node already maps stacks, so that they must not be mapped twice. Node 18 doesn't report it. */
function nodeMapsStacks(): boolean {
  return process.sourceMapsEnabled === true || nodeFlags().includes("--enable-source-maps");
}
