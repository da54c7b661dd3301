import { setTimeout as delay } from "node:timers/promises";
import type { InvestigationPorts, InvestigationSubject } from "@whence/engine";
import type { Report } from "@whence/protocol";
import { ThreadEnded } from "@whence/storage/threads";
import { analyzerErrors } from "../errors.ts";
import { briefSubject } from "./brief-subject.ts";
import { type Deadlines, deadlines } from "./investigation-deadline.ts";
import { InvestigatorThread, type ThreadRank } from "./investigator-thread.ts";

/** Runs investigations off the main thread. */
export interface Investigators {
  /**
   * Rejects when `signal` fires, when the investigation fails, and with `WHENCE_ERR_INVESTIGATION_TIMEOUT` when there is
   * no report in {@link Deadlines.endMs}.
   */
  investigate(subject: InvestigationSubject, ports: InvestigationPorts, signal: AbortSignal): Promise<Report>;
  close(): Promise<void>;
}

export interface InvestigatorsOptions {
  /** Idle threads that are kept; more run only while they are needed. */
  readonly size: number;
  /** What they are for; `failures` by default. */
  readonly rank?: ThreadRank;
  /** Arguments for the threads; by default they inherit those of the process, except V8's flags. */
  readonly execArgv?: readonly string[];
  readonly deadlines?: Deadlines;
}

/** What one attempt investigates. */
interface Attempt {
  readonly subject: InvestigationSubject;
  readonly ports: InvestigationPorts;
  readonly signal: AbortSignal;
}

/**
 * Investigates in threads, which are started when they are needed. An investigation that doesn't read its input in time, or
 * runs out of memory, loses its thread and starts over with less, which its report then says.
 */
export function openInvestigators(options: InvestigatorsOptions): Investigators {
  const idle: InvestigatorThread[] = [];
  const { rank = "failures", execArgv } = options;
  const { readByMs, endMs } = options.deadlines ?? deadlines;
  let isClosed = false;

  async function readyThread(signal: AbortSignal): Promise<InvestigatorThread> {
    signal.throwIfAborted();
    const rested = idle.splice(0).filter((thread) => !thread.hasEnded);
    const thread = rested.pop() ?? new InvestigatorThread({ rank, execArgv });
    idle.push(...rested);
    await thread.ready(signal);
    return thread;
  }

  async function run(thread: InvestigatorThread, { subject, ports, signal }: Attempt): Promise<Report> {
    const report = await thread.investigate({ subject, ports, signal });
    if (isClosed || idle.length >= options.size) await thread.end();
    else idle.push(thread.rest(() => idle.splice(idle.indexOf(thread), 1)));
    return report;
  }

  /** Gives up when the input isn't read in time. */
  async function runWhole(thread: InvestigatorThread, attempt: Attempt): Promise<Report> {
    const isRead = new AbortController();
    const late = new AbortController();
    const timer = delay(readByMs, undefined, { signal: isRead.signal, ref: false });
    timer.then(() => late.abort(new ReadingTooSlow("the input was not read in time"))).catch(() => undefined);
    const onStep: InvestigationPorts["onStep"] = (step, detail) => {
      if (step === "locate") isRead.abort();
      return attempt.ports.onStep(step, detail);
    };
    const signal = AbortSignal.any([attempt.signal, late.signal]);
    try {
      return await run(thread, { ...attempt, ports: { ...attempt.ports, onStep }, signal });
    } finally {
      isRead.abort();
    }
  }

  return {
    async investigate(subject, ports, stopping) {
      const thread = await readyThread(stopping);
      const deadline = new AbortController();
      const timer = setTimeout(() => deadline.abort(), endMs);
      const signal = AbortSignal.any([stopping, deadline.signal]);
      const onStep: InvestigationPorts["onStep"] = (step, detail) => {
        // Evidence has been awaited, which its collectors' own time bounds.
        if (step === "collect") timer.refresh();
        return ports.onStep(step, detail);
      };
      const attempt = { subject, ports: { ...ports, onStep }, signal };
      try {
        return await runWhole(thread, attempt).catch(async (error: unknown) => {
          if (signal.aborted || !(error instanceof ReadingTooSlow || error instanceof ThreadEnded)) throw error;
          return run(await readyThread(signal), { ...attempt, subject: briefSubject(subject) });
        });
      } catch (error) {
        stopping.throwIfAborted();
        if (!deadline.signal.aborted) throw error;
        throw analyzerErrors.create("WHENCE_ERR_INVESTIGATION_TIMEOUT", [endMs / msPerSecond]);
      } finally {
        clearTimeout(timer);
      }
    },
    async close() {
      isClosed = true;
      await Promise.all(idle.splice(0).map((thread) => thread.end()));
    },
  };
}

const msPerSecond = 1_000;

class ReadingTooSlow extends Error {}
