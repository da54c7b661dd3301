import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, mkdir, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { clientLimits } from "./client-limits.ts";
import { type Credentials, formatCredentials, noCredentials, parseCredentials } from "./credentials.ts";
import { agentErrors } from "./errors.ts";

const folderMode = 0o700;
const fileMode = 0o600;
/** Permission bits of group and others. */
const othersMask = 0o077;

/** `credentials.json` in a folder of its user; rejected when others can read it. */
export interface CredentialsFile {
  /** Empty when the file doesn't exist yet. */
  read(): Promise<Credentials>;
  /** Writes atomically. The caller must hold the folder's lock. */
  write(credentials: Credentials): Promise<void>;
  /** Creates the folder if it doesn't exist. */
  makeFolder(): Promise<void>;
}

/** Opens the credentials in `folder`, which is `.whence` in the user's home. */
export function credentialsFile(folder: string): CredentialsFile {
  const path = join(folder, "credentials.json");

  async function checkFolder(): Promise<boolean> {
    const stats = await unlessMissing(lstat(folder), folder);
    if (stats) checkOwnerOnly(stats, folder, "700");
    return stats !== null;
  }

  return {
    async read() {
      if (!(await checkFolder())) return noCredentials;
      const handle = await unlessMissing(open(path, constants.O_RDONLY), path);
      return handle ? readFrom(handle, path) : noCredentials;
    },
    async write(credentials) {
      await writeAtomically(folder, path, formatCredentials(credentials)).catch((error: unknown) => {
        throw unusable(path, error);
      });
    },
    async makeFolder() {
      await mkdir(folder, { recursive: true, mode: folderMode }).catch((error: unknown) => {
        throw unusable(folder, error);
      });
      await checkFolder();
    },
  };
}

/** Checks the open file rather than its path, so that no other file can replace it between check and read. */
async function readFrom(handle: FileHandle, path: string): Promise<Credentials> {
  try {
    const stats = await handle.stat();
    checkOwnerOnly(stats, path, "600");
    const isReadable = stats.isFile() && stats.size <= clientLimits.credentialsBytesMax;
    const credentials = isReadable ? parseCredentials(await handle.readFile("utf8")) : null;
    if (!credentials) throw agentErrors.create("WHENCE_ERR_CREDENTIALS_DAMAGED", [path]);
    return credentials;
  } finally {
    await handle.close();
  }
}

/** Checks that only the owner has access. Windows has no such modes; a profile there is private to its user. */
function checkOwnerOnly({ mode, uid }: Stats, path: string, wanted: string): void {
  if (process.platform === "win32") return;
  if (uid !== process.getuid?.()) throw agentErrors.create("WHENCE_ERR_CREDENTIALS_FOREIGN", [path]);
  if ((mode & othersMask) === 0) return;
  const found = (mode & 0o777).toString(8).padStart(3, "0");
  throw agentErrors.create("WHENCE_ERR_CREDENTIALS_OPEN", [path, found, wanted, path]);
}

/** Writes a new file and syncs it before it replaces the old one, then syncs the folder. */
async function writeAtomically(folder: string, path: string, text: string): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  // Left by a killed process with the same id.
  await rm(temporary, { force: true });
  try {
    const handle = await open(temporary, "wx", fileMode);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

/** Syncs the folder; Windows can't open folders. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function unlessMissing<Value>(work: Promise<Value>, path: string): Promise<Value | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw unusable(path, error);
  }
}

function unusable(path: string, error: unknown): Error {
  const reason = error instanceof Error && "code" in error ? String(error.code) : String(error);
  return agentErrors.create("WHENCE_ERR_CREDENTIALS_UNUSABLE", [path, reason], { cause: error });
}
