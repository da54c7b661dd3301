import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "../test/servers/free-port.ts";

const startDeadlineMs = 120_000;
const pollIntervalMs = 5;

/** The resident memory of a process. */
export interface ResidentMemory {
  readonly totalBytes: number;
  /** The part that isn't pages of files, such as programs, which the system can drop and read again. */
  readonly anonymousBytes: number;
}

/** A server as a child process. */
export interface ChildServer {
  readonly url: string;
  readonly pid: number;
  /** Time from the spawn to the first answer of `/healthz`. */
  readonly startMs: number;
  /** Returns the current memory. Linux only. */
  readonly memory: () => ResidentMemory;
  /** Sends SIGTERM, and waits for the exit. */
  readonly stop: () => Promise<void>;
}

/** The key with which the embedded service is bootstrapped for a benchmark. */
export const benchKey = "bench-key-0123456789abcdef";

/** Starts the embedded service as `pnpm start` does, with its data in `directory`. */
export function startEmbeddedServer(directory: string, environment: Record<string, string> = {}): Promise<ChildServer> {
  const program = join(import.meta.dirname, "../services/server/src/main.ts");
  return startServer(["--max-semi-space-size=8", "--conditions=@whence/source", program], {
    NODE_COMPILE_CACHE: join(directory, "compile-cache"),
    WHENCE_DATA_DIR: join(directory, "data"),
    WHENCE_BOOTSTRAP_API_KEY: benchKey,
    WHENCE_TELEMETRY_PER_MINUTE: "1000000",
    ...environment,
  });
}

/** Starts a process that opens only the embedded event store, with its tables. */
export function startEventStore(directory: string): Promise<ChildServer> {
  const program = join(import.meta.dirname, "footprint/event-store-server.ts");
  return startServer(["--conditions=@whence/source", program, join(directory, "event-store")], {
    NODE_COMPILE_CACHE: join(directory, "compile-cache"),
  });
}

/** Starts the smallest server that answers a request: the baseline. */
export function startBareServer(): Promise<ChildServer> {
  const program =
    "require('node:http').createServer((_, answer) => answer.end('ok')).listen(process.env.PORT, '127.0.0.1')";
  return startServer(["-e", program], {});
}

async function startServer(args: readonly string[], environment: Record<string, string>): Promise<ChildServer> {
  const port = await freePort();
  const env = { ...process.env, ...environment, PORT: String(port), HOST: "127.0.0.1" };
  const begin = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "ignore", "pipe"] });
  const said: string[] = [];
  child.stderr.setEncoding("utf8").on("data", (text: string) => said.push(text));
  const url = `http://127.0.0.1:${port}`;
  await answers(`${url}/healthz`, child, said);
  return {
    url,
    pid: child.pid ?? 0,
    startMs: performance.now() - begin,
    memory: () => memoryOf(child),
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

async function answers(url: string, child: ChildProcess, said: readonly string[]): Promise<void> {
  const deadline = performance.now() + startDeadlineMs;
  while (performance.now() < deadline && child.exitCode === null) {
    // Refused until it listens.
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return;
    await delay(pollIntervalMs);
  }
  child.kill("SIGKILL");
  throw new Error(`${url} did not answer: the process ended with ${child.exitCode ?? "nothing, in time"}
${said.join("")}`);
}

function memoryOf({ pid }: ChildProcess): ResidentMemory {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const bytes = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)?.[1]) * 1024;
  return { totalBytes: bytes("VmRSS"), anonymousBytes: bytes("RssAnon") };
}
