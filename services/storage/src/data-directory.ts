import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { storageErrors } from "./errors.ts";

const ownerOnly = 0o700;
const ownerOnlyFile = 0o600;

/** A data directory that is this process's alone until `release`. */
export interface DataDirectory {
  readonly path: string;
  release(): void;
}

/**
 * Makes the directory when it is missing, closes it and its files to other users, and takes it for this process, or
 * throws `WHENCE_ERR_DATA_DIRECTORY_IN_USE` or `WHENCE_ERR_DATA_DIRECTORY_OPEN`. The lock is the operating system's, taken through SQLite, and ends with the
 * process, however it ends; the file with the process id beside it only tells people who holds it.
 */
export function takeDataDirectory(path: string): DataDirectory {
  mkdirSync(path, { recursive: true, mode: ownerOnly });
  const pidFile = join(path, "whence.pid");
  const lock = new DatabaseSync(join(path, "whence.lock"));
  try {
    lock.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
  } catch (cause) {
    lock.close();
    throw storageErrors.create("WHENCE_ERR_DATA_DIRECTORY_IN_USE", [path, holder(pidFile)], { cause });
  }
  try {
    closeToOthers(path);
  } catch (cause) {
    lock.close();
    throw storageErrors.create("WHENCE_ERR_DATA_DIRECTORY_OPEN", [path], { cause });
  }
  writeFileSync(pidFile, `${process.pid}\n`, { mode: ownerOnlyFile });
  return {
    path,
    release() {
      rmSync(pidFile, { force: true });
      lock.close();
    },
  };
}

/** Also what another program made: keys, accounts and telemetry are in there. */
function closeToOthers(path: string): void {
  chmodSync(path, ownerOnly);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isFile()) chmodSync(join(path, entry.name), ownerOnlyFile);
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
