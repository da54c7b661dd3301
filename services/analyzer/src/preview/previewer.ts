import type { AnalysisPreview, AnalysisPreviewRequest } from "@whence/protocol";
import { isAgentScope } from "@whence/storage";
import { FairOrder, type OfScope } from "../consumers/fair-order.ts";
import { analyzerErrors } from "../errors.ts";
import { PreviewThread } from "./preview-thread.ts";

/** Reads texts for {@link AnalysisPreview}s where that keeps no request waiting. */
export interface Previewer {
  /**
   * Scopes take turns, and unclaimed agents have a thread of their own. Rejects with `WHENCE_ERR_PREVIEW_UNAVAILABLE`
   * when it takes too long, or too many texts wait.
   */
  preview(request: AnalysisPreviewRequest, scopeId: string): Promise<AnalysisPreview>;
  close(): Promise<void>;
}

export interface PreviewerOptions {
  readonly execArgv?: readonly string[];
  /** How long one text may be read; 10 s unless told. */
  readonly deadlineMs?: number;
}

/** Several times what the largest text takes on a slow machine. */
const deadlineMs = 10_000;
/** Texts that wait, at 1 MiB at most each, and source maps with them. */
const waitingMax = 16;
export const waitingPerScopeMax = 4;

export function openPreviewer({ execArgv, ...options }: PreviewerOptions = {}): Previewer {
  const openLane = (isForUnclaimed: boolean): PreviewLane =>
    new PreviewLane(new PreviewThread({ execArgv, isForUnclaimed, deadlineMs: options.deadlineMs ?? deadlineMs }));
  const lanes = { organizations: openLane(false), unclaimed: openLane(true) };
  return {
    preview: (request, scopeId) =>
      (isAgentScope(scopeId) ? lanes.unclaimed : lanes.organizations).preview(request, scopeId),
    async close() {
      await Promise.all([lanes.organizations.close(), lanes.unclaimed.close()]);
    },
  };
}

interface WaitingPreview extends OfScope {
  readonly request: AnalysisPreviewRequest;
  readonly resolve: (reading: Promise<AnalysisPreview>) => void;
}

/** One thread, and what waits for it. */
class PreviewLane {
  readonly #thread: PreviewThread;
  readonly #order = new FairOrder();
  readonly #waiting = new Set<WaitingPreview>();
  /** Until nothing waits. */
  #running: Promise<void> | undefined;

  constructor(thread: PreviewThread) {
    this.#thread = thread;
  }

  preview(request: AnalysisPreviewRequest, scopeId: string): Promise<AnalysisPreview> {
    const ofScope = [...this.#waiting].filter((one) => one.scopeId === scopeId).length;
    if (this.#waiting.size >= waitingMax || ofScope >= waitingPerScopeMax) {
      return Promise.reject(analyzerErrors.create("WHENCE_ERR_PREVIEW_UNAVAILABLE"));
    }
    const { promise, resolve } = Promise.withResolvers<AnalysisPreview>();
    this.#waiting.add({ scopeId, request, resolve });
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return promise;
  }

  async close(): Promise<void> {
    await this.#running;
    await this.#thread.end();
  }

  async #run(): Promise<void> {
    for (;;) {
      const [next] = this.#order.take([...this.#waiting], 1);
      if (!next) return;
      const reading = this.#thread.read(next.request);
      next.resolve(reading);
      await reading.catch(() => undefined);
      this.#waiting.delete(next);
    }
  }
}
