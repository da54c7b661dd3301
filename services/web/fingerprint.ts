import { createHash } from "node:crypto";
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** Returns a digest of the files that match, their names, and the version of Node: equal sources build equal files. */
export async function fingerprint(folder: string, patterns: readonly string[]): Promise<string> {
  const hash = createHash("sha256").update(process.version);
  const files = globSync([...patterns], { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const { parentPath, name } of files.sort((a, b) => (path(a) < path(b) ? -1 : 1))) {
    hash.update(`\0${name}\0`);
    hash.update(await readFile(join(parentPath, name)));
  }
  return hash.digest("hex");
}

function path({ parentPath, name }: { readonly parentPath: string; readonly name: string }): string {
  return join(parentPath, name);
}
