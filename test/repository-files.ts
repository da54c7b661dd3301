import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Absolute path of the repository, without a slash at the end. */
export const root: string = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");

/** Made or installed, not written: nothing in these folders is read. */
const generated = new Set(["node_modules", "dist", ".types", "coverage", ".git", ".next", ".whence"]);

/** Paths of the written files that match, relative to the root, with `/`, sorted. */
export function repositoryFiles(...patterns: readonly string[]): string[] {
  const files = globSync([...patterns], { cwd: root, exclude: (path) => generated.has(path.split("/").at(-1) ?? "") });
  return [...new Set(files)].sort();
}

/** The text of a file named by its path from the root. */
export function readRepositoryFile(path: string): string {
  return readFileSync(join(root, path), "utf8");
}
