import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "../../test/servers/free-port.ts";
import { type Arm, environment, python, repository } from "./environment.ts";

/** An interface between a server and its application. */
export const kinds = ["wsgi", "asgi"] as const;
export type Kind = (typeof kinds)[number];

const startDeadlineMs = 60_000;
const pollIntervalMs = 50;
const tickMs = 10;
const pageBytes = 4_096;

/** How an application is started. */
export interface Setup {
  readonly arm: Arm;
  readonly kind: Kind;
  /** The URL that clients send to. */
  readonly backend: string;
  /** The URL that the application calls. */
  readonly upstream: string;
  /** The folder for temporary files, such as a spool. */
  readonly folder: string;
}

/** The application of `web_apps.py` in its server, with a client. */
export class ServedApp implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly url: string;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
  }

  /** Starts it, and waits until it answers. */
  static async start({ arm, kind, backend, upstream, folder }: Setup): Promise<ServedApp> {
    const port = await freePort();
    const [program, ...args] = commandOf(arm, kind, port);
    const child = spawn(program, args, {
      cwd: import.meta.dirname,
      stdio: "ignore",
      env: {
        PATH: process.env.PATH,
        PYTHONPATH: join(repository, "sdks/python/src"),
        TMPDIR: folder,
        CLIENT: arm,
        KIND: kind,
        BACKEND: backend,
        UPSTREAM: `${upstream}/upstream`,
        OTEL_SERVICE_NAME: "bench",
        OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf",
        OTEL_EXPORTER_OTLP_ENDPOINT: backend,
      },
    });
    const app = new ServedApp(child, `http://127.0.0.1:${port}`);
    await app.#untilReady();
    return app;
  }

  /** Returns the processor time of the server and its workers so far, in milliseconds. */
  processorMs(): number {
    return this.#processes().reduce((sum, pid) => sum + processorMsOf(pid), 0);
  }

  /** Returns the resident memory of the server and its workers. */
  residentBytes(): number {
    return this.#processes().reduce((sum, pid) => sum + residentBytesOf(pid), 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGTERM");
    const killTimer = setTimeout(() => this.#child.kill("SIGKILL"), 10_000);
    await ended;
    clearTimeout(killTimer);
  }

  async #untilReady(): Promise<void> {
    for (const deadline = Date.now() + startDeadlineMs; Date.now() < deadline; await delay(pollIntervalMs)) {
      if (this.#child.exitCode !== null) throw new Error(`the server ended with ${this.#child.exitCode}`);
      const answer = await fetch(`${this.url}/plain`).catch(() => undefined);
      if (answer?.ok) return;
    }
    throw new Error("the server didn't start");
  }

  #processes(): number[] {
    const own = this.#child.pid ?? 0;
    const others = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
    return [own, ...others.map(Number).filter((pid) => Number(statOf(pid)?.[1]) === own)];
  }
}

function commandOf(arm: Arm, kind: Kind, port: number): [string, ...string[]] {
  const server =
    kind === "wsgi"
      ? [
          "-m",
          "gunicorn",
          "--worker-class",
          "gthread",
          "--threads",
          "4",
          "--bind",
          `127.0.0.1:${port}`,
          "web_apps:wsgi",
        ]
      : ["-m", "uvicorn", "--no-access-log", "--port", String(port), "web_apps:asgi"];
  return arm === "opentelemetry"
    ? [join(environment, "bin/opentelemetry-instrument"), python, ...server]
    : [python, ...server];
}

/** Returns the fields of a process's `stat` from its state on; undefined once it has ended. */
function statOf(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined;
  }
}

function processorMsOf(pid: number): number {
  const stat = statOf(pid);
  return (Number(stat?.[11] ?? 0) + Number(stat?.[12] ?? 0)) * tickMs;
}

function residentBytesOf(pid: number): number {
  return Number(statOf(pid)?.[21] ?? 0) * pageBytes;
}
