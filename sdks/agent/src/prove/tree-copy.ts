import { spawn } from "node:child_process";
import { constants } from "node:fs";
import {
  access,
  chmod,
  copyFile,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readlink,
  realpath,
  rm,
  symlink,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { provingLimits } from "./proving-limits.ts";

/** A copy of a source tree as it is, uncommitted changes included. */
export interface TreeCopy {
  /** The real path of the tree: the folder of the repository, or the working folder where there is none. */
  readonly root: string;
  readonly folder: string;
  /** Python's virtual environments of the tree, which the copy only links. */
  readonly environments: readonly string[];
  /** Returns a text with the paths of the tree replaced by those of the copy. */
  readonly moved: (text: string) => string;
  /** Never rejects. */
  readonly remove: () => Promise<void>;
}

/** The tree has more files or bytes than are copied, or the time is over. */
export class TreeTooLarge extends Error {}

/** Not of the tree, or written again by what runs there. */
const leftOut = new Set([".git", "__pycache__"]);

/**
 * Copies the tree of a folder to the folder for temporary files. Installed packages are linked; what is written beside
 * them is written to the copy. The copy is removed with this process, however that ends. Throws {@link TreeTooLarge}.
 */
export async function copyTree(cwd: string, isOver: () => boolean): Promise<TreeCopy> {
  const root = await rootOf(await realpath(cwd));
  const folder = await realpath(await mkdtemp(join(tmpdir(), "whence-tree-")));
  const release = removeAtExit(folder);
  const remove = async (): Promise<void> => {
    await removeFolder(folder).catch(() => undefined);
    release();
  };
  const moved = (text: string): string => text.replace(pathPattern(root), () => folder);
  const environments: string[] = [];
  let entries = 0;
  let bytes = 0;
  const spend = (size: number): void => {
    entries += 1;
    bytes += size;
    if (entries > provingLimits.treeEntriesMax || bytes > provingLimits.treeBytesMax || isOver())
      throw new TreeTooLarge();
  };
  const link = async (from: string, to: string): Promise<void> => {
    const target = await readlink(from);
    const path = resolve(dirname(from), target);
    await symlink(isWithin(root, path) && !isAbsolute(target) ? target : moved(path), to);
  };
  const copyPackages = async (from: string, to: string): Promise<void> => {
    await mkdir(to);
    for (const entry of await readdir(from, { withFileTypes: true })) {
      const [source, target] = [join(from, entry.name), join(to, entry.name)];
      spend(0);
      if (entry.isSymbolicLink()) await link(source, target);
      else if (entry.isDirectory() && (entry.name === ".bin" || entry.name.startsWith("@")))
        await copyPackages(source, target);
      else if (!isCache(entry.name)) await symlink(source, target);
    }
  };
  const copy = async (from: string, to: string): Promise<void> => {
    await mkdir(to, { recursive: true });
    for (const entry of await readdir(from, { withFileTypes: true })) {
      const [source, target] = [join(from, entry.name), join(to, entry.name)];
      if (leftOut.has(entry.name) || source === folder) continue;
      if (entry.isSymbolicLink()) await link(source, target);
      else if (entry.isDirectory() && entry.name === "node_modules") await copyPackages(source, target);
      else if (entry.isDirectory() && (await exists(join(source, "pyvenv.cfg")))) {
        environments.push(relative(root, source));
        await symlink(source, target);
      } else if (entry.isDirectory()) await copy(source, target);
      else if (entry.isFile()) {
        spend((await lstat(source)).size);
        await copyFile(source, target, constants.COPYFILE_FICLONE);
      }
    }
  };
  try {
    await copy(root, folder);
    return { root, folder, environments, moved, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Removes a folder, also what a program has protected from being written. */
async function removeFolder(folder: string): Promise<void> {
  const removed = (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  await removed().catch(async () => {
    await makeWritable(folder);
    await removed();
  });
}

async function makeWritable(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await makeWritable(join(folder, entry.name));
}

/** Tools write their caches beside packages. */
function isCache(name: string): boolean {
  return name.startsWith(".") && name !== ".pnpm" && !name.endsWith(".json") && !name.endsWith(".yaml");
}

/** Matches a path that isn't part of a longer name. */
function pathPattern(path: string): RegExp {
  return new RegExp(`(?<![\\w.-])${path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\w.-])`, "g");
}

/** Returns the folder of the Git repository around a folder, or the folder where there is none. */
export async function rootOf(cwd: string): Promise<string> {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (await exists(join(folder, ".git"))) return folder;
    if (dirname(folder) === folder) return cwd;
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Returns whether a path is a folder or below it. */
export function isWithin(folder: string, path: string): boolean {
  return isAbsolute(path) && (path === folder || path.startsWith(folder + sep));
}

/** Starts a process that removes a folder when this process ends or the returned function is called. */
function removeAtExit(folder: string): () => void {
  const script = `process.stdin.resume().on("end", () => require("node:fs").rmSync(process.argv[1], { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))`;
  const remover = spawn(process.execPath, ["-e", script, folder], {
    detached: true,
    windowsHide: true,
    env: {},
    stdio: ["pipe", "ignore", "ignore"],
  });
  remover.on("error", () => undefined);
  remover.stdin.on("error", () => undefined);
  remover.unref();
  return () => {
    remover.stdin.end();
  };
}
