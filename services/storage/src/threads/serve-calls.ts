import { setPriority } from "node:os";
import { isMainThread, type MessagePort, parentPort, workerData } from "node:worker_threads";
import { type FromThread, outcomeOf, settle, type ThreadData, type ToThread, type Waiting } from "./thread-messages.ts";

/** Asks the calling thread; rejects with the error thrown there. */
export type Ask<Question, Reply> = (question: Question) => Promise<Reply>;

export interface ServedCalls<Call, Result, Question, Reply> {
  answer(call: Call, ask: Ask<Question, Reply>): Result | Promise<Result>;
  /** Frees what the thread holds. */
  close?(): void;
}

/**
 * Serves the calls of a `CallableThread` on this thread. `start` gets the data that the thread was created with.
 * Synchronous calls are answered in order.
 */
export async function serveCalls<Data, Call, Result, Question = never, Reply = never>(
  start: (data: Data) => ServedCalls<Call, Result, Question, Reply>,
): Promise<void> {
  if (isMainThread || !parentPort) throw new Error("this program is started as a worker thread");
  const port = parentPort;
  const { priority, data }: ThreadData & { data: Data } = workerData;
  // Of this thread alone (Linux).
  if (priority !== 0) setPriority(priority);
  const started = await outcomeOf(() => start(data));
  post(port, { kind: "started", outcome: started.ok ? { ok: true, value: undefined } : started });
  if (!started.ok) return;
  listen(port, started.value);
}

function listen<Call, Result, Question, Reply>(
  port: MessagePort,
  served: ServedCalls<Call, Result, Question, Reply>,
): void {
  const asked = new Map<number, Waiting<Reply>>();
  let nextId = 0;
  const askFor = (callId: number): Ask<Question, Reply> => {
    return (question) => {
      const id = nextId++;
      const { promise, resolve, reject } = Promise.withResolvers<Reply>();
      asked.set(id, { resolve, reject });
      post(port, { kind: "question", id, callId, question });
      return promise;
    };
  };
  port.on("message", async (message: ToThread<Call, Reply>) => {
    if (message.kind === "close") {
      served.close?.();
      port.close();
    } else if (message.kind === "reply") {
      settle(asked.get(message.id), message.outcome);
      asked.delete(message.id);
    } else {
      const { id, call } = message;
      post(port, { kind: "result", id, outcome: await outcomeOf(() => served.answer(call, askFor(id))) });
    }
  });
}

function post<Result, Question>(port: MessagePort, message: FromThread<Result, Question>): void {
  port.postMessage(message);
}
