import { Worker } from "node:worker_threads";
import type { Collector, Gap, InvestigationPorts, InvestigationSubject, Observation } from "@whence/engine";
import type { Report } from "@whence/protocol";
import type { FromThread, ToThread } from "./investigator-messages.ts";

/** Runs investigations where they keep nobody waiting. */
export interface Investigators {
  /** Rejects when `signal` fires, and when the investigation fails. */
  investigate(subject: InvestigationSubject, ports: InvestigationPorts, signal: AbortSignal): Promise<Report>;
  close(): Promise<void>;
}

export interface InvestigatorsOptions {
  /** Threads that are kept for the next investigation; more run only as long as they are needed. */
  readonly size: number;
  /** What the threads are started with. Otherwise they inherit what holds for a thread: V8's flags are the process's. */
  readonly execArgv?: readonly string[];
  /** How long the code of an incident may be looked at; 20 s unless told. */
  readonly codeDeadlineMs?: number;
}

/** Ten times what the slowest hostile input takes. */
const codeDeadlineMs = 20_000;
/** Far beyond what the largest input takes; a thread that wants more is ended, and nobody else. */
const memoryMb = 1_024;
/** A thread that nobody needs gives back its memory. */
const idleMs = 300_000;
const program = new URL("./investigator-worker.ts", import.meta.url);

/** The thread came to its end, by itself or because it was given up. */
class ThreadEnded extends Error {}

/**
 * Threads that investigate, started when they are needed. An investigation whose code takes too long to look at loses
 * its thread and is done again without the code: the report then says so.
 */
export function openInvestigators(options: InvestigatorsOptions): Investigators {
  const idle: Thread[] = [];
  const deadlineMs = options.codeDeadlineMs ?? codeDeadlineMs;
  let isClosed = false;

  const run = async (
    subject: InvestigationSubject,
    ports: InvestigationPorts,
    signal: AbortSignal,
  ): Promise<Report> => {
    signal.throwIfAborted();
    const thread = idle.pop() ?? new Thread(options.execArgv);
    const report = await thread.investigate(subject, ports, signal);
    if (isClosed || idle.length >= options.size) await thread.end();
    else idle.push(thread.rest(() => idle.splice(idle.indexOf(thread), 1)));
    return report;
  };
  return {
    async investigate(subject, ports, signal) {
      const deadline = AbortSignal.timeout(deadlineMs);
      try {
        return await run(subject, ports, AbortSignal.any([signal, deadline]));
      } catch (error) {
        signal.throwIfAborted();
        if (!deadline.aborted && !(error instanceof ThreadEnded)) throw error;
        return run(withoutCode(subject), ports, signal);
      }
    },
    async close() {
      isClosed = true;
      await Promise.all(idle.splice(0).map((thread) => thread.end()));
    },
  };
}

function withoutCode(subject: InvestigationSubject): InvestigationSubject {
  const { input } = subject;
  const notChecked: Gap[] = [{ kind: "code-skipped" }];
  if (input.kind === "death") return subject;
  if (input.kind === "text") return { ...subject, notChecked, input: { ...input, files: [] } };
  const exceptions = input.event.exceptions?.map((exception) => ({
    ...exception,
    frames: exception.frames?.map(({ context: _, ...frame }) => frame) ?? [],
  }));
  return {
    ...subject,
    notChecked,
    input: { ...input, files: [], notRead: [], event: { ...input.event, ...(exceptions ? { exceptions } : {}) } },
  };
}

/** One thread, and the investigation that it is at. */
class Thread {
  readonly #worker: Worker;
  #resting: NodeJS.Timeout | undefined;

  constructor(execArgv?: readonly string[]) {
    this.#worker = new Worker(program, {
      ...(execArgv && { execArgv: [...execArgv] }),
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    });
    // A thread at rest keeps no process alive, and its end is noticed by whoever asks it next.
    this.#worker.on("error", () => undefined);
  }

  async investigate(subject: InvestigationSubject, ports: InvestigationPorts, signal: AbortSignal): Promise<Report> {
    clearTimeout(this.#resting);
    this.#worker.ref();
    const { promise, resolve, reject } = Promise.withResolvers<Report>();
    const giveUp = (): void => reject(signal.reason);
    const onEnd = (cause: unknown): void => reject(new ThreadEnded("the thread of the investigation ended", { cause }));
    const onMessage = (message: FromThread): void => {
      if (message.kind === "report") resolve(message.report);
      else if (message.kind === "failed") reject(new Error(message.message));
      else void this.#serve(message, ports, signal);
    };
    signal.addEventListener("abort", giveUp, { once: true });
    this.#worker.on("message", onMessage).on("error", onEnd).on("exit", onEnd);
    const collectors = ports.collectors.map(({ name, deadlineMs }) => ({
      name,
      ...(deadlineMs === undefined ? {} : { deadlineMs }),
    }));
    this.#tell({ kind: "investigate", subject, collectors, now: ports.clock() });
    try {
      return await promise;
    } catch (error) {
      // Whatever it is at, it is not waited for.
      await this.end();
      throw error;
    } finally {
      signal.removeEventListener("abort", giveUp);
      this.#worker.off("message", onMessage).off("error", onEnd).off("exit", onEnd);
    }
  }

  /** Waits for the next investigation, not for ever. */
  rest(onEnd: () => void): this {
    this.#worker.unref();
    this.#resting = setTimeout(() => {
      onEnd();
      void this.end();
    }, idleMs).unref();
    return this;
  }

  async end(): Promise<void> {
    clearTimeout(this.#resting);
    await this.#worker.terminate();
  }

  /** Does for the thread what needs the database, and answers. */
  async #serve(message: FromThread & { id: number }, ports: InvestigationPorts, signal: AbortSignal): Promise<void> {
    const { id } = message;
    try {
      this.#tell({ kind: "answer", id, observations: await perform(message, ports, signal) });
    } catch (error) {
      this.#tell({ kind: "refusal", id, message: error instanceof Error ? error.message : String(error) });
    }
  }

  #tell(message: ToThread): void {
    this.#worker.postMessage(message);
  }
}

async function perform(
  message: FromThread & { id: number },
  { collectors, onStep }: InvestigationPorts,
  signal: AbortSignal,
): Promise<readonly Observation[]> {
  if (message.kind === "step") await onStep(message.step, message.detail);
  const collector: Collector | undefined = message.kind === "collect" ? collectors[message.collector] : undefined;
  if (message.kind !== "collect" || !collector) return [];
  return collector.collect(message.findings, signal);
}
