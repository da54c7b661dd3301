import type { Transferable } from "node:worker_threads";
import { minuteMs } from "@whence/protocol";
import { CallableThread } from "@whence/storage/threads";

const memoryMb = 512;
/** An idle thread is ended after this time, which frees its memory. */
const idleMs = minuteMs;

export interface AnsweringThreadOptions {
  /** The program that answers each call. */
  readonly program: URL;
  /** The flags of the thread; by default those of the process that apply to threads. */
  readonly execArgv?: readonly string[] | undefined;
  readonly deadlineMs: number;
  /** A `nice` value: a lower one is answered first. */
  readonly priority: number;
}

/** A thread that is started on first use, and again after it ended. It doesn't keep the process alive. */
export class AnsweringThread<Question, Answer> {
  readonly #options: AnsweringThreadOptions;
  #thread: CallableThread<Question, Answer> | null = null;
  #resting: NodeJS.Timeout | undefined;

  constructor(options: AnsweringThreadOptions) {
    this.#options = options;
  }

  /** Asks one question at a time. Rejects when there is no answer in time, and ends the thread. */
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
