import { constants } from "node:os";
import { type Collected, type InvestigationPorts, type InvestigationSubject, nothingCollected } from "@whence/engine";
import type { Report } from "@whence/protocol";
import { CallableThread } from "@whence/storage/threads";
import type { InvestigationOrder, InvestigationQuestion } from "./investigator-messages.ts";

/** Far beyond what the largest input takes; a thread that wants more is ended, and no other. */
const memoryMb = 1_024;
/** A thread that isn't needed gives back its memory. */
const idleMs = 300_000;
const program = new URL("./investigator-worker.ts", import.meta.url);

/**
 * What a thread investigates, which decides what the operating system runs first: failures that telemetry reported, which
 * are small; texts and files that were sent to be analyzed, which may cost seconds; and those of unclaimed agents.
 */
export type ThreadRank = "failures" | "texts" | "unclaimed";

/** As `nice` has it: requests are answered first, then failures are investigated. */
const priorities: Readonly<Record<ThreadRank, number>> = {
  failures: constants.priority.PRIORITY_BELOW_NORMAL,
  texts: 15,
  unclaimed: constants.priority.PRIORITY_LOW,
};

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
  readonly #thread: CallableThread<InvestigationOrder, Report, InvestigationQuestion, Collected>;
  #resting: NodeJS.Timeout | undefined;

  constructor({ rank, execArgv }: ThreadOptions) {
    const resourceLimits = { maxOldGenerationSizeMb: memoryMb };
    this.#thread = new CallableThread({ program, execArgv, priority: priorities[rank], resourceLimits });
  }

  get hasEnded(): boolean {
    return this.#thread.hasEnded;
  }

  /** Resolves when it has loaded what it needs: a busy machine takes its time, and no investigation answers for it. */
  async ready(signal: AbortSignal): Promise<void> {
    clearTimeout(this.#resting);
    this.#thread.ref();
    await this.#orEnd(this.#thread.ready(signal));
  }

  investigate({ subject, ports, signal }: ThreadOrder): Promise<Report> {
    const order = { subject, now: ports.clock() };
    const reply = (question: InvestigationQuestion): Promise<Collected> => perform(question, ports);
    return this.#orEnd(this.#thread.call(order, { signal, reply }));
  }

  /** Waits a while for the next investigation, and keeps no process alive for it. */
  rest(onEnd: () => void): this {
    this.#thread.unref();
    this.#resting = setTimeout(() => {
      onEnd();
      void this.end();
    }, idleMs).unref();
    return this;
  }

  async end(): Promise<void> {
    clearTimeout(this.#resting);
    await this.#thread.end();
  }

  /** A thread whose work failed is not waited for. */
  async #orEnd<Value>(doing: Promise<Value>): Promise<Value> {
    try {
      return await doing;
    } catch (error) {
      await this.end();
      throw error;
    }
  }
}

/** Does for the thread what needs the database. */
async function perform(question: InvestigationQuestion, { collected, onStep }: InvestigationPorts): Promise<Collected> {
  if (question.kind === "step") await onStep(question.step, question.detail);
  return (question.kind === "collected" && (await collected?.())) || nothingCollected;
}
