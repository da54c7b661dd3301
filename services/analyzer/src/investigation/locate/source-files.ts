import type { ParsedFrame } from "../findings.ts";
import { SourceText } from "../source-text.ts";
import { readStructure, type Structure } from "./javascript/structure.ts";

/** Files read as JavaScript; anything else is text. */
const scriptEndings = /\.(?:[cm]?[jt]sx?)$/;
/** A larger file is most likely a bundle or generated. It is quoted, not analysed. */
const structureUnitsMax = 400_000;

/** The code that an investigation was given: attached files, and windows into files that came with an event. */
export class SourceFiles {
  readonly all: readonly SourceText[];
  readonly #windows: readonly SourceText[];
  readonly #structures = new Map<SourceText, Structure | null>();

  constructor(files: readonly SourceText[], windows: readonly SourceText[]) {
    this.all = [...files, ...windows];
    this.#windows = windows;
  }

  /** The text that shows a line of a file, or null. A path matches a name that ends with the same folders. */
  find(path: string, line: number | null): SourceText | null {
    const files = this.all.filter((file) => line === null || file.has(line));
    const ranked = files
      .map((file) => ({ file, score: likeness(path, file.name) }))
      .filter(({ score }) => score > 0)
      .sort((left, right) => right.score - left.score);
    return ranked[0]?.file ?? null;
  }

  /** Where a relative import leads, or null when that file was not given. */
  resolve(from: string, specifier: string): SourceText | null {
    if (!specifier.startsWith(".")) return null;
    const target = joinPath(from, specifier);
    const candidates = this.all.filter((file) => {
      const name = stem(file.name);
      return name === target || name === `${target}/index` || file.name === target;
    });
    return candidates[0] ?? null;
  }

  /** Null for what is no script, or too large. */
  structure(source: SourceText): Structure | null {
    const known = this.#structures.get(source);
    if (known !== undefined) return known;
    const isScript = scriptEndings.test(source.name) && source.text.length <= structureUnitsMax;
    const structure = isScript ? readStructure(source) : null;
    this.#structures.set(source, structure);
    return structure;
  }

  /** The files' structures, those that are the user's own first. */
  structures(): Structure[] {
    return this.all.flatMap((file) => this.structure(file) ?? []);
  }

  isWindow(source: SourceText): boolean {
    return this.#windows.includes(source);
  }
}

/** The lines around frames, as the client read them: one text for each window. */
export function windowsOf(frames: readonly ParsedFrame[]): SourceText[] {
  const windows = new Map<string, SourceText>();
  for (const { file, context } of frames) {
    if (file === null || !context || context.lines.length === 0) continue;
    const key = `${file}:${context.start_line}:${context.lines.length}`;
    if (windows.has(key)) continue;
    windows.set(key, new SourceText("stack_frame", file, context.lines.join("\n"), context.start_line));
  }
  return [...windows.values()];
}

/**
 * How surely a path and a file's name mean the same file: 0 when the base names differ, the number of folders they
 * share from the end, and more when one of them is wholly the other's end.
 */
function likeness(path: string, name: string): number {
  const wanted = segments(path);
  const given = segments(name);
  let shared = 0;
  while (shared < wanted.length && shared < given.length && wanted.at(-1 - shared) === given.at(-1 - shared)) shared++;
  if (shared === 0) return 0;
  const isWhole = shared === wanted.length || shared === given.length;
  return shared + (isWhole ? 100 : 0);
}

function segments(path: string): string[] {
  return path
    .replaceAll("\\", "/")
    .split("/")
    .filter((part) => part !== "" && part !== ".");
}

function joinPath(from: string, specifier: string): string {
  const parts = from.replaceAll("\\", "/").split("/").slice(0, -1);
  for (const part of specifier.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  const joined = parts.join("/");
  return scriptEndings.test(joined) ? stem(joined) : joined;
}

function stem(name: string): string {
  return name.replaceAll("\\", "/").replace(scriptEndings, "");
}
