import type { Impact } from "@whence/protocol";
import type { Findings } from "../findings.ts";
import { capital } from "../prose.ts";

/** Whom it hurts, as far as the telemetry tells. */
export function impactOf(findings: Findings): Impact {
  const fact = findings.observations.map(({ fact: one }) => one).find((one) => one?.kind === "totals");
  if (fact?.kind === "totals")
    return { ...fact.impact, summary: [summaryOf(fact.impact), ...trends(findings)].join(" ") };
  const { event, incident } = findings;
  const at = event?.at ?? null;
  return {
    summary: event
      ? "This is the first event of the failure that is known."
      : "Unknown: the text says nothing about how often it happens, or to whom.",
    first_seen: at,
    last_seen: at,
    events: event ? 1 : 0,
    services: event ? [event.service] : incident.service === null ? [] : [incident.service],
    routes: event?.request?.route ? [event.request.route] : [],
    hosts: event ? [event.host] : [],
    releases: event && event.release !== "" ? [event.release] : [],
  };
}

/** How it goes on, and where it is more often than elsewhere. */
function trends({ observations }: Findings): string[] {
  return observations.flatMap(({ fact, summary }) => {
    const tells = fact?.kind === "concentration" || (fact?.kind === "rate" && fact.rate.shape !== "first");
    return tells ? [`${capital(summary)}.`] : [];
  });
}

function summaryOf({ events, services, routes, hosts, first_seen: since }: Omit<Impact, "summary">): string {
  const parts = [
    `${events} ${events === 1 ? "event" : "events"}`,
    ...(since === null ? [] : [`since ${since}`]),
    ...(services.length > 0 ? [`in ${services.join(", ")}`] : []),
    ...(routes.length > 0 ? [`on ${routes.join(", ")}`] : []),
    ...(hosts.length > 1 ? [`on ${hosts.length} hosts`] : []),
  ];
  return `${parts.join(" ")}.`;
}
