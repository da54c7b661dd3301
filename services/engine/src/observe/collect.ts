import type { Observation } from "../findings.ts";
import type { Gap } from "../gaps.ts";
import type { CollectedFor, Collector } from "./collector.ts";

/** Of a collector that doesn't say how long it may take. */
const collectorDeadlineMs = 2_000;

export interface Collected {
  readonly observations: readonly Observation[];
  /** The collectors that failed or were too slow. */
  readonly notChecked: readonly Gap[];
}

/** The result for a pasted text, which belongs to no telemetry. */
export const nothingCollected: Collected = { observations: [], notChecked: [] };

/**
 * Asks every collector at once, each with its own deadline and none for longer than `withinMs`. What one of them does harms
 * no other; an abort of `signal` ends the wait and is thrown.
 */
export async function collect(
  collectors: readonly Collector[],
  findings: CollectedFor,
  signal: AbortSignal,
  withinMs: number = Number.POSITIVE_INFINITY,
): Promise<Collected> {
  const answers = await Promise.all(collectors.map((collector) => ask(collector, findings, signal, withinMs)));
  signal.throwIfAborted();
  return {
    observations: answers.flatMap((answer) => ("kind" in answer ? [] : answer)),
    notChecked: answers.filter((answer) => "kind" in answer),
  };
}

async function ask(
  collector: Collector,
  findings: CollectedFor,
  stopped: AbortSignal,
  withinMs: number,
): Promise<readonly Observation[] | Gap> {
  const limit = Math.min(collector.deadlineMs ?? collectorDeadlineMs, withinMs);
  const deadline = AbortSignal.timeout(limit);
  const signal = AbortSignal.any([deadline, stopped]);
  try {
    return await Promise.race([collector.collect(findings, signal), rejectWhenAborted(signal)]);
  } catch (error) {
    if (deadline.aborted) return { kind: "collector-too-slow", collector: collector.name, afterMs: limit };
    return {
      kind: "collector-failed",
      collector: collector.name,
      error: error instanceof Error ? error.message : String(error),
    };
  }
}

/** For a collector that does not heed its signal. */
function rejectWhenAborted(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  if (signal.aborted) reject(signal.reason);
  signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  return promise;
}
