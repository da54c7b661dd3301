import { minuteMs } from "@whence/protocol";
import type { EventStore, PredictionStore, TakenPrediction } from "@whence/storage";
import type { Logger } from "../logger.ts";
import type { AnalyzerMetrics } from "../metrics.ts";
import { type Rounds, startRounds } from "../rounds.ts";
import { checkPrediction } from "./check-prediction.ts";
import { nextLookAt, settledFrom } from "./schedule.ts";

/** How often predictions are checked. */
export const watchIntervalMs = minuteMs;
/**
 * How many of one organization's predictions all analyzers together check in a minute. If there are more, its oldest wait,
 * and other organizations don't. Each check is a few queries.
 */
const looksPerScopeMax = 20;
const looksPerRoundMax = 100;
/** A check that hasn't finished by then was lost with its process. */
const holdMs = 300_000;

export interface PredictionWatchOptions {
  readonly control: PredictionStore;
  readonly events: Pick<EventStore, "forScope">;
  readonly clock: () => number;
  readonly logger: Logger;
  readonly metrics: Pick<AnalyzerMetrics, "predictions">;
}

/**
 * Checks what reports have predicted, at once and then every minute, and stores the outcome. Any number of processes may do
 * so: each check belongs to one, and an outcome is stored once. A check that fails is repeated when its hold ends.
 */
export function startPredictionWatch(options: PredictionWatchOptions): Rounds {
  const { control, clock, logger } = options;
  const bounds = { perScopeMax: looksPerScopeMax, max: looksPerRoundMax, holdMs };
  return startRounds({
    intervalMs: watchIntervalMs,
    logger,
    failure: "could not check predictions; will retry",
    async round(isStopped) {
      for (const taken of await control.predictions.take(new Date(clock()), bounds)) {
        if (isStopped()) return;
        await look(options, taken);
      }
    },
  });
}

async function look(
  { control, events, clock, metrics }: PredictionWatchOptions,
  taken: TakenPrediction,
): Promise<void> {
  const { predictions } = control;
  const now = clock();
  const settled = await settledFrom(taken, now, (seenUntil) =>
    checkPrediction(taken.watch, { ...seenUntil, events: events.forScope(taken.scopeId) }),
  );
  if (settled === null) {
    await predictions.postpone(taken, nextLookAt(taken, now));
  } else if (await predictions.settle(taken, settled)) {
    metrics.predictions.inc({ outcome: settled.state });
  }
}
