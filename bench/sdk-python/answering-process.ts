import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "../../test/servers/free-port.ts";

const pollIntervalMs = 20;

/** The process of `answering.ts`: the applications' upstream, and the clients' backend. */
export class Answering implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly url: string;

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.url = `http://127.0.0.1:${port}`;
  }

  /** Starts it, and waits until it answers. */
  static async start(): Promise<Answering> {
    const port = await freePort();
    const child = spawn(process.execPath, [join(import.meta.dirname, "answering.ts")], {
      env: { PORT: String(port) },
      stdio: "inherit",
    });
    const answering = new Answering(child, port);
    while (!(await fetch(answering.url).catch(() => undefined))?.ok) {
      if (child.exitCode !== null) throw new Error("the backend didn't start");
      await delay(pollIntervalMs);
    }
    return answering;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGTERM");
    await ended;
  }
}
