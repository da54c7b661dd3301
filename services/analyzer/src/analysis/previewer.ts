import { constants } from "node:os";
import type { AnalysisPreview, AnalysisPreviewRequest } from "@whence/protocol";
import { isAgentScope } from "@whence/storage";
import { analyzerErrors } from "../errors.ts";
import { ThreadLane } from "../threads/thread-lane.ts";

/** Reads texts for {@link AnalysisPreview}s without blocking other requests. */
export interface Previewer {
  /**
   * Reads a text. Scopes take turns, and unclaimed agents have their own thread. Rejects with
   * `WHENCE_ERR_PREVIEW_UNAVAILABLE` when it takes too long, or too many texts wait.
   */
  preview(request: AnalysisPreviewRequest, scopeId: string): Promise<AnalysisPreview>;
  close(): Promise<void>;
}

export interface PreviewerOptions {
  readonly execArgv?: readonly string[];
  /** The limit of processor time per text; 10 s by default. */
  readonly processorMs?: number;
}

/** Several times what the largest text takes on a slow machine. */
const previewProcessorMs = 10_000;
/** The number of waiting texts, each with up to 1 MiB and its source maps. */
const waitingMax = 16;
export const waitingPerScopeMax = 4;

export function openPreviewer({ execArgv, processorMs = previewProcessorMs }: PreviewerOptions = {}): Previewer {
  const program = new URL("./preview-worker.ts", import.meta.url);
  const openLane = (priority: number): ThreadLane<AnalysisPreviewRequest, AnalysisPreview> =>
    new ThreadLane({ program, execArgv, processorMs, priority, waitingMax, waitingPerScopeMax });
  const lanes = {
    organizations: openLane(constants.priority.PRIORITY_BELOW_NORMAL),
    unclaimed: openLane(constants.priority.PRIORITY_LOW),
  };
  return {
    async preview(request, scopeId) {
      const lane = isAgentScope(scopeId) ? lanes.unclaimed : lanes.organizations;
      return lane.ask(scopeId, request).catch((cause: unknown) => {
        throw analyzerErrors.create("WHENCE_ERR_PREVIEW_UNAVAILABLE", [], { cause });
      });
    },
    async close() {
      await Promise.all([lanes.organizations.close(), lanes.unclaimed.close()]);
    },
  };
}
