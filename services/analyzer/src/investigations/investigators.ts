import type { InvestigationPorts, InvestigationSubject } from "@whence/engine";
import type { Report } from "@whence/protocol";
import { ThreadEnded } from "@whence/storage/threads";
import { briefSubject } from "./brief-subject.ts";
import { type ProcessorTime, processorTime } from "./investigation-deadline.ts";
import { InvestigatorThread, ReadingTooSlow, type ThreadOrder, type ThreadRank } from "./investigator-thread.ts";

/** Runs investigations off the main thread. */
export interface Investigators {
  /**
   * Rejects when `signal` fires, when the investigation fails, and with `WHENCE_ERR_INVESTIGATION_TIMEOUT` when its
   * thread has used {@link ProcessorTime.reportMs} without a report.
   */
  investigate(subject: InvestigationSubject, ports: InvestigationPorts, signal: AbortSignal): Promise<Report>;
  close(): Promise<void>;
}

export interface InvestigatorsOptions {
  /** Idle threads to keep; more run only while they are needed. */
  readonly size: number;
  /** The kind of investigation; `failures` by default. */
  readonly rank?: ThreadRank;
  /** Arguments for the threads; by default they inherit those of the process, except V8's flags. */
  readonly execArgv?: readonly string[];
  readonly processorTime?: ProcessorTime;
}

/**
 * Investigators that run in threads, started on demand. An investigation that doesn't read its input in time, or runs
 * out of memory, loses its thread and starts over with less input; its report says so.
 */
export function openInvestigators(options: InvestigatorsOptions): Investigators {
  const idle: InvestigatorThread[] = [];
  const { rank = "failures", execArgv, processorTime: within = processorTime } = options;
  let isClosed = false;

  async function readyThread(signal: AbortSignal): Promise<InvestigatorThread> {
    signal.throwIfAborted();
    const rested = idle.splice(0).filter((thread) => !thread.hasEnded);
    const thread = rested.pop() ?? new InvestigatorThread({ rank, execArgv });
    idle.push(...rested);
    try {
      await thread.ready(signal);
    } catch (error) {
      // It goes on loading: if each investigation had to start it again, a slow machine would never get to one.
      if (signal.aborted) await keep(thread);
      throw error;
    }
    return thread;
  }

  async function keep(thread: InvestigatorThread): Promise<void> {
    if (isClosed || thread.hasEnded || idle.length >= options.size) await thread.end();
    else idle.push(thread.rest(() => forget(thread)));
  }

  /** One that ended on its own is no longer among them. */
  function forget(thread: InvestigatorThread): void {
    const index = idle.indexOf(thread);
    if (index >= 0) idle.splice(index, 1);
  }

  async function run(thread: InvestigatorThread, order: ThreadOrder): Promise<Report> {
    const report = await thread.investigate(order);
    await keep(thread);
    return report;
  }

  return {
    async investigate(subject, ports, signal) {
      const thread = await readyThread(signal);
      const order = { subject, ports, signal, within };
      try {
        return await run(thread, order);
      } catch (error) {
        if (signal.aborted || !(error instanceof ReadingTooSlow || error instanceof ThreadEnded)) throw error;
        const brief = { ...order, subject: briefSubject(subject), within: { ...within, readingMs: within.reportMs } };
        return run(await readyThread(signal), brief);
      }
    },
    async close() {
      isClosed = true;
      await Promise.all(idle.splice(0).map((thread) => thread.end()));
    },
  };
}
