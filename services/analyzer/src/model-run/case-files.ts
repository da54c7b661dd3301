import type { GatheredFile, SourceFiles } from "@whence/engine";
import { modelRunLimits } from "./limits.ts";
import type { Proposed } from "./proposal.ts";

/** A line of a file that has a word. */
export interface FoundLine {
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  readonly text: string;
}

/** A file by its name in the input, or in the tree. */
type CodeFile = Pick<GatheredFile, "name" | "content">;

/** The code that a model may read: what came with the failure, and the rest of the service's tree at its release. */
export class CaseFiles {
  readonly #given: ReadonlyMap<string, string>;
  readonly #tree: SourceFiles | null;
  readonly #opened = new Map<string, GatheredFile>();

  constructor(given: readonly CodeFile[], tree: SourceFiles | null) {
    this.#given = new Map(given.map(({ name, content }) => [name, content]));
    this.#tree = tree;
  }

  /** Files that were read in addition to the input. */
  get opened(): readonly GatheredFile[] {
    return [...this.#opened.values()];
  }

  /** Every file that a quote may be from. */
  get readable(): readonly CodeFile[] {
    return [...[...this.#given].map(([name, content]) => ({ name, content })), ...this.#opened.values()];
  }

  async paths(part: string): Promise<readonly string[]> {
    const rest = (await this.#tree?.paths()) ?? [];
    const given = [...this.#given.keys()];
    const others = rest.filter((path) => !given.some((name) => name === path || name.endsWith(`/${path}`)));
    return [...given, ...others].filter((path) => path.includes(part));
  }

  /** Returns the name of the only file with a path, which may be shortened or have more folders; null when there is none. */
  async named(path: string): Promise<string | null> {
    const given = alike(path, [...this.#given.keys()]);
    return given.length === 0 ? only(alike(path, (await this.#tree?.paths()) ?? [])) : only(given);
  }

  /** Returns a file's lines; null when there is none of that name. */
  async lines(path: string): Promise<readonly string[] | null> {
    const name = await this.named(path);
    const text = name === null ? null : (this.#given.get(name) ?? (await this.#open(name)));
    return text === null ? null : text.split(/\r?\n/);
  }

  /** Returns proposals with the files' own names, so that runs which name one in several ways agree. */
  async withNames(proposed: readonly Proposed[]): Promise<readonly Proposed[]> {
    return Promise.all(
      proposed.map(async (one) => {
        if (one.subject.kind !== "place") return one;
        const file = (await this.named(one.subject.file)) ?? one.subject.file;
        return { ...one, subject: { ...one.subject, file } };
      }),
    );
  }

  /** Returns the lines that contain a word. */
  async search(word: string): Promise<readonly FoundLine[]> {
    const given = [...this.#given].flatMap(([file, text]) => linesWith(word, file, text));
    const names = (await this.#tree?.search?.([word])) ?? [];
    const found = [...given];
    for (const path of names) {
      if (found.length >= modelRunLimits.searchLines) break;
      if (given.some(({ file }) => file === path || file.endsWith(`/${path}`))) continue;
      const text = await this.#open(path);
      if (text !== null) found.push(...linesWith(word, path, text));
    }
    return found.slice(0, modelRunLimits.searchLines);
  }

  async #open(path: string): Promise<string | null> {
    const known = this.#opened.get(path);
    if (known) return known.content;
    if (!this.#tree || this.#opened.size >= modelRunLimits.filesOpened) return null;
    // Only what the tree lists: a path is never followed to anywhere else.
    if (!(await this.#tree.paths()).includes(path)) return null;
    const file = await this.#tree.read(path, modelRunLimits.fileBytes);
    if (file.outcome !== "read") return null;
    this.#opened.set(path, { name: path, path, content: file.text, version: file.version });
    return file.text;
  }
}

/** Returns the name itself, or all that end alike. */
function alike(path: string, names: readonly string[]): readonly string[] {
  if (names.includes(path)) return [path];
  return names.filter((name) => name.endsWith(`/${path}`) || path.endsWith(`/${name}`));
}

function only(names: readonly string[]): string | null {
  return names.length === 1 ? (names[0] ?? null) : null;
}

function linesWith(word: string, file: string, text: string): FoundLine[] {
  return text
    .split(/\r?\n/)
    .flatMap((line, index) => (line.includes(word) ? [{ file, line: index + 1, text: line }] : []));
}
