import { realpath } from "node:fs/promises";
import type { SourceFile, SourceFiles } from "@whence/engine";
import type { NamedRelease } from "@whence/protocol";
import { pathsBelow, readBelow } from "./folder.ts";
import { findCommit, type GitCommit, pathsAt, readAt, searchAt } from "./git-commit.ts";
import { isReadable } from "./readable-path.ts";
import { searchFiles } from "./search-files.ts";

/**
 * Opens a service's code at a release, from a folder on this machine: from git when the release has a tag or a commit
 * there, otherwise from the files on disk. Null when the folder doesn't exist.
 */
export async function openCheckout(folder: string, release: NamedRelease): Promise<SourceFiles | null> {
  const root = await realpath(folder).catch(() => null);
  if (root === null) return null;
  const commit = await findCommit(root, release);
  const paths = commit && (await pathsAt(root, commit));
  return commit && paths ? new GitCheckout(root, commit, paths) : new DiskCheckout(root);
}

class DiskCheckout implements SourceFiles {
  readonly #root: string;
  #paths: Promise<readonly string[]> | undefined;

  constructor(root: string) {
    this.#root = root;
  }

  paths(): Promise<readonly string[]> {
    this.#paths ??= pathsBelow(this.#root);
    return this.#paths;
  }

  read(path: string, bytesMax: number): Promise<SourceFile> {
    return readBelow(this.#root, path, bytesMax);
  }

  search(words: readonly string[]): Promise<readonly string[]> {
    return searchFiles(this, words);
  }
}

class GitCheckout implements SourceFiles {
  readonly #root: string;
  readonly #commit: GitCommit;
  readonly #paths: ReadonlySet<string>;

  constructor(root: string, commit: GitCommit, paths: readonly string[]) {
    this.#root = root;
    this.#commit = commit;
    this.#paths = new Set(paths.filter(isReadable));
  }

  async paths(): Promise<readonly string[]> {
    return [...this.#paths];
  }

  /** Installed packages aren't in git: they are read from disk. */
  async read(path: string, bytesMax: number): Promise<SourceFile> {
    if (!this.#paths.has(path)) return readBelow(this.#root, path, bytesMax);
    const text = await readAt(this.#root, this.#commit, path, bytesMax);
    if (text === null) return { outcome: "too-large" };
    return text.includes("\0")
      ? { outcome: "not-text" }
      : { outcome: "read", text, version: `git ${this.#commit.name}` };
  }

  async search(words: readonly string[]): Promise<readonly string[]> {
    const found = await searchAt(this.#root, this.#commit, words);
    return found.filter((path) => this.#paths.has(path));
  }
}
