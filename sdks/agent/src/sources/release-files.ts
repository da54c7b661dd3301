import { createHash } from "node:crypto";
import { readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import {
  isOtherFolder,
  isTestFile,
  limits,
  listsDependencies,
  programFileKind,
  type SourceFileEntry,
} from "@whence/protocol";
import { readSentFile } from "./read-sent-file.ts";

/** Why a file isn't uploaded. */
export type NotUploaded = "too large" | "not UTF-8 text" | "beyond the limit" | "holds credentials";

/** The files of a release, and those left out. */
export interface ReleaseFiles {
  readonly entries: readonly SourceFileEntry[];
  /** The path, below the folder, of one file with each content, by SHA-256. */
  readonly pathOf: ReadonlyMap<string, string>;
  readonly leftOut: ReadonlyMap<string, NotUploaded>;
  /** The files in which a credential was masked, with its kind. */
  readonly masked: ReadonlyMap<string, string>;
}

/** A manifest of Kubernetes whose values are credentials. */
const credentialManifest = /^kind:[ \t]*["']?Secret["']?[ \t]*(?:#.*)?$/m;

/**
 * Finds what the program in a folder is made of: its code and source maps, then its data, settings, and lists of
 * dependencies, each the nearest to the folder first. Skips hidden files and folders (`.env`, `.git`), third-party code,
 * data of tests, and links; masks recognized credentials.
 */
export async function releaseFiles(folder: string): Promise<ReleaseFiles> {
  const root = await realpath(folder);
  const entries: SourceFileEntry[] = [];
  const pathOf = new Map<string, string>();
  const leftOut = new Map<string, NotUploaded>();
  const masked = new Map<string, string>();
  for (const path of await programFiles(root)) {
    const file = entries.length < limits.sourceFilesMax ? await readSentFile(join(root, path), bytesMaxOf(path)) : null;
    if (file === null) leftOut.set(path, "beyond the limit");
    else if (file.outcome === "too large") leftOut.set(path, "too large");
    else if (file.outcome === "no text") leftOut.set(path, "not UTF-8 text");
    else if (file.outcome === "read" && /\.ya?ml$/i.test(path) && credentialManifest.test(file.text))
      leftOut.set(path, "holds credentials");
    else if (file.outcome === "read") {
      const sha256 = createHash("sha256").update(file.text, "utf8").digest("hex");
      entries.push({ path, sha256 });
      pathOf.set(sha256, path);
      if (file.credential !== null) masked.set(path, file.credential);
    }
  }
  return { entries, pathOf, leftOut, masked };
}

/** Returns the bytes that a file may have. Lock files are large, and compared line by line; other large data is not read. */
function bytesMaxOf(path: string): number {
  const isData = programFileKind(path) === "data" && !listsDependencies(path);
  return isData ? limits.sourceDataFileBytesMax : limits.sourceFileBytesMax;
}

/** Code first: a program may have more data than fits. */
async function programFiles(root: string): Promise<readonly string[]> {
  const code: string[] = [];
  const data: string[] = [];
  for await (const path of pathsBelow(root)) {
    const isMap = path.endsWith(".map") && !path.split("/").at(-1)?.startsWith(".");
    const kind = isMap ? "code" : programFileKind(path);
    if (kind === "code") code.push(path);
    else if (kind === "data" && !isTestFile(path)) data.push(path);
  }
  return [...code, ...data];
}

/** Breadth first, in the same order on every machine. */
async function* pathsBelow(root: string): AsyncGenerator<string> {
  const folders = [""];
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    // A folder without read permission counts as empty.
    const found = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of [...found].sort((left, right) => (left.name < right.name ? -1 : 1))) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !entry.name.startsWith(".") && !isOtherFolder(entry.name)) folders.push(path);
      else if (entry.isFile()) yield path;
    }
  }
}
