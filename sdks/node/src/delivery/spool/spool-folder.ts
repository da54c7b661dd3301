import { accessSync, constants, existsSync, lstatSync, mkdirSync, readlinkSync, type Stats } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileSystem } from "../../runtime/file-system.ts";
import { loadBuiltin } from "../../runtime/load-builtin.ts";
import * as sdkLimits from "../../sdk-limits.ts";

/** Whose events a file holds, who holds the file, and where that one runs. */
interface SpoolName {
  /** Files are sent by a process of the same service only. */
  readonly group: string;
  /** The machine, and on Linux the process-id namespace, that `pid` is of. */
  readonly host: string;
  readonly pid: number;
  /** The instance that writes the file or has claimed it. */
  readonly owner: string;
  /** Tells the files of one owner apart. */
  readonly part: string;
}

/** A file in the folder. */
export interface SpoolEntry extends SpoolName {
  readonly path: string;
  readonly bytes: number;
  readonly modifiedAt: number;
}

const pattern = /^([0-9a-f]{16})\.([0-9a-f]{8})\.(\d{1,10})\.([0-9a-f]{1,64})\.([0-9a-f]{1,64}-\d{1,10})\.spool$/;

/** The folder that many processes share, and this one's place in it. */
export class SpoolFolder {
  readonly path: string;
  readonly #service: () => readonly string[];
  readonly #self: Omit<SpoolName, "group" | "part">;
  #parts = 0;

  /** `service` is what processes have in common that send each other's files; it may change. */
  constructor(path: string, service: () => readonly string[], instance: string) {
    this.path = path;
    this.#service = service;
    this.#self = {
      host: hash(`${os().hostname()} ${processNamespace()}`, 8),
      pid: process.pid,
      owner: instance,
    };
  }

  /** Makes sure that the folder is there, and can be used. Throws when it can't. */
  prepare(): void {
    if (!existsSync(this.path)) makeFolder(this.path);
    const obstacle = spoolObstacle(this.path);
    if (obstacle !== undefined) throw new Error(obstacle);
  }

  /** A path of this process's own that was never used. */
  newPath(): string {
    const { host, pid, owner } = this.#self;
    this.#parts += 1;
    return join(this.path, `${this.#group}.${host}.${pid}.${owner}.${owner}-${this.#parts}.spool`);
  }

  /** Returns the spool files of this service, oldest first, of any process; other files are left out. */
  async entries(): Promise<SpoolEntry[]> {
    return (await this.#allEntries()).filter(({ group }) => group === this.#group);
  }

  /** Whether the process that holds a file is gone, so that another may take it. */
  isAbandoned({ host, pid, owner, modifiedAt }: SpoolEntry, now: number): boolean {
    if (owner === this.#self.owner) return false;
    const isLate = now - modifiedAt > sdkLimits.spoolStaleMs;
    // A thread of this process has its pid; a pid of another machine says nothing here.
    if (host !== this.#self.host || pid === this.#self.pid) return isLate;
    return isLate || !isAlive(pid);
  }

  /** Makes an abandoned file this process's; undefined when another was faster. */
  async claim({ path, group, part }: SpoolEntry, now: number): Promise<string | undefined> {
    const { host, pid, owner } = this.#self;
    const claimed = join(this.path, `${group}.${host}.${pid}.${owner}.${part}.spool`);
    try {
      // From here on it must look alive, before anybody else looks.
      await fileSystem().utimes(path, now / 1_000, now / 1_000);
      await fileSystem().rename(path, claimed);
      return claimed;
    } catch {
      // Claimed by another process, or sent and removed by it.
      return undefined;
    }
  }

  /**
   * Removes abandoned files that are too old, or too many, the oldest first: those of any service, since one that is
   * never started again can't. Returns how many.
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
      // Sent and removed meanwhile.
      return undefined;
    }
  }
}

/**
 * Returns why nothing can be kept in a folder; undefined when something can. It must be this user's alone: in a shared
 * place such as the system's temporary folder somebody else might have made it to read what others write.
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
    // Not there, or below what is no folder or may not be read.
    return undefined;
  }
}

function isPrivate(found: Stats): boolean {
  const uid = process.getuid?.();
  return found.isDirectory() && (uid === undefined || (found.uid === uid && (found.mode & 0o077) === 0));
}

/** The folder in which others would have to be made. */
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
 * Not by Node's `recursive`, which never returns where a folder is there and nothing can be made in it, as one removed.
 */
function makeFolder(path: string): void {
  const parent = dirname(path);
  if (parent !== path && !existsSync(parent)) makeFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process was faster.
    if (Reflect.get(Object(error), "code") !== "EEXIST") throw error;
  }
}

/**
 * Where a spool lies, wherever the program may go: below `base`, else below the system's temporary folder; one for each
 * user.
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
    // EPERM: another user's process, and alive.
    return error instanceof Error && Reflect.get(error, "code") === "EPERM";
  }
}

/** Processes of different containers have equal pids; on Linux this tells them apart. */
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
