import { accessSync, constants, existsSync, lstatSync, mkdirSync, readlinkSync, type Stats } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileSystem } from "../../runtime/file-system.ts";
import { loadBuiltin } from "../../runtime/load-builtin.ts";
import * as sdkLimits from "../../sdk-limits.ts";

/** The parts of a file name: whose events it holds, which process holds it, and where that runs. */
interface SpoolName {
  /** Only processes of the same service send the file. */
  readonly group: string;
  /** The machine, and on Linux the process-id namespace, in which `pid` is valid. */
  readonly host: string;
  readonly pid: number;
  /** The instance that writes the file or has claimed it. */
  readonly owner: string;
  /** Distinguishes the files of one owner. */
  readonly part: string;
}

/** A file in the folder. */
export interface SpoolEntry extends SpoolName {
  readonly path: string;
  readonly bytes: number;
  readonly modifiedAt: number;
}

const pattern = /^([0-9a-f]{16})\.([0-9a-f]{8})\.(\d{1,10})\.([0-9a-f]{1,64})\.([0-9a-f]{1,64}-\d{1,10})\.spool$/;

/** A folder shared by many processes, and this one's files in it. */
export class SpoolFolder {
  readonly path: string;
  readonly #service: () => readonly string[];
  readonly #self: Omit<SpoolName, "group" | "part">;
  #parts = 0;

