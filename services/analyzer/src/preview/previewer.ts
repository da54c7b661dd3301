import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { AnalysisPreview, AnalysisPreviewRequest } from "@whence/protocol";
import { analyzerErrors } from "../errors.ts";

/** Reads texts for {@link AnalysisPreview}s where that keeps nobody waiting. */
export interface Previewer {
  /** One text at a time; rejects with `WHENCE_ERR_PREVIEW_UNAVAILABLE` when it takes too long or too many wait. */
  preview(request: AnalysisPreviewRequest): Promise<AnalysisPreview>;
  close(): Promise<void>;
}

export interface PreviewerOptions {
  /** What the thread is started with. Otherwise it inherits what holds for a thread: V8's flags are the process's. */
  readonly execArgv?: readonly string[];
  /** How long one text may be read; 10 s unless told. */
  readonly deadlineMs?: number;
}

/** Several times what the largest text takes on a slow machine. */
const deadlineMs = 10_000;
const memoryMb = 512;
/** Texts that wait, at 1 MiB at most each. */
const waitingMax = 16;
/** A thread that nobody needs gives back its memory. */
const idleMs = 60_000;
const program = new URL("./preview-worker.ts", import.meta.url);

/** A thread that is started when it is first needed, and again after it was given up. */
export function openPreviewer({ execArgv, ...options }: PreviewerOptions = {}): Previewer {
  let worker: Worker | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let resting: NodeJS.Timeout | undefined;

  const end = async (): Promise<void> => {
    clearTimeout(resting);
    const ended = worker;
    worker = null;
    await ended?.terminate();
  };
  const read = async (request: AnalysisPreviewRequest): Promise<AnalysisPreview> => {
    clearTimeout(resting);
    worker ??= start(execArgv, () => {
      worker = null;
    });
    try {
      const answer = answerOf(worker, AbortSignal.timeout(options.deadlineMs ?? deadlineMs));
      worker.postMessage(request);
      const preview = await answer;
      resting = setTimeout(() => void end(), idleMs).unref();
      return preview;
    } catch (cause) {
      await end();
      throw analyzerErrors.create("WHENCE_ERR_PREVIEW_UNAVAILABLE", [], { cause });
    }
  };
  return {
    async preview(request) {
      if (waiting >= waitingMax) throw analyzerErrors.create("WHENCE_ERR_PREVIEW_UNAVAILABLE");
      waiting += 1;
      const reading = last.then(() => read(request));
      last = reading.catch(() => undefined);
      try {
        return await reading;
      } finally {
        waiting -= 1;
      }
    },
    async close() {
      await last;
      await end();
    },
  };
}

/** A thread that keeps no process alive. */
function start(execArgv: readonly string[] | undefined, onEnd: () => void): Worker {
  const worker = new Worker(program, {
    ...(execArgv && { execArgv: [...execArgv] }),
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  worker.unref();
  // What it failed of is told to whoever waits for it; at rest, its end is all there is to know.
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
