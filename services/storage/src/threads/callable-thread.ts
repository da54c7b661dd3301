import { setTimeout as delay } from "node:timers/promises";
import { type ResourceLimits, type Transferable, Worker } from "node:worker_threads";
import { type FromThread, outcomeOf, settle, type ThreadData, type ToThread, type Waiting } from "./thread-messages.ts";

const microsecondsPerMs = 1_000;
/** The shortest time between two checks of a thread's processor time. */
const leastLookMs = 50;

/** The thread ended before it answered: it crashed, ran out of memory, or was ended. */
export class ThreadEnded extends Error {}

export interface ThreadOptions {
  /** Calls `serveCalls`. */
  readonly program: URL;
  /** What the program's `start` is given. */
  readonly data?: unknown;
  /** As `nice` has it; 0 by default. */
  readonly priority?: number;
  readonly resourceLimits?: ResourceLimits;
  /** By default what holds for a thread of the process's own flags. */
  readonly execArgv?: readonly string[] | undefined;
}

export interface CallOptions<Question, Reply> {
  /** Taken away from the caller. */
  readonly transfer?: readonly Transferable[];
  /** Rejects the call when it fires. The thread keeps running: end it if it must stop. */
  readonly signal?: AbortSignal;
  /** Answers what the thread asks during the call. */
  readonly reply?: (question: Question) => Promise<Reply>;
}

interface PendingCall<Result, Question, Reply> extends Waiting<Result> {
  readonly reply: (question: Question) => Promise<Reply>;
}

/** A worker thread that answers calls, and may ask its caller questions while it does. */
export class CallableThread<Call, Result, Question = never, Reply = never> {
  readonly #worker: Worker;
  readonly #started = Promise.withResolvers<void>();
  readonly #exited = Promise.withResolvers<void>();
  readonly #calls = new Map<number, PendingCall<Result, Question, Reply>>();
  #nextId = 0;
  #gone: ThreadEnded | null = null;

  constructor({ program, data, priority = 0, resourceLimits, execArgv }: ThreadOptions) {
    const workerData: ThreadData = { priority, data };
    this.#worker = new Worker(program, {
      workerData,
      ...(resourceLimits && { resourceLimits }),
      ...(execArgv && { execArgv: [...execArgv] }),
    });
    // The end of a thread that isn't in use is noticed at the next call.
    this.#started.promise.catch(() => undefined);
    this.#worker
      .on("message", (message: FromThread<Result, Question>) => this.#receive(message))
      .on("error", (cause) => {
        this.#gone = new ThreadEnded(cause instanceof Error ? cause.message : String(cause), { cause });
      })
      .on("exit", (code) => this.#lose(code));
  }

  get hasEnded(): boolean {
    return this.#gone !== null;
  }

  /** The processor time that the thread has used, in milliseconds, whatever it is doing. */
  async processorMs(): Promise<number> {
    if (this.#gone) throw this.#gone;
    const { user, system } = await this.#worker.cpuUsage();
    return (user + system) / microsecondsPerMs;
  }

  /**
   * Resolves once the thread has used `ms` more of processor time: on a busy machine, later than after `ms`. Rejects with
   * {@link ThreadEnded}, and when `signal` fires. Doesn't keep the process alive.
   */
  async spent(ms: number, signal: AbortSignal): Promise<void> {
    if (ms <= 0) return;
    const end = (await this.processorMs()) + ms;
    for (let left = ms; left > 0; left = end - (await this.processorMs())) {
      // A thread can't use more processor time than elapsed time.
      await delay(Math.max(left, leastLookMs), undefined, { signal, ref: false });
    }
  }

  /** Resolves when the thread can answer; rejects with what its start threw, and when `signal` fires. */
  ready(signal?: AbortSignal): Promise<void> {
    return unlessAborted(this.#started.promise, signal);
  }

  /** Rejects with what the thread threw, with {@link ThreadEnded}, and when `signal` fires. */
  async call(
    call: Call,
    { transfer = [], signal, reply = noReply }: CallOptions<Question, Reply> = {},
  ): Promise<Result> {
    signal?.throwIfAborted();
    if (this.#gone) throw this.#gone;
    const id = this.#nextId++;
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.#calls.set(id, { resolve, reject, reply });
    try {
      this.#post({ kind: "call", id, call }, transfer);
      return await unlessAborted(promise, signal);
    } finally {
      this.#calls.delete(id);
    }
  }

  /** Keeps the process alive, as a new thread does. */
  ref(): void {
    this.#worker.ref();
  }

  unref(): void {
    this.#worker.unref();
  }

  /** Resolves once the thread has answered what was asked of it, freed what it holds, and ended. */
  close(): Promise<void> {
    this.#post({ kind: "close" });
    return this.#exited.promise;
  }

  /** Ends the thread, whatever it is doing. */
  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #receive(message: FromThread<Result, Question>): void {
    if (message.kind === "started") settle(this.#started, message.outcome);
    else if (message.kind === "result") settle(this.#calls.get(message.id), message.outcome);
    else void this.#reply(message);
  }

  async #reply({ id, callId, question }: FromThread<Result, Question> & { kind: "question" }): Promise<void> {
    const asking = this.#calls.get(callId);
    if (!asking) return;
    this.#post({ kind: "reply", id, outcome: await outcomeOf(() => asking.reply(question)) });
  }

  #lose(code: number): void {
    this.#gone ??= new ThreadEnded(`its thread ended with code ${code}`);
    for (const { reject } of [this.#started, ...this.#calls.values()]) reject(this.#gone);
    this.#exited.resolve();
  }

  #post(message: ToThread<Call, Reply>, transfer: readonly Transferable[] = []): void {
    this.#worker.postMessage(message, transfer);
  }
}

function noReply(): Promise<never> {
  return Promise.reject(new Error("the caller takes no questions"));
}

async function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (!signal) return promise;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const giveUp = (): void => reject(signal.reason);
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    signal.throwIfAborted();
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", giveUp);
  }
}
