import {
  type AnnouncedFailure,
  type CollectedFor,
  type InvestigationSubject,
  type ParsedError,
  placesNamed,
} from "@whence/engine";
import type { ProcessExit, TelemetryEvent } from "@whence/protocol";
import type { FailureQuestion } from "@whence/vendors";
import { readAnnounced } from "../triggers/read-announced.ts";
import { integrationLimits } from "./integration-limits.ts";

/** The input and title of an incident, from which the question is made. */
export interface AskedAbout {
  readonly input: InvestigationSubject["input"];
  readonly title: string;
}

/** Builds the question from what is known when the integration is queried; null when there is nothing to ask. */
export type QuestionOf = (findings: CollectedFor) => FailureQuestion | null;

/**
 * The question about an incident. Null for a pasted text, and for an alert without a known service: nothing outside is
 * queried for those.
 */
export function questionAbout({ input, title }: AskedAbout): QuestionOf | null {
  switch (input.kind) {
    case "event":
      return (findings) => ofEvent(findings, input.event);
    case "process-exit":
      return (findings) => ofExit(findings, input.exit);
    case "text": {
      const { about, errorLog } = input;
      if (!about || about.service === null) return null;
      const question = ofAnnounced({ ...about, service: about.service }, readAnnounced(errorLog), title);
      return () => question;
    }
  }
}

/** The question about an alert, with the places that its text names, and its errors or else its title. */
function ofAnnounced(
  { service, env, release, at }: AnnouncedFailure & { readonly service: string },
  error: ParsedError,
  title: string,
): FailureQuestion {
  const { machines, hosts } = placesNamed(error);
  const errors = error.chain.flatMap((index) => error.exceptions[index] ?? []);
  return {
    service,
    env: env ?? "",
    release: release ?? "",
    host: machines[0] ?? "",
    route: null,
    calledHosts: hosts,
    errors: errors.length > 0 ? errors.map(withoutStack) : [{ type: "Error", message: title }],
    at,
    ...spanAround(Date.parse(at)),
  };
}

function withoutStack({ type, message }: FailureQuestion["errors"][number]): FailureQuestion["errors"][number] {
  return { type, message };
}

/** The question about the process that stopped first, up to the time its exit was noticed. */
function ofExit({ incident }: CollectedFor, { processes, noticedAt }: ProcessExit): FailureQuestion | null {
  const [first] = processes;
  if (!first) return null;
  const { service, release, host, lastSeenAt } = first;
  return {
    service,
    env: incident.env ?? "",
    release,
    host,
    route: null,
    calledHosts: [],
    errors: [{ type: "Error", message: "" }],
    at: lastSeenAt,
    from: new Date(Date.parse(lastSeenAt) - integrationLimits.beforeMs).toISOString(),
    to: new Date(Math.max(Date.parse(noticedAt), Date.parse(lastSeenAt) + integrationLimits.afterMs)).toISOString(),
  };
}

/** The question about an event; null when the event couldn't be read. */
function ofEvent({ event }: CollectedFor, { exceptions, message }: TelemetryEvent): FailureQuestion | null {
  if (!event) return null;
  const calls = event.calls.filter(({ isRelated }) => isRelated);
  const troubled = calls.filter(({ trouble }) => trouble !== null);
  const errors = exceptions?.map(withoutStack) ?? [];
  return {
    service: event.service,
    env: event.env,
    release: event.release,
    host: event.host,
    route: event.request?.route ?? null,
    errors: errors.length > 0 ? errors : [{ type: "Error", message: message ?? "" }],
    calledHosts: [...new Set([...troubled, ...calls].map(({ host }) => host))],
    at: event.at,
    ...spanAround(Date.parse(event.at)),
  };
}

function spanAround(at: number): Pick<FailureQuestion, "from" | "to"> {
  return {
    from: new Date(at - integrationLimits.beforeMs).toISOString(),
    to: new Date(at + integrationLimits.afterMs).toISOString(),
  };
}
