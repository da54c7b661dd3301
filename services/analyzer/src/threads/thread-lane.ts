import type { Transferable } from "node:worker_threads";
import { AnsweringThread, type AnsweringThreadOptions } from "./answering-thread.ts";
import { FairOrder, type OfScope } from "./fair-order.ts";

export interface ThreadLaneOptions extends AnsweringThreadOptions {
  /** Maximum number of questions that wait or are being answered. */
  readonly waitingMax: number;
  readonly waitingPerScopeMax: number;
}

interface WaitingQuestion<Question, Answer> extends OfScope {
  readonly question: Question;
  readonly transferred: readonly Transferable[];
  readonly resolve: (answering: Promise<Answer>) => void;
}

/** One thread and the questions waiting for it; scopes take turns. */
export class ThreadLane<Question, Answer> {
  readonly #options: ThreadLaneOptions;
  readonly #thread: AnsweringThread<Question, Answer>;
  readonly #order = new FairOrder();
  readonly #waiting = new Set<WaitingQuestion<Question, Answer>>();
  /** Resolves when nothing waits. */
  #running: Promise<void> | undefined;

  constructor(options: ThreadLaneOptions) {
    this.#options = options;
    this.#thread = new AnsweringThread(options);
  }

  /** Rejects when too many questions wait, and when the thread doesn't answer in time. */
  ask(scopeId: string, question: Question, transferred: readonly Transferable[] = []): Promise<Answer> {
    const ofScope = [...this.#waiting].filter((one) => one.scopeId === scopeId).length;
    if (this.#waiting.size >= this.#options.waitingMax || ofScope >= this.#options.waitingPerScopeMax) {
      return Promise.reject(new Error("too many questions wait for the thread"));
    }
    const { promise, resolve } = Promise.withResolvers<Answer>();
    this.#waiting.add({ scopeId, question, transferred, resolve });
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return promise;
  }

  async close(): Promise<void> {
    await this.#running;
    await this.#thread.end();
  }

  async #run(): Promise<void> {
    for (;;) {
      const [next] = this.#order.take([...this.#waiting], 1);
      if (!next) return;
      const answering = this.#thread.ask(next.question, next.transferred);
      next.resolve(answering);
      await answering.catch(() => undefined);
      this.#waiting.delete(next);
    }
  }
}
