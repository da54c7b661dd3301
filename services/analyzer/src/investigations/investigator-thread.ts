import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { type Collected, type InvestigationPorts, type InvestigationSubject, nothingCollected } from "@whence/engine";
import type { Report } from "@whence/protocol";
import type { FromThread, ThreadRank, ToThread } from "./investigator-messages.ts";

/** Far beyond what the largest input takes; a thread that wants more is ended, and no other. */
const memoryMb = 1_024;
/** A thread that isn't needed gives back its memory. */
const idleMs = 300_000;
const program = new URL("./investigator-worker.ts", import.meta.url);

/** The thread ended, on its own or because it was given up. */
export class ThreadEnded extends Error {}

export interface ThreadOptions {
  readonly rank: ThreadRank;
  readonly execArgv?: readonly string[] | undefined;
}

/** What a thread is to do, and when it is given up. */
export interface ThreadOrder {
  readonly subject: InvestigationSubject;
  readonly ports: InvestigationPorts;
  readonly signal: AbortSignal;
}

/** One thread, and the investigation that it is at. */
export class InvestigatorThread {
  readonly #worker: Worker;
  readonly #isReady: Promise<unknown>;
  #resting: NodeJS.Timeout | undefined;
  #hasEnded = false;

  constructor({ rank, execArgv }: ThreadOptions) {
    this.#worker = new Worker(program, {
      ...(execArgv && { execArgv: [...execArgv] }),
      workerData: rank,
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    });
    this.#isReady = once(this.#worker, "message");
    this.#isReady.catch(() => undefined);
    // A thread at rest keeps no process alive, and its end is noticed when it is needed next.
    this.#worker
      .on("error", () => undefined)
      .once("exit", () => {
        this.#hasEnded = true;
      });
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Resolves when it has loaded what it needs: a busy machine takes its time, and no investigation answers for it. */
  async ready(signal: AbortSignal): Promise<void> {
    clearTimeout(this.#resting);
    this.#worker.ref();
    const { promise, reject } = Promise.withResolvers<never>();
    const giveUp = (): void => reject(signal.reason);
    const onEnd = (cause: unknown): void => reject(new ThreadEnded("the thread did not start", { cause }));
    signal.addEventListener("abort", giveUp, { once: true });
    this.#worker.once("exit", onEnd);
    try {
      signal.throwIfAborted();
      await Promise.race([this.#isReady, promise]);
    } catch (error) {
      await this.end();
      throw error;
    } finally {
      signal.removeEventListener("abort", giveUp);
      this.#worker.off("exit", onEnd);
    }
  }

  async investigate({ subject, ports, signal }: ThreadOrder): Promise<Report> {
    const { promise, resolve, reject } = Promise.withResolvers<Report>();
    const giveUp = (): void => reject(signal.reason);
    const onEnd = (cause: unknown): void => reject(new ThreadEnded("the thread of the investigation ended", { cause }));
    const onMessage = (message: FromThread): void => {
      if (message.kind === "report") resolve(message.report);
      else if (message.kind === "failed") reject(new Error(message.message));
      else if (message.kind !== "ready") void this.#serve(message, ports);
    };
    signal.addEventListener("abort", giveUp, { once: true });
    this.#worker.on("message", onMessage).on("error", onEnd).on("exit", onEnd);
    this.#tell({ kind: "investigate", subject, now: ports.clock() });
    try {
      signal.throwIfAborted();
      return await promise;
    } catch (error) {
      // Whatever it is at, it is not waited for.
      await this.end();
      throw error;
    } finally {
      signal.removeEventListener("abort", giveUp);
      this.#worker.off("message", onMessage).off("error", onEnd).off("exit", onEnd);
    }
  }

  /** Waits for the next investigation, not for ever. */
  rest(onEnd: () => void): this {
    this.#worker.unref();
    this.#resting = setTimeout(() => {
      onEnd();
      void this.end();
    }, idleMs).unref();
    return this;
  }

  async end(): Promise<void> {
    clearTimeout(this.#resting);
    await this.#worker.terminate();
  }

  /** Does for the thread what needs the database, and answers. */
  async #serve(message: FromThread & { id: number }, ports: InvestigationPorts): Promise<void> {
    const { id } = message;
    try {
      this.#tell({ kind: "answer", id, collected: await perform(message, ports) });
    } catch (error) {
      this.#tell({ kind: "refusal", id, message: error instanceof Error ? error.message : String(error) });
    }
  }

  #tell(message: ToThread): void {
    this.#worker.postMessage(message);
  }
}

async function perform(
  message: FromThread & { id: number },
  { collected, onStep }: InvestigationPorts,
): Promise<Collected> {
  if (message.kind === "step") await onStep(message.step, message.detail);
  return (message.kind === "collected" && (await collected?.())) || nothingCollected;
}
