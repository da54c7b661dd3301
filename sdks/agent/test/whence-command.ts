import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The exit code of the command, and its output. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandRun {
  readonly home: string;
  readonly cwd?: string;
  readonly input?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
}

const main = join(import.meta.dirname, "../src/main.ts");

/** Starts the `whence` command as a process, with no environment but the given one. */
export function startWhence(
  args: readonly string[],
  { home, cwd = home, input = "", env = {} }: CommandRun,
): ChildProcessWithoutNullStreams {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, ["--conditions=@whence/source", main, ...args], {
    cwd,
    env: { PATH, NODE_COMPILE_CACHE, HOME: home, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  // A wrong command exits without reading.
  child.stdin.on("error", () => undefined).end(input);
  return child;
}

/** Runs the `whence` command to its end. */
export function whence(args: readonly string[], command: CommandRun): Promise<Ended> {
  const child = startWhence(args, command);
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  return new Promise((resolve) => {
    child.once("close", (code) => resolve({ code, stdout, stderr }));
  });
}

/** Creates a folder for one test; `remove` deletes it. */
export async function temporaryFolder(): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), "whence-agent-"));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
