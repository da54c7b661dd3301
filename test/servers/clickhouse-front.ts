import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { freePort } from "./free-port.ts";

const program = join(import.meta.dirname, "clickhouse-front-program.ts");
const lastLinesKept = 20;

/**
 * The part of a ClickHouse server that its client needs, over the embedded engine in a separate process. For tests and
 * the local cluster: it has no users, and runs one statement at a time.
 */
export interface ClickHouseFront {
  readonly url: string;
  /** Sends a signal, and waits for the exit unless the signal stops or continues it. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Restarts it, with its data and port, after it ended. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface ClickHouseFrontOptions {
  /** A directory that is kept. By default, a new one that is deleted with the front. */
  readonly dataDirectory?: string;
  /** A free port by default. */
  readonly port?: number;
}

/** Starts the front; it ends with this process at the latest. Throws its last lines when it doesn't start. */
export async function startClickHouseFront({
  dataDirectory,
  port: wantedPort,
}: ClickHouseFrontOptions = {}): Promise<ClickHouseFront> {
  const directory = dataDirectory ?? (await mkdtemp(join(tmpdir(), "whence-clickhouse-")));
  const port = wantedPort ?? (await freePort());
  let child = await start(directory, port);
  const killed = (): void => void child.kill("SIGKILL");
  process.once("exit", killed);
  return {
    url: `http://127.0.0.1:${port}`,
    kill: (signal) => end(child, signal),
    async restart() {
      child = await start(directory, port);
    },
    async stop() {
      process.off("exit", killed);
      await end(child, "SIGKILL");
      if (dataDirectory === undefined) await rm(directory, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

async function start(directory: string, port: number): Promise<ChildProcess> {
  // The pipe on its standard input tells it when this process is gone for any reason.
  const child = spawn(process.execPath, [program, directory, String(port)], { stdio: ["pipe", "pipe", "pipe"] });
  const lines: string[] = [];
  await new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`the ClickHouse front ended at its start:\n${lines.join("\n")}`)));
    createInterface(child.stderr).on("line", (line) => {
      lines.push(line);
      if (lines.length > lastLinesKept) lines.shift();
    });
    createInterface(child.stdout).on("line", (line) => {
      if (line === "ready") resolve();
    });
  });
  return child;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill(signal);
  if (signal !== "SIGSTOP" && signal !== "SIGCONT") await ended;
}
