import type { ControlDb, EventStore, TakenPrediction } from "@whence/storage";
import type { Logger } from "../logger.ts";
import type { AnalyzerMetrics } from "../metrics.ts";
import { checkPrediction } from "./check-prediction.ts";
import { nextLookAt, settledFrom } from "./schedule.ts";

/** How often somebody looks at predictions. */
export const watchIntervalMs = 60_000;
/**
 * Of one organization in a minute, by all analyzers together: the oldest wait, nobody else does. Each look is a few
 * questions to the event store.
 */
const looksPerScopeMax = 20;
const looksPerRoundMax = 100;
/** A look that is not done by then was lost with its process. */
const holdMs = 300_000;

export interface PredictionWatch {
  /** Resolves when nothing is under way; predictions in hand come again to whoever is left. */
  stop(): Promise<void>;
}

export interface PredictionWatchOptions {
  readonly control: Pick<ControlDb, "predictions">;
  readonly events: Pick<EventStore, "forScope">;
  readonly clock: () => number;
  readonly logger: Logger;
  readonly metrics: Pick<AnalyzerMetrics, "predictions">;
}

/**
 * Looks at what reports have predicted, at once and then every minute, and writes down what became of it. Any number of
 * processes may do so: each look belongs to one, and an outcome is written once. A look that fails is done again when
 * its hold ends.
 */
export function startPredictionWatch(options: PredictionWatchOptions): PredictionWatch {
  const { control, clock, logger } = options;
  let stopped = false;
  let running: Promise<void> | undefined;

  async function round(): Promise<void> {
    const bounds = { perScopeMax: looksPerScopeMax, max: looksPerRoundMax, holdMs };
    try {
      for (const taken of await control.predictions.take(new Date(clock()), bounds)) {
        if (stopped) return;
        await look(options, taken);
      }
    } catch (error) {
      logger.error({ err: error }, "predictions could not be looked at; they are looked at again");
    }
  }

  function start(): void {
    running ??= round().finally(() => {
      running = undefined;
    });
  }

  start();
  const looking = setInterval(start, watchIntervalMs).unref();
  return {
    async stop() {
      stopped = true;
      clearInterval(looking);
      await running;
    },
  };
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
