import type { Observation } from "../findings.ts";
import type { CollectedFor, Collector } from "./collector.ts";

const deadlineMs = 2_000;

export interface Collected {
  readonly observations: readonly Observation[];
  /** One line for each collector that failed or was too slow. */
  readonly notChecked: readonly string[];
}

/**
 * Asks every collector at once, each with its own deadline. What one of them does harms no other; an abort of `signal`
 * ends the wait and is thrown.
 */
export async function collect(
  collectors: readonly Collector[],
  findings: CollectedFor,
  signal: AbortSignal,
): Promise<Collected> {
  const answers = await Promise.all(collectors.map((collector) => ask(collector, findings, signal)));
  signal.throwIfAborted();
  return {
    observations: answers.flatMap((answer) => (typeof answer === "string" ? [] : answer)),
    notChecked: answers.filter((answer) => typeof answer === "string"),
  };
}

async function ask(
  collector: Collector,
  findings: CollectedFor,
  stopped: AbortSignal,
): Promise<readonly Observation[] | string> {
  const limit = collector.deadlineMs ?? deadlineMs;
  const deadline = AbortSignal.timeout(limit);
  const signal = AbortSignal.any([deadline, stopped]);
  try {
    return await Promise.race([collector.collect(findings, signal), rejectWhenAborted(signal)]);
  } catch (error) {
    if (deadline.aborted) return `${collector.name}: no answer within ${limit} ms`;
    return `${collector.name}: failed (${error instanceof Error ? error.message : String(error)})`;
  }
}

/** For a collector that does not heed its signal. */
function rejectWhenAborted(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  if (signal.aborted) reject(signal.reason);
  signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  return promise;
}
