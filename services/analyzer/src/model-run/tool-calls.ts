import { modelRunLimits } from "./limits.ts";

/** What a tool answers without having looked. */
export const refusals = {
  calls: "No more calls. Propose.",
  kind: "No more calls of this tool. Use other tools, or propose.",
  failed: "It failed. Use other tools, or propose.",
  invalid: "There is no such tool, or its input isn't valid.",
} as const;

/** The most calls of tools that cost more than others. */
const ofTool: ReadonlyMap<string, number> = new Map([
  ["test_hypothesis", modelRunLimits.tests],
  ["query_telemetry", modelRunLimits.queries],
]);

/** The tool calls of one run, which are bounded: a model may ask for any number in one step. */
export class ToolCalls {
  #calls = 0;
  #unanswered = 0;
  readonly #ofTool = new Map<string, number>();

  /** Counts a call. Returns why it isn't made; null when it is. */
  refused(name: string): string | null {
    this.#calls += 1;
    if (this.#calls > modelRunLimits.toolCalls) return refusals.calls;
    const calls = (this.#ofTool.get(name) ?? 0) + 1;
    this.#ofTool.set(name, calls);
    return calls > (ofTool.get(name) ?? modelRunLimits.toolCalls) ? refusals.kind : null;
  }

  /** Counts a call without an answer. Returns whether it becomes a step. */
  isRefusalKept(): boolean {
    this.#unanswered += 1;
    return this.#unanswered <= modelRunLimits.refusedSteps;
  }
}
