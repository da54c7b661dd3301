import { minuteMs, secondMs } from "@whence/protocol";
import type { Logger } from "../logger.ts";
import { type Rounds, startRounds } from "../rounds.ts";
import { checkMonitor } from "./kinds.ts";
import type { CheckContext } from "./monitor-kind.ts";
import { type SettlingContext, settleCheck } from "./settle-check.ts";

/** How often due checks are looked for. */
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
    ...{ intervalMs: watchIntervalMs, logger, failure: "could not check monitors; will retry" },
    async round(isStopped) {
      while (!isStopped()) {
        const taken = await control.monitors.take(new Date(clock()), { holdMs, max: checksAtOnce });
        if (taken.length === 0) return;
        const done = await Promise.allSettled(
          taken.map(async (monitor) => settleCheck(options, monitor, await checkMonitor(monitor, options))),
        );
        for (const one of done) if (one.status === "rejected") throw one.reason;
      }
    },
  });
}
