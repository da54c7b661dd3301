import { constants } from "node:os";
import { type Collected, type InvestigationPorts, type InvestigationSubject, nothingCollected } from "@whence/engine";
import { type Report, secondMs } from "@whence/protocol";
import { CallableThread } from "@whence/storage/threads";
import { analyzerErrors } from "../errors.ts";
import type { ProcessorTime } from "./investigation-deadline.ts";
import type { InvestigationOrder, InvestigationQuestion } from "./investigator-messages.ts";

/** Far beyond what the largest input takes. A thread that exceeds it is ended without affecting others. */
const memoryMb = 1_024;
/** How long an idle thread keeps its memory. */
const idleMs = 300_000;
const program = new URL("./investigator-worker.ts", import.meta.url);

/**
 * The kind of a thread's investigations, which sets its scheduling priority: failures from telemetry, which are small;
 * texts and files sent for analysis, which may take seconds; and those of unclaimed agents.
 */
export type ThreadRank = "failures" | "texts" | "unclaimed";

/** `nice` values: requests are answered first, then failures are investigated. */
const priorities: Readonly<Record<ThreadRank, number>> = {
  failures: constants.priority.PRIORITY_BELOW_NORMAL,
  texts: 15,
  unclaimed: constants.priority.PRIORITY_LOW,
};

export interface ThreadOptions {
  readonly rank: ThreadRank;
  readonly execArgv?: readonly string[] | undefined;
}

/** An investigation for a thread, and its budget. */
export interface ThreadOrder {
  readonly subject: InvestigationSubject;
  readonly ports: InvestigationPorts;
  readonly signal: AbortSignal;
  readonly within: ProcessorTime;
}

/** The thread used up its reading time before it had read all. */
export class ReadingTooSlow extends Error {}

/** One thread and its current investigation. */
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

  /**
   * Resolves when the thread has loaded its modules, which takes a while on a busy machine and doesn't count against an
   * investigation. When `signal` fires, it rejects, and the thread goes on loading.
   */
  async ready(signal: AbortSignal): Promise<void> {
    clearTimeout(this.#resting);
    this.#thread.ref();
    await this.#thread.ready(signal);
  }

  /** Rejects with {@link ReadingTooSlow} or `WHENCE_ERR_INVESTIGATION_TIMEOUT` when its processor time is used up. */
  async investigate({ subject, ports, signal, within }: ThreadOrder): Promise<Report> {
    const [isRead, isReported, tooLate] = [new AbortController(), new AbortController(), new AbortController()];
    const timedOut = analyzerErrors.create("WHENCE_ERR_INVESTIGATION_TIMEOUT", [within.reportMs / secondMs]);
    void this.#whenSpent(within.reportMs, isReported.signal, () => tooLate.abort(timedOut));
    // If both are used up at once, the report counts as late.
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

  /** Waits a while for the next investigation without keeping the process alive. */
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

  /** Calls `onSpent` after `ms` of processor time, unless `signal` fires or the thread ends first. */
  async #whenSpent(ms: number, signal: AbortSignal, onSpent: () => void): Promise<void> {
    try {
      await this.#thread.spent(ms, signal);
      onSpent();
    } catch {
      // Either the signal fired, or the thread ended and the call rejects with that.
    }
  }

  /** Rejects when the thread ends, instead of waiting for it forever. */
  async #orEnd<Value>(doing: Promise<Value>): Promise<Value> {
    try {
      return await doing;
    } catch (error) {
      await this.end();
      throw error;
    }
  }
}

/** Does the thread's work that needs the database. */
async function perform(question: InvestigationQuestion, { collected, onStep }: InvestigationPorts): Promise<Collected> {
  if (question.kind === "step") await onStep(question.step, question.detail);
  return (question.kind === "collected" && (await collected?.())) || nothingCollected;
}
