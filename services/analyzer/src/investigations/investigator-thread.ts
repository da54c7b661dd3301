import { constants } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { type Collected, type InvestigationPorts, type InvestigationSubject, nothingCollected } from "@whence/engine";
import { type Report, secondMs } from "@whence/protocol";
import { CallableThread } from "@whence/storage/threads";
import { analyzerErrors } from "../errors.ts";
import type { ProcessorTime } from "./investigation-deadline.ts";
import type { InvestigationOrder, InvestigationQuestion } from "./investigator-messages.ts";

/** Far beyond what the largest input takes; a thread that wants more is ended, and no other. */
const memoryMb = 1_024;
/** A thread that isn't needed gives back its memory. */
const idleMs = 300_000;
/** A spent thread goes on for this long at most. */
const leastLookMs = 50;
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
  readonly within: ProcessorTime;
}

/** The thread spent its time for reading, and hasn't read all. */
export class ReadingTooSlow extends Error {}

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

  /** Rejects with {@link ReadingTooSlow}, or `WHENCE_ERR_INVESTIGATION_TIMEOUT`, when its processor time is spent. */
  async investigate({ subject, ports, signal, within }: ThreadOrder): Promise<Report> {
    const [isRead, isReported, tooLate] = [new AbortController(), new AbortController(), new AbortController()];
    const timedOut = analyzerErrors.create("WHENCE_ERR_INVESTIGATION_TIMEOUT", [within.reportMs / secondMs]);
    void this.#whenSpent(within.reportMs, isReported.signal, () => tooLate.abort(timedOut));
    // Spent at the same time, it is the report that is late.
    void this.#whenSpent(within.readingMs, isRead.signal, () => tooLate.abort(new ReadingTooSlow()));
    const onStep: InvestigationPorts["onStep"] = (step, detail) => {
      if (step === "locate") isRead.abort();
      return ports.onStep(step, detail);
    };
    const reply = (question: InvestigationQuestion): Promise<Collected> => perform(question, { ...ports, onStep });
    const options = { signal: AbortSignal.any([signal, tooLate.signal]), reply };
    try {
      return await this.#orEnd(this.#thread.call({ subject, now: ports.clock() }, options));
    } finally {
      isRead.abort();
      isReported.abort();
    }
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

  /** Unless `signal` fires, or the thread ends, before it has spent that much from now on. */
  async #whenSpent(ms: number, signal: AbortSignal, onSpent: () => void): Promise<void> {
    try {
      const begin = await this.#thread.processorMs();
      for (let left = ms; left > 0; left = begin + ms - (await this.#thread.processorMs())) {
        // A thread can't compute for longer than time passes.
        await delay(Math.max(left, leastLookMs), undefined, { signal, ref: false });
      }
      onSpent();
    } catch {
      // Neither needs a look: the signal fired, or the call rejects with the thread's end.
    }
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
