import { modelRunLimits } from "./limits.ts";

/** What a tool answers without having looked. */
export const refusals = {
  calls: "No more calls. Propose.",
  tests: "No more tests. Use other tools, or propose.",
  failed: "It failed. Use other tools, or propose.",
} as const;

/** The tool calls of one run, which are bounded: a model may ask for any number in one step. */
export class ToolCalls {
  #calls = 0;
  #tests = 0;

  /** Counts a call. Returns why it isn't made; null when it is. */
  refused(name: string): string | null {
    this.#calls += 1;
    if (this.#calls > modelRunLimits.toolCalls) return refusals.calls;
    if (name !== "test_hypothesis") return null;
    this.#tests += 1;
    return this.#tests > modelRunLimits.tests ? refusals.tests : null;
  }
}
