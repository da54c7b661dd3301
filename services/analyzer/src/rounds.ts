import type { Logger } from "./logger.ts";

export interface RoundsOptions {
  readonly intervalMs: number;
  /** One round of work; it ends early when `isStopped` says so. */
  readonly round: (isStopped: () => boolean) => Promise<void>;
  readonly logger: Logger;
  /** What is logged of a round that failed. */
  readonly failure: string;
}

/** Work that is done again and again. */
export interface Rounds {
  /** Resolves when no round is running. */
  stop(): Promise<void>;
}

/** Works at once and then every `intervalMs`, never two rounds at a time. After a round that failed, the next one tries again. */
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
