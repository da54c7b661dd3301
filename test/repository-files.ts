import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Absolute path of the repository, without a trailing slash. */
export const root: string = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");

/** Folders of generated or installed files, which aren't read. */
const generated = new Set(["node_modules", "dist", ".types", "coverage", ".git", ".next", ".whence"]);

/** Returns the paths of matching files, relative to the root, with `/`, sorted. */
export function repositoryFiles(...patterns: readonly string[]): string[] {
  const files = globSync([...patterns], { cwd: root, exclude: (path) => generated.has(path.split("/").at(-1) ?? "") });
  return [...new Set(files)].sort();
}

/** Returns the text of a file by its path from the root. */
export function readRepositoryFile(path: string): string {
  return readFileSync(join(root, path), "utf8");
}
