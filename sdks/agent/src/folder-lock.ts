import { randomUUID } from "node:crypto";
import { open, readFile, rm, stat, utimes } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { clientLimits } from "./client-limits.ts";
import { agentErrors } from "./errors.ts";
import { pause } from "./pause.ts";

/**
 * Runs `work` while holding the folder's lock. A lock whose holder died is taken over: at once when it ran on this
 * machine, otherwise {@link clientLimits.lockStaleMs} after its last refresh.
 */
export async function withFolderLock<Result>(
  folder: string,
  work: () => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const path = join(folder, "credentials.lock");
  const holder = `${hostname()} ${process.pid} ${randomUUID()}`;
  await acquire(path, holder, signal);
  const refreshing = setInterval(() => {
    const now = new Date();
    // The next refresh makes up for a failed one; if the lock is lost, releasing it shows that.
    utimes(path, now, now).catch(() => undefined);
  }, clientLimits.lockRefreshMs).unref();
  try {
    return await work();
  } finally {
    clearInterval(refreshing);
    if ((await contentOf(path)) === holder) await rm(path, { force: true });
  }
}

async function acquire(path: string, holder: string, signal?: AbortSignal): Promise<void> {
  const until = Date.now() + clientLimits.lockWaitMaxMs;
  while (!(await create(path, holder))) {
    await removeIfAbandoned(path);
    if (Date.now() >= until) {
      throw agentErrors.create("WHENCE_ERR_CREDENTIALS_BUSY", [path, clientLimits.lockWaitMaxMs / 1_000]);
    }
    await pause(clientLimits.lockPollMs, signal);
  }
}

/** Returns true when the file is new, so that the lock is ours. */
async function create(path: string, content: string): Promise<boolean> {
  try {
    const handle = await open(path, "wx", 0o600);
    await handle.writeFile(content).finally(() => handle.close());
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw agentErrors.create("WHENCE_ERR_CREDENTIALS_UNUSABLE", [path, reasonOf(error)], { cause: error });
  }
}

/**
 * Removes the lock of a dead holder. Two processes that find the same one must not remove each other's new lock, so
 * only the holder of a second lock, held just for this, removes the first after checking it again.
 */
async function removeIfAbandoned(path: string): Promise<void> {
  if (!(await isAbandoned(path))) return;
  const breaking = `${path}.breaking`;
  if (!(await create(breaking, ""))) {
    if (await isOlderThan(breaking, clientLimits.lockStaleMs)) await rm(breaking, { force: true });
    return;
  }
  try {
    if (await isAbandoned(path)) await rm(path, { force: true });
  } finally {
    await rm(breaking, { force: true });
  }
}

async function isAbandoned(path: string): Promise<boolean> {
  const content = await contentOf(path);
  if (content === null) return false;
  const [host, pid] = content.split(" ");
  if (host === hostname() && pid !== undefined && !isAlive(Number(pid))) return true;
  return isOlderThan(path, clientLimits.lockStaleMs);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM means that it is alive and belongs to another user.
    return hasCode(error, "EPERM");
  }
}

async function isOlderThan(path: string, ms: number): Promise<boolean> {
  const stats = await stat(path).catch(() => null);
  return stats !== null && Date.now() - stats.mtimeMs > ms;
}

async function contentOf(path: string): Promise<string | null> {
  return readFile(path, "utf8").catch(() => null);
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

function reasonOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
