import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const main = join(import.meta.dirname, "../../services/server/src/main.ts");
const pollIntervalMs = 50;

export interface RoleOptions {
  readonly role: "gateway" | "writer" | "analyzer" | "api";
  readonly port: number;
  /** The address it listens on. */
  readonly host: string;
  readonly environment: Readonly<Record<string, string>>;
  /** A prefix of its command, such as `ip netns exec far`. */
  readonly under: readonly string[];
}

/** One role of the service as a process that can be stopped, killed, suspended, and restarted. */
export interface RoleProcess {
  readonly name: string;
  readonly port: number;
  readonly address: string;
  readonly url: string;
  /** Starts it, and resolves when it reports that it is ready. */
  start(): Promise<void>;
  /** Sends the signal and waits for the exit; returns the exit code, null when the signal killed it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  /** Sends a signal without waiting. */
  signal(signal: NodeJS.Signals): void;
  /** Returns its output so far. */
  output(): string;
}

export function roleProcess(name: string, { role, port, host, environment, under }: RoleOptions): RoleProcess {
  const address = `${host}:${port}`;
  const url = `http://${address}`;
  let child: ChildProcess | undefined;
  let printed = "";
  const isRunning = (): boolean => child !== undefined && child.exitCode === null && child.signalCode === null;
  return {
    name,
    port,
    address,
    url,
    output: () => printed,
    async start() {
      const [command = "", ...rest] = [...under, process.execPath, "--conditions=@whence/source", main, "--role", role];
      child = spawn(command, rest, {
        env: { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...environment, HOST: host, PORT: String(port) },
        stdio: ["ignore", "pipe", "pipe"],
      });
      for (const stream of [child.stdout, child.stderr]) {
        stream?.on("data", (chunk: Buffer) => {
          printed += chunk.toString();
        });
      }
      await untilReady(url, isRunning, () => `${name}:\n${printed}`);
    },
    async end(signal) {
      if (child === undefined || !isRunning()) return child?.exitCode ?? null;
      const ended = once(child, "exit");
      child.kill(signal);
      await ended;
      return child.exitCode;
    },
    signal: (signal) => void child?.kill(signal),
  };
}

/** Waits for as long as the process runs: a start takes as long as the machine needs, and the test limits that. */
async function untilReady(url: string, isRunning: () => boolean, output: () => string): Promise<void> {
  while (isRunning()) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
    await delay(pollIntervalMs);
  }
  throw new Error(`it ended before it was ready: ${output()}`);
}
