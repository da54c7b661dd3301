import { once } from "node:events";
import { type Transferable, Worker } from "node:worker_threads";

const memoryMb = 512;
/** A thread that isn't needed gives back its memory. */
const idleMs = 60_000;

export interface AnsweringThreadOptions {
  /** Answers each message with one. */
  readonly program: URL;
  /** What the thread is started with. Otherwise it inherits what holds for a thread: V8's flags are the process's. */
  readonly execArgv?: readonly string[] | undefined;
  readonly deadlineMs: number;
  /** As `nice` has it: requests that ask for less are answered first. */
  readonly priority: number;
}

/** A thread that is started when it is first needed, and again after it was given up. */
export class AnsweringThread<Question, Answer> {
  readonly #options: AnsweringThreadOptions;
  #worker: Worker | null = null;
  #resting: NodeJS.Timeout | undefined;

  constructor(options: AnsweringThreadOptions) {
    this.#options = options;
  }

  /** One question at a time; rejects when there is no answer in time, and ends the thread. */
  async ask(question: Question, transferred: readonly Transferable[] = []): Promise<Answer> {
    clearTimeout(this.#resting);
    this.#worker ??= start(this.#options, () => {
      this.#worker = null;
    });
    try {
      const answering = answerOf<Answer>(this.#worker, AbortSignal.timeout(this.#options.deadlineMs));
      this.#worker.postMessage(question, transferred);
      const answer = await answering;
      this.#resting = setTimeout(() => void this.end(), idleMs).unref();
      return answer;
    } catch (error) {
      await this.end();
      throw error;
    }
  }

  async end(): Promise<void> {
    clearTimeout(this.#resting);
    const ended = this.#worker;
    this.#worker = null;
    await ended?.terminate();
  }
}

/** A thread that keeps no process alive. */
function start({ program, execArgv, priority }: AnsweringThreadOptions, onEnd: () => void): Worker {
  const worker = new Worker(program, {
    ...(execArgv && { execArgv: [...execArgv] }),
    workerData: priority,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  worker.unref();
  // The caller that waits gets the failure; at rest, the end of the thread is all there is to know.
  return worker.on("error", () => undefined).once("exit", onEnd);
}

/** Rejects when the thread fails or ends first, and when the signal fires. */
async function answerOf<Answer>(worker: Worker, signal: AbortSignal): Promise<Answer> {
  const settled = new AbortController();
  const until = AbortSignal.any([signal, settled.signal]);
  const ended = once(worker, "exit", { signal: until }).then(() => {
    throw new Error("the thread ended");
  });
  const answered = once(worker, "message", { signal: until }).then(([answer]: Answer[]) => {
    if (!answer) throw new Error("the thread answered nothing");
    return answer;
  });
  try {
    return await Promise.race([answered, ended]);
  } finally {
    settled.abort();
    await Promise.allSettled([answered, ended]);
  }
}
