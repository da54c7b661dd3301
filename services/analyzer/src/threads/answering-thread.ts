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
  /** The limit of processor time per answer: a busy machine is slow, not wrong. */
  readonly processorMs: number;
  /** A `nice` value: a lower one is answered first. */
  readonly priority: number;
}

/** The thread used up its processor time before it answered. */
export class AnswerTooSlow extends Error {}

/** A thread that is started on first use, and again after it ended. It doesn't keep the process alive. */
export class AnsweringThread<Question, Answer> {
  readonly #options: AnsweringThreadOptions;
  #thread: CallableThread<Question, Answer> | null = null;
  #resting: NodeJS.Timeout | undefined;

  constructor(options: AnsweringThreadOptions) {
    this.#options = options;
  }

  /**
   * Asks one question at a time. Rejects with {@link AnswerTooSlow} when the thread takes too long to answer, and ends it.
   * Its start, which loads its modules, may take as long as it does.
   */
  async ask(question: Question, transfer: readonly Transferable[] = []): Promise<Answer> {
    clearTimeout(this.#resting);
    const thread = this.#running();
    const isOver = new AbortController();
    try {
      await thread.ready();
      const answer = await Promise.race([thread.call(question, { transfer }), this.#tooSlow(thread, isOver.signal)]);
      this.#resting = setTimeout(() => void this.end(), idleMs).unref();
      return answer;
    } catch (error) {
      await this.end();
      throw error;
    } finally {
      isOver.abort();
    }
  }

  async end(): Promise<void> {
    clearTimeout(this.#resting);
    const ended = this.#thread;
    this.#thread = null;
    await ended?.end();
  }

  async #tooSlow(thread: CallableThread<Question, Answer>, isOver: AbortSignal): Promise<never> {
    const { processorMs } = this.#options;
    await thread.spent(processorMs, isOver);
    throw new AnswerTooSlow(`no answer within ${processorMs} ms of processor time`);
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
