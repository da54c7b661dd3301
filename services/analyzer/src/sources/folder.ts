import { constants } from "node:fs";
import { open, readdir, realpath } from "node:fs/promises";
import { join, posix, relative, sep } from "node:path";
import type { SourceFile } from "@whence/engine";
import { isOtherFolder } from "@whence/protocol";
import { isReadable } from "./readable-path.ts";

const pathsMax = 20_000;

/** Returns whether a file is in a folder of third-party or generated code. */
export function isThirdParty(path: string): boolean {
  return path.split("/").slice(0, -1).some(isOtherFolder);
}

/** Returns readable files below a folder, the nearest first, without following links. */
export async function pathsBelow(root: string): Promise<readonly string[]> {
  const paths: string[] = [];
  const folders = [""];
  for (let folder = folders.shift(); folder !== undefined && paths.length < pathsMax; folder = folders.shift()) {
    // A folder without read permission counts as empty.
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = posix.join(folder, entry.name);
      if (entry.isDirectory() && !entry.name.startsWith(".") && !isOtherFolder(entry.name)) folders.push(path);
      else if (entry.isFile() && isReadable(path)) paths.push(path);
    }
  }
  return paths.slice(0, pathsMax);
}

/**
 * Reads a file below a folder from disk. Never follows a link to the outside, and never waits for a pipe or a device.
 */
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

/** Source code is UTF-8 without zero bytes. */
function textOf(bytes: Uint8Array): SourceFile {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? { outcome: "not-text" } : { outcome: "read", text, version: "on disk" };
  } catch {
    return { outcome: "not-text" };
  }
}
