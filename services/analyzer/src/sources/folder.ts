import { constants } from "node:fs";
import { open, readdir, realpath } from "node:fs/promises";
import { join, posix, relative, sep } from "node:path";
import type { SourceFile } from "@whence/engine";
import { isReadable } from "./readable-path.ts";

/** Other people's code, and what is made from one's own by tools. */
const skippedFolders = new Set([
  "node_modules",
  "site-packages",
  "vendor",
  "venv",
  "__pycache__",
  "target",
  "coverage",
]);
const pathsMax = 20_000;

/** Files below a folder that may be read, nearest to it first; links are not followed. */
export async function pathsBelow(root: string): Promise<readonly string[]> {
  const paths: string[] = [];
  const folders = [""];
  for (let folder = folders.shift(); folder !== undefined && paths.length < pathsMax; folder = folders.shift()) {
    // A folder that may not be read has nothing for us.
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = posix.join(folder, entry.name);
      if (entry.isDirectory() && !entry.name.startsWith(".") && !skippedFolders.has(entry.name)) folders.push(path);
      else if (entry.isFile() && isReadable(path)) paths.push(path);
    }
  }
  return paths.slice(0, pathsMax);
}

/** A file below a folder as it is on disk. Never one outside, whatever links say; never waits for a pipe or a device. */
export async function readBelow(root: string, path: string, bytesMax: number): Promise<SourceFile> {
  const absent = { outcome: "absent" } as const;
  const real = isReadable(path) ? await realpath(join(root, path)).catch(() => null) : null;
  if (real?.startsWith(root + sep) !== true || !isReadable(relative(root, real).replaceAll(sep, "/"))) return absent;
  const handle = await open(real, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => null);
  if (!handle) return absent;
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) return absent;
    if (stats.size > bytesMax) return { outcome: "too-large" };
    return textOf(await handle.readFile());
  } finally {
    await handle.close();
  }
}

/** What isn't UTF-8, or holds a zero byte, is no source code. */
function textOf(bytes: Uint8Array): SourceFile {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? { outcome: "not-text" } : { outcome: "read", text, version: "on disk" };
  } catch {
    return { outcome: "not-text" };
  }
}
