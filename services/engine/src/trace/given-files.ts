import type { ParsedFrame } from "../findings/findings.ts";
import { SourceText } from "../source/source-text.ts";

const scriptEndings = /\.(?:[cm]?[jt]sx?)$/;
/** Where a package's code begins when its package.json was not given: in one of these folders, as one of two names. */
const entryFolders = ["", "lib/", "dist/", "src/", "build/"];

/** The code that an investigation was given: attached files, and windows into files that came with an event. */
export class GivenFiles {
  readonly all: readonly SourceText[];
  readonly #windows: readonly SourceText[];

  constructor(files: readonly SourceText[], windows: readonly SourceText[]) {
    // A complete file includes the lines of its windows.
    const whole = new Set(files.map(({ name }) => name));
    this.#windows = windows.filter(({ name }) => !whole.has(name));
    this.all = [...files, ...this.#windows];
  }

  /** The text that shows a line of a file, or null. A path matches a name that ends with the same folders. */
  find(path: string, line: number | null): SourceText | null {
    // Counting lines reads the whole file, so the name is compared first.
    const ranked = this.all
      .map((file) => ({ file, score: likeness(path, file.name) }))
      .filter(({ file, score }) => score > 0 && (line === null || file.has(line)))
      .sort((left, right) => right.score - left.score);
    return ranked[0]?.file ?? null;
  }

  /** Where an import leads, or null when that file was not given. */
  resolve(from: string, specifier: string): SourceText | null {
    const ending = scriptEndings.exec(from)?.[0] ?? "";
    if (!specifier.startsWith(".")) return this.#resolvePackage(specifier, ending);
    return this.#named(joinPath(from, specifier), ending);
  }

  /** Of several that differ only in their extension, the one with the importing file's extension. */
  #named(target: string, ending: string): SourceText | null {
    const bare = stem(target);
    const candidates = this.all.filter(({ name }) => {
      const given = stem(name);
      return name === target || given === bare || given === `${bare}/index`;
    });
    const exact = candidates.find(({ name }) => name === target);
    return exact ?? candidates.find(({ name }) => name.endsWith(ending)) ?? candidates[0] ?? null;
  }

  /** By the package's package.json if it was given, otherwise by the usual entry files. */
  #resolvePackage(specifier: string, ending: string): SourceText | null {
    const [name = "", subpath] = /^(@[^/]+\/[^/]+|[^/]+)(?:\/(.*))?$/.exec(specifier)?.slice(1) ?? [];
    const folder = this.all
      .map((file) => `/${file.name}`.lastIndexOf(`/node_modules/${name}/`) >= 0 && file.name)
      .find((one) => one !== false);
    if (folder === undefined) return null;
    const root =
      `${`/${folder}`.slice(1, `/${folder}`.lastIndexOf(`/node_modules/${name}/`))}/node_modules/${name}`.replace(
        /^\//,
        "",
      );
    if (subpath !== undefined) return this.#named(`${root}/${subpath}`, ending);
    const described = this.all.find((file) => file.name === `${root}/package.json`);
    const usual = ["index", name.split("/").at(-1) ?? name].flatMap((file) => entryFolders.map((one) => one + file));
    const entries = [...(described ? entriesOf(described.text) : []), ...usual];
    for (const entry of entries) {
      const found = this.#named(`${root}/${entry.replace(/^\.\//, "")}`, ending);
      if (found) return found;
    }
    const given = this.all.filter((file) => file.name.startsWith(`${root}/`) && scriptEndings.test(file.name));
    return given.length === 1 ? (given[0] ?? null) : null;
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

/** A path as another file names it. */
export function joinPath(from: string, specifier: string): string {
  const parts = from.replaceAll("\\", "/").split("/").slice(0, -1);
  for (const part of specifier.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}

function stem(name: string): string {
  return name.replaceAll("\\", "/").replace(scriptEndings, "");
}

/** What `main` and `exports` of a package.json name, in the order of the file. */
function entriesOf(text: string): string[] {
  const read = (): { main?: unknown; module?: unknown; exports?: unknown } => {
    try {
      const parsed: unknown = JSON.parse(text);
      return typeof parsed === "object" && parsed !== null ? parsed : {};
    } catch {
      return {};
    }
  };
  const { main, module, exports } = read();
  return [main, module, ...pathsIn(exports, conditionsMax)].filter((entry) => typeof entry === "string");
}

/** How deeply conditions are nested in each other at most. */
const conditionsMax = 4;

function pathsIn(value: unknown, depth: number): unknown[] {
  if (typeof value !== "object" || value === null || depth === 0) return [value];
  const whole = "." in value ? value["."] : value;
  return whole === value ? Object.values(value).flatMap((one) => pathsIn(one, depth - 1)) : pathsIn(whole, depth - 1);
}
