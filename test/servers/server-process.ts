import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const repository: string = join(import.meta.dirname, "../..");
const patienceMs = 150_000;

export const bootstrapKey = "whk_end_to_end_bootstrap_key";

/** The embedded service as a process, as `pnpm start` runs it. */
export interface ServerProcess {
  readonly url: string;
  readonly process: ChildProcess;
  /** Returns its output so far. */
  output(): string;
  /** Sends the signal and waits for the exit; returns the exit code, null when the signal killed it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Runs the server's main without waiting. `flags` are Node's own. */
export function spawnServer(
  environment: Record<string, string>,
  args: readonly string[] = [],
  flags: readonly string[] = [],
): ChildProcess {
  const main = join(repository, "services/server/src/main.ts");
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return spawn(process.execPath, [...flags, "--conditions=@whence/source", main, ...args], {
    cwd: repository,
    env: { PATH, NODE_COMPILE_CACHE, WHENCE_BOOTSTRAP_API_KEY: bootstrapKey, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** The output of a server command, and its exit code. */
export interface CommandResult {
  readonly code: number | null;
  readonly printed: string;
  readonly said: string;
}

/** Runs a server command to its end. */
export async function runCommand(environment: Record<string, string>, args: readonly string[]): Promise<CommandResult> {
  const child = spawnServer(environment, args);
  let [printed, said] = ["", ""];
  child.stdout?.on("data", (chunk: Buffer) => {
    printed += chunk.toString();
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  await once(child, "close");
  return { code: child.exitCode, printed, said };
}

/** Starts the server; resolves when it answers and has printed how to sign in. */
export async function startServerProcess(
  dataDirectory: string,
  port: number,
  environment: Record<string, string> = {},
  flags: readonly string[] = [],
): Promise<ServerProcess> {
  const child = spawnServer({ WHENCE_DATA_DIR: dataDirectory, PORT: String(port), ...environment }, [], flags);
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
    });
  }
  const url = `http://127.0.0.1:${port}`;
  await untilAnswering(url, child, () => printed);
  return {
    url,
    process: child,
    output: () => printed,
    async end(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const exited = once(child, "exit");
      child.kill(signal);
      await exited;
      return child.exitCode;
    },
  };
}

async function untilAnswering(url: string, child: ChildProcess, output: () => string): Promise<void> {
  for (const until = Date.now() + patienceMs; Date.now() < until; ) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`the server ended with ${child.exitCode ?? child.signalCode}:\n${output()}`);
    }
    const answer = await fetch(`${url}/healthz`).catch(() => undefined);
    // It answers a moment before it prints how to sign in.
    if (answer?.ok && output().includes("Whence listens on")) return;
    await delay(25);
  }
  throw new Error(`the server did not answer in time:\n${output()}`);
}

/** Polls until there is a value; fails after a time that suffices even for a machine ten times slower. */
export async function eventually<Value>(what: string, look: () => Promise<Value | undefined>): Promise<Value> {
  for (const until = Date.now() + patienceMs; Date.now() < until; ) {
    const value = await look();
    if (value !== undefined) return value;
    await delay(50);
  }
  throw new Error(`${what}: not within ${patienceMs} ms`);
}
