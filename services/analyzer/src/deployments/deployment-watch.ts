import { minuteMs } from "@whence/protocol";
import type { AlertSourceStore, EventStore, ReleaseStore, Scoped, TakenDeployment } from "@whence/storage";
import { type AlertSenders, alertSenders } from "@whence/vendors";
import { type AlertingScope, type OpeningContext, openForDeployment } from "../incidents/open-incident.ts";
import type { Logger } from "../logger.ts";
import { type Rounds, startRounds } from "../rounds.ts";
import { alertOfRise, reasonOfRise } from "./alert-of-rise.ts";
import { nextCheckAt } from "./check-times.ts";
import { failureRise } from "./failure-rise.ts";

/** How often due deployments are checked. */
const watchIntervalMs = minuteMs;
/** Each check is two queries. */
const checksPerRoundMax = 50;
/** A check that hasn't finished by then was lost with its process. */
const holdMs = 300_000;

export interface DeploymentWatchOptions
  extends OpeningContext<AlertSourceStore & ReleaseStore & Scoped<AlertingScope>> {
  readonly events: Pick<EventStore, "forScope">;
  readonly logger: Logger;
  /** Those that there are by default. */
  readonly senders?: AlertSenders;
}

/**
 * Looks at once and then every minute for deployments that are due for a check, and opens an incident when their
 * service fails more often since. Any number of processes may do so: each check belongs to one, and what a dead process
 * had taken is checked again.
 */
export function startDeploymentWatch(options: DeploymentWatchOptions): Rounds {
  const { control, clock, logger } = options;
  return startRounds({
    intervalMs: watchIntervalMs,
    logger,
    failure: "could not check deployments; will retry",
    async round(isStopped) {
      for (const taken of await control.deployments.take(new Date(clock()), { holdMs, max: checksPerRoundMax })) {
        if (isStopped()) return;
        await check(options, taken);
      }
    },
  });
}

async function check(options: DeploymentWatchOptions, taken: TakenDeployment): Promise<void> {
  const { control, events, clock } = options;
  const now = clock();
  const { scopeId, sourceId } = taken;
  const source = await control.alertSources.find(sourceId);
  const sender = source && (options.senders ?? alertSenders).find(source.kind);
  const rise = sender && (await failureRise(events.forScope(scopeId), taken, now));
  if (sender && rise) {
    const origin = { sender, sourceId, alert: alertOfRise(taken, rise), reason: reasonOfRise(taken, rise) };
    const made = { fingerprint: rise.fingerprint, liveAt: taken.liveAt };
    const isNew = await openForDeployment(options, scopeId, origin, made);
    if (isNew) await control.scope(scopeId).alertSources.note(sourceId, { alerts: 1 }, new Date(now));
  }
  const next = rise ? null : nextCheckAt(taken.liveAt, now);
  if (next === null) await control.deployments.end(taken);
  else await control.deployments.postpone(taken, next);
}
