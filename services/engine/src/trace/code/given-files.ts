import type { ParsedFrame } from "../../findings/parsed-error.ts";
import type { ImportableFiles } from "../../source/languages/language.ts";
import { resolveImport } from "../../source/languages/languages.ts";
import { PathIndex } from "../../source/path-index.ts";
import { SourceText } from "../../source/source-text.ts";

/** The code given to an investigation: attached files, and excerpts of files that came with an event. */
export class GivenFiles {
  readonly all: readonly SourceText[];
  readonly #windows: readonly SourceText[];
  readonly #byPath = new Map<string, SourceText>();
  readonly #importable: ImportableFiles;

  constructor(files: readonly SourceText[], windows: readonly SourceText[]) {
    // A complete file includes the lines of its excerpts.
    const named = Map.groupBy(files, ({ name }) => segments(name).at(-1) ?? "");
    this.#windows = windows.filter(
      (window) => !named.get(segments(window.name).at(-1) ?? "")?.some((file) => includes(file, window)),
    );
    this.all = [...files, ...this.#windows];
    for (const file of this.all.toReversed()) this.#byPath.set(plainName(file.name), file);
    this.#importable = {
      paths: new PathIndex(this.all.map(({ name }) => plainName(name))),
      textOf: (path) => this.#byPath.get(path)?.text ?? null,
    };
  }

  /** Returns the text that shows a line of a file, or null. A path matches a name that ends with the same folders. */
  find(path: string, line: number | null): SourceText | null {
    // Counting lines reads the whole file, so the name is compared first.
    const ranked = this.all
      .map((file) => ({ file, score: likeness(path, file.name) }))
      .filter(({ file, score }) => score > 0 && (line === null || file.has(line)))
      .sort((left, right) => right.score - left.score);
    return ranked[0]?.file ?? null;
  }

  /** Returns the given files that an import resolves to. */
  imported(from: string, module: string): SourceText[] {
    const paths = resolveImport(module, plainName(from), this.#importable);
    return paths.flatMap((path) => this.#byPath.get(path) ?? []);
  }

  /** Returns the file that an import resolves to, or null if it wasn't given. */
  resolve(from: string, module: string): SourceText | null {
    return this.imported(from, module)[0] ?? null;
  }

  isWindow(source: SourceText): boolean {
    return this.#windows.includes(source);
  }
}

/** Returns the lines around frames as read by the client, one text per excerpt. */
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

/** Returns whether a file is the one that an excerpt is from: of the same path, or of its end with the same lines. */
function includes(file: SourceText, excerpt: SourceText): boolean {
  if (file.name === excerpt.name) return true;
  if (likeness(excerpt.name, file.name) < wholePath || !file.has(excerpt.lastLine)) return false;
  for (let line = excerpt.firstLine; line <= excerpt.lastLine; line++)
    if (file.line(line).trimEnd() !== excerpt.line(line).trimEnd()) return false;
  return true;
}

/** What makes up for any number of folders: one path is wholly the end of the other. */
const wholePath = 100;

/**
 * Returns how surely a path and a file's name refer to the same file: 0 when they share the base name at most, otherwise
 * the number of folders shared from the end, and more when one of them is wholly the end of the other.
 */
function likeness(path: string, name: string): number {
  const wanted = segments(path);
  const given = segments(name);
  let shared = 0;
  while (shared < wanted.length && shared < given.length && wanted.at(-1 - shared) === given.at(-1 - shared)) shared++;
  const isWhole = shared === wanted.length || shared === given.length;
  // Every package has an `index.js`, an `__init__.py`, or an `errors.go`.
  if (shared === 0 || (shared === 1 && !isWhole)) return 0;
  const isSame = shared === wanted.length && shared === given.length;
  return shared + (isWhole ? wholePath : 0) + Number(isSame);
}

function segments(path: string): string[] {
  return path
    .replaceAll("\\", "/")
    .split("/")
    .filter((part) => part !== "" && part !== ".");
}

/** Returns a file's name with `/` between its folders. */
function plainName(name: string): string {
  return name.replaceAll("\\", "/");
}
