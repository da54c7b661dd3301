import type { Logger } from "./logger.ts";

export interface RoundsOptions {
  readonly intervalMs: number;
  /** Does one round of work; ends early when `isStopped` returns true. */
  readonly round: (isStopped: () => boolean) => Promise<void>;
  readonly logger: Logger;
  /** The log message for a round that failed. */
  readonly failure: string;
}

/** Work that is repeated. */
export interface Rounds {
  /** Resolves when no round is running. */
  stop(): Promise<void>;
}

/**
 * Runs a round at once and then every `intervalMs`, never two at a time. After a round fails, the next one tries again.
 */
export function startRounds({ intervalMs, round, logger, failure }: RoundsOptions): Rounds {
  let stopped = false;
  let running: Promise<void> | undefined;

  function start(): void {
    running ??= round(() => stopped)
      .catch((error: unknown) => logger.error({ err: error }, failure))
      .finally(() => {
        running = undefined;
      });
  }

  start();
  const timer = setInterval(start, intervalMs).unref();
  return {
    async stop() {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
