import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder } from "../corpora/package-cache.ts";

/** A folder of the cache that the programs under test may write; empty at first, unless it is kept. */
export function writableFolder(name: string, isKept = false): string {
  const folder = join(cacheFolder, name);
  if (!isKept) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  execFileSync("chmod", ["-R", "a+rwX", folder]);
  return folder;
}
