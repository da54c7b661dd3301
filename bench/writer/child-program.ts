import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** A program of this folder as a process, which answers each message with one. */
export class ChildProgram {
  readonly #child;
  readonly #failed;

  constructor(program: string, args: readonly string[]) {
    this.#child = fork(join(import.meta.dirname, program), args);
    this.#failed = once(this.#child, "exit").then(([code]) => Promise.reject(new Error(`${program} ended: ${code}`)));
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

  async stop(): Promise<void> {
    const ended = once(this.#child, "exit");
    this.#child.disconnect();
    await ended;
  }
}
