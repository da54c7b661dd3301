import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** A program of this folder, run as a process of its own, that answers each message with one. */
export class ChildProgram {
  readonly #child;
  readonly #failed;

  constructor(program: string, args: readonly string[]) {
    this.#child = fork(join(import.meta.dirname, program), args);
    this.#failed = once(this.#child, "exit").then(([code]) => Promise.reject(new Error(`${program} ended: ${code}`)));
    // A caller awaiting an answer sees it; after `stop` there is none.
    this.#failed.catch(() => undefined);
  }

  /** The next that it says. */
  async said<Answer>(): Promise<Answer> {
    const [answer] = await Promise.race([once(this.#child, "message"), this.#failed]);
    return answer;
  }

  async ask<Answer>(question: object): Promise<Answer> {
    const answer = this.said<Answer>();
    this.#child.send(question);
    return answer;
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, "exit");
    this.#child.disconnect();
    await ended;
  }
}
