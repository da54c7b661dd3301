import type { Transferable } from "node:worker_threads";
import { CallableThread } from "@whence/storage/threads";

const memoryMb = 512;
/** A thread that isn't needed gives back its memory. */
const idleMs = 60_000;

export interface AnsweringThreadOptions {
  /** Answers each call. */
  readonly program: URL;
  /** What the thread is started with; by default what holds for a thread of the process's own flags. */
  readonly execArgv?: readonly string[] | undefined;
  readonly deadlineMs: number;
  /** As `nice` has it: requests that ask for less are answered first. */
  readonly priority: number;
}

/** A thread that is started when it is first needed, and again after it ended. It keeps no process alive. */
export class AnsweringThread<Question, Answer> {
  readonly #options: AnsweringThreadOptions;
  #thread: CallableThread<Question, Answer> | null = null;
  #resting: NodeJS.Timeout | undefined;

  constructor(options: AnsweringThreadOptions) {
    this.#options = options;
  }

  /** One question at a time; rejects when there is no answer in time, and ends the thread. */
  async ask(question: Question, transfer: readonly Transferable[] = []): Promise<Answer> {
    clearTimeout(this.#resting);
    const thread = this.#running();
    try {
      const signal = AbortSignal.timeout(this.#options.deadlineMs);
      const answer = await thread.call(question, { transfer, signal });
      this.#resting = setTimeout(() => void this.end(), idleMs).unref();
      return answer;
    } catch (error) {
      await this.end();
      throw error;
    }
  }

  async end(): Promise<void> {
    clearTimeout(this.#resting);
    const ended = this.#thread;
    this.#thread = null;
    await ended?.end();
  }

  #running(): CallableThread<Question, Answer> {
    if (this.#thread && !this.#thread.hasEnded) return this.#thread;
    const { program, execArgv, priority } = this.#options;
    const resourceLimits = { maxOldGenerationSizeMb: memoryMb };
    this.#thread = new CallableThread({ program, execArgv, priority, resourceLimits });
    this.#thread.unref();
    return this.#thread;
  }
}
