import { WhenceError } from "@whence/protocol";
import { storageErrors } from "./errors.ts";

/** What keeps a folder from being written to, by the operating system's error code, and what to do. */
const reasons: Readonly<Record<string, string>> = {
  ENOSPC: "its disk is full: free space",
  EDQUOT: "the disk quota of this user is used up: free space, or raise it",
  EROFS: "its file system is read-only: mount it writable, or choose another directory",
  EACCES: "this user may not write there: change its owner, or choose another directory",
  EPERM: "this user may not write there: change its owner, or choose another directory",
  ENOENT: "a folder above it is missing: make it, or choose another directory",
  ENOTDIR: "a part of its path is a file: choose another directory",
  EEXIST: "it is a file: choose another directory",
};

/**
 * Wraps a failed write in the data directory as `WHENCE_ERR_DATA_DIRECTORY_UNWRITABLE`; Whence's own errors are
 * returned unchanged.
 */
export function asUnwritable(directory: string, cause: unknown): Error {
  if (cause instanceof WhenceError) return cause;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const reason = reasons[code] ?? (cause instanceof Error ? cause.message : String(cause));
  return storageErrors.create("WHENCE_ERR_DATA_DIRECTORY_UNWRITABLE", [directory, reason], { cause });
}
