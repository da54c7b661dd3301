import { accessSync, chmodSync, constants, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { freemem } from "node:os";
import { join } from "node:path";
import { env } from "node:process";

const memoryFolder = "/dev/shm";
/** All tests at once use less than a tenth of it. */
const freeBytesMin = 6_000_000_000;

/**
 * Puts the temporary files of all tests into memory where there is enough of it, until the last test has ended:
 * databases sync after each change, and to a disk that takes a third of the tests' time.
 */
export default function keepTemporaryFilesInMemory(): (() => void) | undefined {
  if (env.TMPDIR !== undefined || !hasRoom()) return undefined;
  const folder = mkdtempSync(join(memoryFolder, "whence-tests-"));
  // As in any temporary folder, servers that don't run as root find their own folders in it.
  chmodSync(folder, 0o755);
  env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

function hasRoom(): boolean {
  try {
    accessSync(memoryFolder, constants.W_OK);
    const { bavail, bsize } = statfsSync(memoryFolder);
    return bavail * bsize >= freeBytesMin && freemem() >= 2 * freeBytesMin && runsPrograms();
  } catch {
    return false;
  }
}

/** Containers often mount it so that no program can be started from it, which tests do. */
function runsPrograms(): boolean {
  const mount = readFileSync("/proc/mounts", "utf8")
    .split("\n")
    .findLast((line) => line.split(" ")[1] === memoryFolder);
  return mount !== undefined && !mount.split(" ")[3]?.split(",").includes("noexec");
}