  /** `service` identifies the processes that send each other's files; it may change. */
  constructor(path: string, service: () => readonly string[], instance: string) {
    this.path = path;
    this.#service = service;
    this.#self = {
      host: hash(`${os().hostname()} ${processNamespace()}`, 8),
      pid: process.pid,
      owner: instance,
    };
  }

  /** Creates the folder if needed. Throws when it can't be used. */
  prepare(): void {
    if (!existsSync(this.path)) makeFolder(this.path);
    const obstacle = spoolObstacle(this.path);
    if (obstacle !== undefined) throw new Error(obstacle);
  }

  /** Returns an unused path for a file of this process. */
  newPath(): string {
    const { host, pid, owner } = this.#self;
    this.#parts += 1;
    return join(this.path, `${this.#group}.${host}.${pid}.${owner}.${owner}-${this.#parts}.spool`);
  }

  /** Returns the spool files of this service's processes, oldest first. */
  async entries(): Promise<SpoolEntry[]> {
    return (await this.#allEntries()).filter(({ group }) => group === this.#group);
  }

  /** Whether the process that holds a file is gone, so that another may take it over. */
  isAbandoned({ host, pid, owner, modifiedAt }: SpoolEntry, now: number): boolean {
    if (owner === this.#self.owner) return false;
    const isLate = now - modifiedAt > sdkLimits.spoolStaleMs;
    // Threads of one process share a pid; a pid of another machine says nothing here.
    if (host !== this.#self.host || pid === this.#self.pid) return isLate;
    return isLate || !isAlive(pid);
  }

  /** Takes over an abandoned file; undefined when another process did so first. */
  async claim({ path, group, part }: SpoolEntry, now: number): Promise<string | undefined> {
    const { host, pid, owner } = this.#self;
    const claimed = join(this.path, `${group}.${host}.${pid}.${owner}.${part}.spool`);
    try {
      // Marked as alive first, before any other process checks.
      await fileSystem().utimes(path, now / 1_000, now / 1_000);
      await fileSystem().rename(path, claimed);
      return claimed;
    } catch {
      // Claimed by another process, or sent and deleted by it.
      return undefined;
    }
  }

  /**
   * Deletes abandoned files that are too old or too many, oldest first. Includes those of any service, since one that
   * never starts again can't do it. Returns how many.
   */
  async tidy(now: number): Promise<number> {
    let removed = 0;
    const entries = await this.#allEntries();
    let files = entries.length;
    let bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
    for (const entry of entries) {
      const isTooMuch = files > sdkLimits.spoolFilesMax || bytes > sdkLimits.spoolBytesMax;
      const isTooOld = now - entry.modifiedAt > sdkLimits.spoolAgeMaxMs;
      if (!(isTooMuch || isTooOld) || !this.isAbandoned(entry, now)) continue;
      await fileSystem().rm(entry.path, { force: true });
      files -= 1;
      bytes -= entry.bytes;
      removed += 1;
    }
    return removed;
  }

  get #group(): string {
    return hash(JSON.stringify(this.#service()), 16);
  }

  async #allEntries(): Promise<SpoolEntry[]> {
    const names = (await fileSystem().readdir(this.path)).flatMap((name) => parseName(name) ?? []);
    const entries = await Promise.all(names.map((name) => this.#entry(name)));
    return entries.flatMap((entry) => entry ?? []).sort((a, b) => a.modifiedAt - b.modifiedAt);
  }

  async #entry(name: SpoolName & { readonly file: string }): Promise<SpoolEntry | undefined> {
    const path = join(this.path, name.file);
    try {
      const { size, mtimeMs } = await fileSystem().stat(path);
      return { ...name, path, bytes: size, modifiedAt: mtimeMs };
    } catch {
      // Sent and deleted meanwhile.
      return undefined;
    }
  }
}

/**
 * Returns why a folder can't be used as a spool; undefined when it can. It must belong to this user alone: in a shared
 * place such as the system's temporary folder, someone else might have created it to read what others write.
 */
export function spoolObstacle(folder: string): string | undefined {
  const found = existing(folder);
  if (found && !isPrivate(found)) return `${folder} isn't a folder of this user alone`;
  return isWritable(found ? folder : nearestFolder(folder)) ? undefined : `${folder} can't be written`;
}

function existing(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    // It doesn't exist, is below something that isn't a folder, or may not be read.
    return undefined;
  }
}

function isPrivate(found: Stats): boolean {
  const uid = process.getuid?.();
  return found.isDirectory() && (uid === undefined || (found.uid === uid && (found.mode & 0o077) === 0));
}

/** Returns the nearest existing folder, in which the others would be created. */
function nearestFolder(path: string): string {
  const parent = dirname(path);
  return parent === path || existsSync(parent) ? parent : nearestFolder(parent);
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    // Read-only, or another user's.
    return false;
  }
}

/**
 * Creates a folder step by step. Node's `recursive` never returns where a folder exists but nothing can be created in
 * it, such as a deleted one.
 */
function makeFolder(path: string): void {
  const parent = dirname(path);
  if (parent !== path && !existsSync(parent)) makeFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process created it first.
    if (Reflect.get(Object(error), "code") !== "EEXIST") throw error;
  }
}

/**
 * Returns the spool folder, independent of the working directory: below `base`, or else below the system's temporary
 * folder, one per user.
 */
export function spoolFolderPath(base: string | undefined): string {
  return base === undefined
    ? join(os().tmpdir(), `whence-spool-${process.getuid?.() ?? "user"}`)
    : resolve(base, "whence-spool");
}

function parseName(file: string): (SpoolName & { readonly file: string }) | undefined {
  const [, group, host, pid, owner, part] = pattern.exec(file) ?? [];
  if (!group || !host || !pid || !owner || !part) return undefined;
  return { file, group, host, pid: Number(pid), owner, part };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process is alive and belongs to another user.
    return error instanceof Error && Reflect.get(error, "code") === "EPERM";
  }
}

/** Distinguishes, on Linux, processes in different containers, which may have equal pids. */
function processNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    // Not Linux.
    return "";
  }
}

function hash(text: string, characters: number): string {
  const { createHash }: typeof import("node:crypto") = loadBuiltin("node:crypto");
  return createHash("sha256").update(text).digest("hex").slice(0, characters);
}

function os(): typeof import("node:os") {
  return loadBuiltin("node:os");
}
