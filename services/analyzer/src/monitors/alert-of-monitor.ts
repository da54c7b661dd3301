import { hourMs, monitoredEnv } from "@whence/protocol";
import type { EventStore, MonitorAlert, StoredMonitor } from "@whence/storage";
import { type AnnouncedAlert, textFrom, titleFrom } from "@whence/vendors";
import { learnAddresses } from "../collectors/addresses.ts";
import { labelOf, statementOf } from "./kinds.ts";

/** How far back the telemetry is read for the service that answers at a host. */
const addressesFromMs = hourMs;
const addressesMax = 500;
const servicesMax = 500;

/** Returns what a monitor that alerts announces. */
export async function alertOfMonitor(
  monitor: StoredMonitor,
  alert: MonitorAlert,
  { events, clock }: { readonly events: Pick<EventStore, "forScope">; readonly clock: () => number },
): Promise<AnnouncedAlert> {
  const { name, severity, env, check, progress } = monitor;
  const statement = statementOf(monitor, progress.lastResult?.reason ?? "");
  const service = monitor.service ?? (await serviceBehind(monitor, { events, clock }));
  const at = progress.failingSince ?? alert.since;
  return {
    ...{ key: alert.since, state: "firing", severity, service, env, at },
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

/** Returns the service that answers at the URL of an uptime check; null when that isn't known. */
async function serviceBehind(
  { check, env, scopeId }: StoredMonitor,
  { events, clock }: { readonly events: Pick<EventStore, "forScope">; readonly clock: () => number },
): Promise<string | null> {
  if (check.kind !== "uptime") return null;
  const [from, to] = [clock() - addressesFromMs, clock()].map((time) => new Date(time).toISOString());
  if (from === undefined || to === undefined) return null;
  const scoped = events.forScope(scopeId);
  const [seen, services] = await Promise.all([
    scoped.circumstances({ env: env ?? monitoredEnv, from, to, limit: addressesMax }),
    scoped.services({ since: from, aliveSince: from, limit: servicesMax }),
  ]);
  return learnAddresses(seen, new Set(services.map(({ service }) => service))).serviceAt(new URL(check.url).host);
}
