import type { Watch } from "@whence/protocol";
import { exitsAgain } from "./checks/exits-again.ts";
import { failureContinues } from "./checks/failure-continues.ts";
import { heartbeatAgain } from "./checks/heard-again.ts";
import { memoryClimbs } from "./checks/memory-climbs.ts";
import { memoryClimbsAgain } from "./checks/memory-climbs-again.ts";
import { onlyInRelease } from "./checks/only-in-release.ts";
import { onlyOnHost } from "./checks/only-on-host.ts";
import { onlyOnRoute } from "./checks/only-on-route.ts";
import { onlyWithFailedCall } from "./checks/only-with-failed-call.ts";
import { restartClears } from "./checks/restart-clears.ts";
import { restartKeeps } from "./checks/restart-keeps.ts";
import { staysDown } from "./checks/stays-down.ts";
import { stopsWithRecovery } from "./checks/stops-with-recovery.ts";
import { stopsWithRelease } from "./checks/stops-with-release.ts";
import type { Check, Look, Seen } from "./look.ts";

const checks: { readonly [Kind in Watch["kind"]]: Check<Kind> } = {
  "failure-continues": failureContinues,
  "only-in-release": onlyInRelease,
  "stops-with-release": stopsWithRelease,
  "only-with-failed-call": onlyWithFailedCall,
  "stops-with-recovery": stopsWithRecovery,
  "only-on-route": onlyOnRoute,
  "only-on-host": onlyOnHost,
  "restart-keeps": restartKeeps,
  "restart-clears": restartClears,
  "memory-climbs": memoryClimbs,
  "stays-down": staysDown,
  "heard-again": heartbeatAgain,
  "exits-again": exitsAgain,
  "memory-climbs-again": memoryClimbsAgain,
};

/** Checks a prediction against telemetry. Rejects when telemetry is unavailable. */
export function checkPrediction<Kind extends Watch["kind"]>(
  watch: Extract<Watch, { readonly kind: Kind }>,
  look: Look,
): Promise<Seen> {
  const check: Check<Kind> = checks[watch.kind as Kind];
  return check(watch, look);
}
