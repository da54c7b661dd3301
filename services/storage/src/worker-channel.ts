import { isMainThread, type MessagePort, parentPort, Worker, workerData } from "node:worker_threads";

/** What a worker thread answered: the value, or the error it threw, reduced to what survives the way. */
export type Answer<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly message: string };

/** A worker thread that answers requests one at a time, in order. */
export interface WorkerChannel<Request, Value> {
  /** Rejects when the thread threw, or is gone. */
  call(request: Request): Promise<Value>;
  /** Resolves once the thread has answered what was asked of it and ended. */
  close(): Promise<void>;
}

interface Waiting<Value> {
  readonly resolve: (value: Value) => void;
  readonly reject: (reason: Error) => void;
}

/** V8 keeps what a thread has freed; these threads copy strings in and out and need little. */
const youngGenerationMb = 8;

/** Starts the thread; resolves when it is ready to answer, rejects with what its start threw. */
export async function openWorkerChannel<Request, Value>(
  program: URL,
  data: unknown,
): Promise<WorkerChannel<Request, Value>> {
  const worker = new Worker(program, {
    workerData: data,
    resourceLimits: { maxYoungGenerationSizeMb: youngGenerationMb },
  });
  // Answers come in the order of the requests, the first one being that the thread is ready.
  const waiting: Waiting<Value>[] = [];
  let gone: Error | null = null;
  const exited = new Promise<void>((resolve) => {
    worker.on("error", (error) => {
      gone = error instanceof Error ? error : new Error(String(error));
    });
    worker.on("exit", (code) => {
      gone ??= new Error(`its thread ended with code ${code}`);
      for (const { reject } of waiting.splice(0)) reject(gone);
      resolve();
    });
  });
  worker.on("message", (answer: Answer<Value>) => {
    const next = waiting.shift();
    if (answer.ok) next?.resolve(answer.value);
    else next?.reject(new Error(answer.message));
  });
  const answered = (): Promise<Value> => new Promise((resolve, reject) => waiting.push({ resolve, reject }));

  await answered();
  return {
    call(request) {
      if (gone) return Promise.reject(gone);
      worker.postMessage({ request });
      return answered();
    },
    close() {
      worker.postMessage({ close: true });
      return exited;
    },
  };
}

/**
 * The other side, called by a worker's program: `start` gets the data that the thread was opened with and gives the
 * function that answers requests, and the one that frees what it holds.
 */
export function serveWorkerChannel<Data, Request, Value>(
  start: (data: Data) => { answer(request: Request): Value; close(): void },
): void {
  if (isMainThread || !parentPort) throw new Error("this program is started as a worker thread");
  const port = parentPort;
  const served = attempt(port, () => start(workerData));
  if (!served) return;
  port.postMessage({ ok: true, value: undefined });
  port.on("message", (message: { close: true } | { request: Request }) => {
    if ("close" in message) {
      served.close();
      port.close();
    } else {
      attempt(port, () => port.postMessage({ ok: true, value: served.answer(message.request) }));
    }
  });
}

function attempt<Value>(port: MessagePort, run: () => Value): Value | undefined {
  try {
    return run();
  } catch (error) {
    port.postMessage({ ok: false, message: error instanceof Error ? error.message : String(error) });
    return undefined;
  }
}
