import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { storageErrors } from "./errors.ts";
import { asUnwritable } from "./unwritable.ts";

const ownerOnly = 0o700;
const ownerOnlyFile = 0o600;
/** What the empty stores take, with room to write down the first events. */
const firstStartBytes = 16_777_216;
const bytesPerMegabyte = 1_000_000;

/** https://sqlite.org/rescode.html: BUSY, in the low byte. */
const sqliteBusy = 5;
const primaryCodeMask = 0xff;

/** A data directory that is this process's alone until `release`. */
export interface DataDirectory {
  readonly path: string;
  release(): void;
}

/**
 * Makes the directory when it is missing, and closes it and its files to other users. Throws
 * `WHENCE_ERR_DATA_DIRECTORY_UNWRITABLE` when nothing can be written there, and `WHENCE_ERR_DATA_DIRECTORY_OPEN` when it
 * belongs to another user.
 */
export function makeDataDirectory(path: string): void {
  try {
    make(path);
    probe(path);
  } catch (cause) {
    throw asUnwritable(path, cause);
  }
  try {
    closeToOthers(path);
  } catch (cause) {
    throw storageErrors.create("WHENCE_ERR_DATA_DIRECTORY_OPEN", [path], { cause });
  }
}

/**
 * Creates the directory as {@link makeDataDirectory} does and locks it for this process; throws
 * `WHENCE_ERR_DATA_DIRECTORY_IN_USE` if another process has it. The lock is a file lock of the operating system, taken
 * through SQLite, which also ends when the process is killed. The file with the process id beside it only tells people
 * which process holds the lock.
 */
export function takeDataDirectory(path: string): DataDirectory {
  makeDataDirectory(path);
  refuseFullAtFirst(path);
  const pidFile = join(path, "whence.pid");
  const lock = takeLock(path, pidFile);
  try {
    closeToOthers(path);
    writeFileSync(pidFile, `${process.pid}\n`, { mode: ownerOnlyFile });
  } catch (cause) {
    lock.close();
    throw asUnwritable(path, cause);
  }
  return {
    path,
    release() {
      rmSync(pidFile, { force: true });
      lock.close();
    },
  };
}

/** Writes something: what the operating system refuses has its reason with it, and what a database refuses has not. */
function probe(path: string): void {
  const file = join(path, `whence.${process.pid}.probe`);
  try {
    writeFileSync(file, "room?\n", { mode: ownerOnlyFile });
  } finally {
    rmSync(file, { force: true });
  }
}

/** Without `recursive` when that fails: it says of a read-only disk that the folder does not exist. */
function make(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: ownerOnly });
  } catch {
    mkdirSync(path, { mode: ownerOnly });
  }
}

function takeLock(path: string, pidFile: string): DatabaseSync {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(join(path, "whence.lock"));
    lock.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    return lock;
  } catch (cause) {
    lock?.close();
    if (!isBusy(cause)) throw asUnwritable(path, cause);
    throw storageErrors.create("WHENCE_ERR_DATA_DIRECTORY_IN_USE", [path, holder(pidFile)], { cause });
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && (Number(error.errcode) & primaryCodeMask) === sqliteBusy;
}

/** A service that has data starts on a full disk too, to be read and cleared; one that begins there would stop half-way. */
function refuseFullAtFirst(path: string): void {
  const hasData = readdirSync(path).some((name) => name.endsWith(".sqlite") || name === "events");
  if (hasData) return;
  const { bavail, bsize } = statfsSync(path);
  const free = bavail * bsize;
  if (free >= firstStartBytes) return;
  const [megabytes, needed] = [free, firstStartBytes].map((bytes) => Math.floor(bytes / bytesPerMegabyte));
  const reason = `its disk has ${megabytes} MB free and the first start needs ${needed} MB: free space`;
  throw storageErrors.create("WHENCE_ERR_DATA_DIRECTORY_UNWRITABLE", [path, reason]);
}

/** Closes existing files too: they hold keys, accounts and telemetry. */
function closeToOthers(path: string): void {
  chmodSync(path, ownerOnly);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isFile()) closeFile(join(path, entry.name));
  }
}

function closeFile(path: string): void {
  try {
    chmodSync(path, ownerOnlyFile);
  } catch (error) {
    // A file of another process that starts here at the same time, gone by now.
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  }
}

function holder(pidFile: string): string {
  try {
    return readFileSync(pidFile, "utf8").trim();
  } catch {
    // Between the lock and the file; the lock is what counts.
    return "(unknown)";
  }
}
