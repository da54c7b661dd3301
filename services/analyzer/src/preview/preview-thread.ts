import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { AnalysisPreview, AnalysisPreviewRequest } from "@whence/protocol";
import { analyzerErrors } from "../errors.ts";

const memoryMb = 512;
/** A thread that isn't needed gives back its memory. */
const idleMs = 60_000;
const program = new URL("./preview-worker.ts", import.meta.url);

export interface PreviewThreadOptions {
  /** What the thread is started with. Otherwise it inherits what holds for a thread: V8's flags are the process's. */
  readonly execArgv?: readonly string[] | undefined;
  readonly deadlineMs: number;
  /** Whether it reads for unclaimed agents, which the system runs last. */
  readonly isForUnclaimed: boolean;
}

/** A thread that is started when it is first needed, and again after it was given up. */
export class PreviewThread {
  readonly #options: PreviewThreadOptions;
  #worker: Worker | null = null;
  #resting: NodeJS.Timeout | undefined;

  constructor(options: PreviewThreadOptions) {
    this.#options = options;
  }

  /** One text at a time; rejects with `WHENCE_ERR_PREVIEW_UNAVAILABLE` when it takes too long. */
  async read(request: AnalysisPreviewRequest): Promise<AnalysisPreview> {
    clearTimeout(this.#resting);
    this.#worker ??= start(this.#options, () => {
      this.#worker = null;
    });
    try {
      const answer = answerOf(this.#worker, AbortSignal.timeout(this.#options.deadlineMs));
      this.#worker.postMessage(request);
      const preview = await answer;
      this.#resting = setTimeout(() => void this.end(), idleMs).unref();
      return preview;
    } catch (cause) {
      await this.end();
      throw analyzerErrors.create("WHENCE_ERR_PREVIEW_UNAVAILABLE", [], { cause });
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
function start({ execArgv, isForUnclaimed }: PreviewThreadOptions, onEnd: () => void): Worker {
  const worker = new Worker(program, {
    ...(execArgv && { execArgv: [...execArgv] }),
    workerData: isForUnclaimed,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  worker.unref();
  // The caller that waits gets the failure; at rest, the end of the thread is all there is to know.
  return worker.on("error", () => undefined).once("exit", onEnd);
}

/** Rejects when the thread fails or ends first, and when the signal fires. */
async function answerOf(worker: Worker, signal: AbortSignal): Promise<AnalysisPreview> {
  const settled = new AbortController();
  const until = AbortSignal.any([signal, settled.signal]);
  const ended = once(worker, "exit", { signal: until }).then(() => {
    throw new Error("the thread ended");
  });
  const answered = once(worker, "message", { signal: until }).then(([preview]: AnalysisPreview[]) => {
    if (!preview) throw new Error("the thread answered nothing");
    return preview;
  });
  try {
    return await Promise.race([answered, ended]);
  } finally {
    settled.abort();
    await Promise.allSettled([answered, ended]);
  }
}
