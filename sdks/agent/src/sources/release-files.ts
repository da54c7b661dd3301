import { createHash } from "node:crypto";
import { readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { limits, type SourceFileEntry } from "@whence/protocol";
import { isCode } from "./paths-in-text.ts";
import { readSentFile } from "./read-sent-file.ts";

/** Why a file isn't uploaded. */
export type NotUploaded = "too large" | "not UTF-8 text" | "beyond the limit";

/** The files of a release, and those left out. */
export interface ReleaseFiles {
  readonly entries: readonly SourceFileEntry[];
  /** The path, below the folder, of one file with each content, by SHA-256. */
  readonly pathOf: ReadonlyMap<string, string>;
  readonly leftOut: ReadonlyMap<string, NotUploaded>;
  /** The files in which a credential was masked, with its kind. */
  readonly masked: ReadonlyMap<string, string>;
}

/** Folders of third-party code, and of leftovers of tests. */
const skippedFolders = new Set(["node_modules", "site-packages", "vendor", "venv", "__pycache__", "coverage"]);
/** Names of files that hold credentials despite an extension of code or data. */
const secretName = /(?:secret|credential|passw(?:or)?d|private[-_]?key|service[-_]?account|token)[^/]*\.json$/i;

/**
 * Finds the code and source maps below a folder, the nearest to it first. Skips hidden files and folders (`.env`,
 * `.git`), third-party code, and links; masks recognized credentials.
 */
export async function releaseFiles(folder: string): Promise<ReleaseFiles> {
  const root = await realpath(folder);
  const entries: SourceFileEntry[] = [];
  const pathOf = new Map<string, string>();
  const leftOut = new Map<string, NotUploaded>();
  const masked = new Map<string, string>();
  for await (const path of pathsBelow(root)) {
    const file =
      entries.length < limits.sourceFilesMax ? await readSentFile(join(root, path), limits.sourceFileBytesMax) : null;
    if (file === null) leftOut.set(path, "beyond the limit");
    else if (file.outcome === "too large") leftOut.set(path, "too large");
    else if (file.outcome === "no text") leftOut.set(path, "not UTF-8 text");
    else if (file.outcome === "read") {
      const sha256 = createHash("sha256").update(file.text, "utf8").digest("hex");
      entries.push({ path, sha256 });
      pathOf.set(sha256, path);
      if (file.credential !== null) masked.set(path, file.credential);
    }
  }
  return { entries, pathOf, leftOut, masked };
}

/** Breadth first, in the same order on every machine. */
async function* pathsBelow(root: string): AsyncGenerator<string> {
  const folders = [""];
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    // A folder without read permission counts as empty.
    const found = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of found.toSorted((left, right) => (left.name < right.name ? -1 : 1))) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.name.startsWith(".")) continue;
      if (entry.isDirectory() && !skippedFolders.has(entry.name)) folders.push(path);
      else if (entry.isFile() && isUploaded(entry.name)) yield path;
    }
  }
}

function isUploaded(name: string): boolean {
  return (isCode(name) || name.endsWith(".map")) && !secretName.test(name);
}
