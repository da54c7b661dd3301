import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";

/** Published tests run unprivileged where possible, as the user `nobody`. */
const unprivileged = userInfo().uid === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** A program that writes its results to the file named by `MINE_RESULT`. */
export interface Program {
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly runMsMax: number;
}

/** Runs a program unprivileged and with its own home; returns what it wrote, or undefined. */
export async function runIsolated({ command, cwd, env, runMsMax }: Program): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "mine-"));
  chmodSync(folder, 0o777);
  const result = join(folder, "result.json");
  const { PATH } = process.env;
  const [file, ...parameters] = command;
  const child = spawn(file, parameters, {
    cwd,
    env: { ...env, PATH, HOME: folder, TMPDIR: folder, MINE_RESULT: result },
    stdio: "ignore",
    detached: true,
    ...unprivileged,
  });
  const deadline = setTimeout(() => stop(child.pid), runMsMax);
  await new Promise((resolve) => child.once("close", resolve).once("error", resolve));
  clearTimeout(deadline);
  stop(child.pid);
  try {
    return existsSync(result) ? readFileSync(result, "utf8") : undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Kills the whole process group, since tests start processes. */
function stop(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The group has exited.
  }
}
