import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** A program of `programs/` as a process, which answers each message with one. */
export class Program {
  readonly #child: ChildProcess;
  readonly #failed: Promise<never>;
  readonly #ended: Promise<unknown>;

  constructor(node: string, name: string, args: readonly string[], environment: Record<string, string> = {}) {
    this.#child = fork(join(import.meta.dirname, "programs", name), args, {
      execPath: node,
      execArgv: ["--expose-gc"],
      env: { ...process.env, ...environment },
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    this.#ended = once(this.#child, "exit");
    this.#failed = this.#ended.then(() => Promise.reject(new Error(`${name} ${args[0] ?? ""} has ended`)));
    // A caller that awaits an answer gets the error; after `stop` there is none.
    this.#failed.catch(() => undefined);
  }

  /** Returns its next message. */
  async said<Answer>(): Promise<Answer> {
    const [answer] = await Promise.race([once(this.#child, "message"), this.#failed]);
    return answer;
  }

  async ask<Answer>(question: object): Promise<Answer> {
    const answer = this.said<Answer>();
    this.#child.send(question);
    return answer;
  }

  /** Ends it with a signal, or waits for it to exit. */
  async end(signal?: NodeJS.Signals): Promise<void> {
    if (signal) this.#child.kill(signal);
    await this.#ended;
  }

  async stop(): Promise<void> {
    await this.end("SIGKILL");
  }
}
