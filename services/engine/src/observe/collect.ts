import type { Observation } from "../findings/observation.ts";
import type { Gap } from "../signals/gap.ts";
import type { CollectedFor, Collector, Missed } from "./collector.ts";

/** The deadline of a collector that doesn't set its own. */
const collectorDeadlineMs = 2_000;

export interface Collected {
  readonly observations: readonly Observation[];
  /** The collectors that failed or were too slow. */
  readonly notChecked: readonly Gap[];
}

/** The result for a pasted text, which belongs to no telemetry. */
export const nothingCollected: Collected = { observations: [], notChecked: [] };

/**
 * Asks every collector at once, each with its own deadline and none for longer than `withinMs`. A failing collector
 * doesn't affect the others. Rejects when `signal` aborts.
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
    observations: answers.flatMap(({ observations }) => observations),
    notChecked: answers.flatMap(({ notChecked }) => notChecked),
  };
}

async function ask(
  collector: Collector,
  findings: CollectedFor,
  stopped: AbortSignal,
  withinMs: number,
): Promise<Collected> {
  const limit = Math.min(collector.deadlineMs ?? collectorDeadlineMs, withinMs);
  const deadline = AbortSignal.timeout(limit);
  const signal = AbortSignal.any([deadline, stopped]);
  const notChecked: Gap[] = [];
  const fail = (error: string, isPartial: boolean, name = collector.name): void => {
    notChecked.push({ kind: "collector-failed", collector: name, error, isPartial });
  };
  // A source other than the collector's own contributed nothing.
  const missed: Missed = (why, from) => fail(why, from === undefined, from);
  try {
    const collecting = collector.collect(findings, signal, missed);
    return { observations: await Promise.race([collecting, rejectWhenAborted(signal)]), notChecked };
  } catch (error) {
    if (deadline.aborted) notChecked.push({ kind: "collector-too-slow", collector: collector.name, afterMs: limit });
    else fail(error instanceof Error ? error.message : String(error), false);
    return { observations: [], notChecked };
  }
}

/** Covers collectors that ignore their signal. */
function rejectWhenAborted(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  if (signal.aborted) reject(signal.reason);
  signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  return promise;
}
