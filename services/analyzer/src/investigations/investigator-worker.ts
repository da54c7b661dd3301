import { constants, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import type { Collected } from "@whence/engine";
import { investigate } from "@whence/engine/investigate";
import type { FromThread, InvestigationOrder, ThreadRank, ToThread } from "./investigator-messages.ts";

if (!parentPort) throw new Error("this program is started as a worker thread");
const port = parentPort;
const rank: ThreadRank = workerData;
/** As `nice` has it, of this thread alone (Linux): requests are answered first, then failures are investigated. */
const priorities: Readonly<Record<ThreadRank, number>> = {
  failures: constants.priority.PRIORITY_BELOW_NORMAL,
  texts: 15,
  unclaimed: constants.priority.PRIORITY_LOW,
};
setPriority(priorities[rank]);

interface Waiting {
  readonly resolve: (collected: Collected) => void;
  readonly reject: (reason: Error) => void;
}

const waiting = new Map<number, Waiting>();
let asked = 0;

port.on("message", (message: ToThread) => {
  if (message.kind === "investigate") void run(message);
  else if (message.kind === "answer") settle(message.id)?.resolve(message.collected);
  else settle(message.id)?.reject(new Error(message.message));
});

async function run({ subject, now }: InvestigationOrder): Promise<void> {
  const ports = {
    collected: () => ask((id) => ({ kind: "collected", id })),
    clock: () => now,
    onStep: async (step: Parameters<Parameters<typeof investigate>[1]["onStep"]>[0], detail: string) => {
      await ask((id) => ({ kind: "step", id, step, detail }));
    },
  };
  try {
    // It isn't stopped from inside: giving up on it ends the thread.
    const report = await investigate(subject, ports, new AbortController().signal);
    tell({ kind: "report", report });
  } catch (error) {
    tell({ kind: "failed", message: error instanceof Error ? error.message : String(error) });
  }
}

function ask(message: (id: number) => FromThread): Promise<Collected> {
  const id = asked++;
  const { promise, resolve, reject } = Promise.withResolvers<Collected>();
  waiting.set(id, { resolve, reject });
  tell(message(id));
  return promise;
}

function settle(id: number): Waiting | undefined {
  const found = waiting.get(id);
  waiting.delete(id);
  return found;
}

function tell(message: FromThread): void {
  port.postMessage(message);
}

tell({ kind: "ready" });
