import type { Hit, Observed, WatchedRun } from "@whence/protocol";
import type { Findings } from "../findings/findings.ts";

/** The failure as it occurred again while it was watched. */
export interface WatchedFailure {
  readonly run: WatchedRun;
  /** Where it was thrown, the innermost call first. */
  readonly thrown: readonly [Hit, ...Hit[]];
  /** The stops before it in the same thread, in the order of their time. */
  readonly before: readonly Hit[];
}

/** A printed message may be cut, or have more around it. */
const comparedUnits = 100;

/** Returns the failure in the last run in which it was seen; null when it was seen in none. */
export function watchedFailureOf({ runs }: Observed, { error }: Pick<Findings, "error">): WatchedFailure | null {
  const messages = error.chain.flatMap((index) => error.exceptions[index]?.message.split("\n", 1) ?? []);
  for (const run of runs.toReversed()) {
    const throws = run.hits.filter(({ kind, error: said = "" }) => kind === "threw" && isOf(said, messages));
    // What is thrown again on the way out has fewer calls below it: the first throw of an error is its origin.
    const first = throws.findLast((hit, index) => throws[index - 1]?.at_ms !== hit.at_ms);
    if (!first) continue;
    const start = throws.indexOf(first);
    const thrown = throws.slice(start).filter(({ at_ms: at, thread }) => at === first.at_ms && thread === first.thread);
    const before = run.hits.filter(
      ({ kind, thread, at_ms: at }) => kind !== "threw" && thread === first.thread && at <= first.at_ms,
    );
    return { run, thrown: [first, ...thrown.filter((hit) => hit !== first)], before };
  }
  return null;
}

function isOf(said: string, messages: readonly string[]): boolean {
  return messages.some((message) => message !== "" && said.includes(message.trim().slice(0, comparedUnits)));
}
