import { minuteMs, secondMs } from "@whence/protocol";
import type { StoredMonitor } from "@whence/storage";
import type { Logger } from "../logger.ts";
import { type Rounds, startRounds } from "../rounds.ts";
import { checkMonitor } from "./kinds.ts";
import type { CheckContext } from "./monitor-kind.ts";
import { type SettlingContext, settleCheck } from "./settle-check.ts";

/** How often to look for due checks. */
const watchIntervalMs = 5 * secondMs;
/** Checks that one process makes at a time. */
const checksAtOnce = 20;
/** A check that hasn't finished by then was lost with its process. Longer than the longest check. */
const holdMs = 2 * minuteMs;

export interface MonitorWatchOptions extends SettlingContext, Omit<CheckContext, "control" | "events"> {
  readonly control: SettlingContext["control"] & CheckContext["control"];
  readonly logger: Logger;
}

/**
 * Makes the checks of monitors that are due, at once and then every 5 seconds. Any number of processes may do so: each check
 * belongs to one. After a time in which none ran, each monitor is checked once.
 */
export function startMonitorWatch(options: MonitorWatchOptions): Rounds {
  const { control, clock, logger } = options;
  return startRounds({
    intervalMs: watchIntervalMs,
    logger,
    failure: "could not check monitors; will retry",
    async round(isStopped) {
      const running = new Set<Promise<void>>();
      const failures: unknown[] = [];
      const start = (monitor: StoredMonitor): void => {
        const check = checkMonitor(monitor, options)
          .then((checked) => settleCheck(options, monitor, checked))
          .then(undefined, (failure: unknown) => failures.push(failure))
          .then(() => void running.delete(check));
        running.add(check);
      };
      try {
        while (!isStopped()) {
          const room = { holdMs, max: checksAtOnce - running.size };
          for (const monitor of await control.monitors.take(new Date(clock()), room)) start(monitor);
          if (running.size === 0) break;
          // The place of a check is free as soon as it ends, however long the others take.
          await Promise.race(running);
        }
      } finally {
        await Promise.all(running);
      }
      if (failures.length > 0) throw failures[0];
    },
  });
}
