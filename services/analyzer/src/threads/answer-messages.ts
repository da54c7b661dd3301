import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";

/** Makes a worker thread the other end of an `AnsweringThread`: each message is a question, one at a time. */
export function answerMessages<Question, Answer>(answer: (question: Question) => Answer | Promise<Answer>): void {
  if (!parentPort) throw new Error("this program is started as a worker thread");
  const port = parentPort;
  const priority: number = workerData;
  // Of this thread alone (Linux).
  setPriority(priority);
  port.on("message", async (question: Question) => port.postMessage(await answer(question)));
}
