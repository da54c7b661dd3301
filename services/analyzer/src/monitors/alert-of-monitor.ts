import { hourMs, monitoredEnv } from "@whence/protocol";
import type { EventStore, MonitorAlert, StoredMonitor } from "@whence/storage";
import { type AnnouncedAlert, textFrom, titleFrom } from "@whence/vendors";
import { learnAddresses } from "../collectors/addresses.ts";
import type { Logger } from "../logger.ts";
import { labelOf, statementOf } from "./kinds.ts";

/** How far back the telemetry is read for the service that answers at a host. */
const addressesFromMs = hourMs;
const addressesMax = 500;
const servicesMax = 500;

/** What describing an alert takes. */
export interface AlertingContext {
  readonly events: Pick<EventStore, "forScope">;
  readonly clock: () => number;
  readonly logger: Pick<Logger, "warn">;
}

/** Returns what a monitor that alerts announces. */
export async function alertOfMonitor(
  monitor: StoredMonitor,
  alert: MonitorAlert,
  context: AlertingContext,
): Promise<AnnouncedAlert> {
  const { name, severity, check, progress } = monitor;
  const statement = statementOf(monitor, alert.reason);
  const service = monitor.service ?? (await serviceBehind(monitor, context));
  // What it read, so that the failure of another environment isn't taken for its own.
  const env = monitor.env ?? (service === null ? null : monitoredEnv);
  const at = progress.failingSince ?? alert.since;
  return {
    key: alert.since,
    state: "firing",
    severity,
    service,
    env,
    at,
    title: titleFrom(`${name}: ${statement}`),
    text: textFrom(
      `[Whence] ${titleFrom(name)}`,
      `- summary = ${statement}`,
      `- monitor = ${labelOf(check)}`,
      service === null ? null : `- service = ${service}`,
      env === null ? null : `- env = ${env}`,
      check.kind === "uptime" ? `- url = ${check.url}` : null,
      progress.failedChecks > 1 ? `- failed checks in a row = ${progress.failedChecks}` : null,
      `- started = ${at}`,
    ),
    url: check.kind === "uptime" ? check.url : null,
  };
}

/** Returns the service that answers at the URL of an uptime check; null when that isn't known, or can't be read now. */
async function serviceBehind(monitor: StoredMonitor, context: AlertingContext): Promise<string | null> {
  if (monitor.check.kind !== "uptime") return null;
  try {
    return await serviceAt(new URL(monitor.check.url).host, monitor, context);
  } catch (error) {
    // An incident that names no service is better than none.
    context.logger.warn({ err: error, monitor: monitor.id }, "could not read which service answers at a monitor's URL");
    return null;
  }
}

async function serviceAt(
  host: string,
  { env, scopeId }: StoredMonitor,
  { events, clock }: AlertingContext,
): Promise<string | null> {
  const now = clock();
  const [from, to] = [new Date(now - addressesFromMs).toISOString(), new Date(now).toISOString()];
  const scoped = events.forScope(scopeId);
  const [seen, services] = await Promise.all([
    scoped.circumstances({ env: env ?? monitoredEnv, from, to, limit: addressesMax }),
    scoped.services({ since: from, aliveSince: from, limit: servicesMax }),
  ]);
  return learnAddresses(seen, new Set(services.map(({ service }) => service))).serviceAt(host);
}
