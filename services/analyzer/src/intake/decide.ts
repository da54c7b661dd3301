import type { Failure, Severity } from "@whence/protocol";
import type { DecidedFailure, KnownFailure, NewIncident } from "@whence/storage";

/** The only environment whose failures open incidents (specification, Events, rule 1). */
const monitoredEnv = "PROD";

/** Whether a failure opens an incident, joins one, or is left alone, and why. Pure: the transaction may run it again. */
export function decideFailure(failure: Failure, known: KnownFailure | null, now: Date): DecidedFailure {
  const { title } = failure;
  if (failure.env !== monitoredEnv) {
    const reason = `its environment is ${failure.env}, and only ${monitoredEnv} is monitored`;
    return { title, decision: { outcome: "skipped", rule: "env-not-monitored", reason } };
  }
  if (known?.incidentId) {
    const reason = `the failure is known as incident ${known.incidentId}`;
    return { title, decision: { outcome: "joined", rule: "known-failure", reason } };
  }
  const decision = { outcome: "opened", rule: "new-failure", reason: "the failure was never seen before" } as const;
  return { title, decision, incident: incidentFromFailure(failure, decision, now) };
}

function incidentFromFailure(failure: Failure, decision: NewIncident["decision"], now: Date): NewIncident {
  return {
    title: failure.title,
    severity: severityOf(failure),
    trigger: {
      kind: "event",
      event_id: failure.event_id,
      mechanism: failure.mechanism,
      handled: failure.handled,
    },
    service: failure.service,
    env: failure.env,
    fingerprint: failure.fingerprint,
    decision,
    input: { kind: "event", eventId: failure.event_id },
    now,
  };
}

/** A dead process is worse than a failed request, which is worse than a line in a log. */
function severityOf(failure: Failure): Severity {
  if (!failure.handled) return "critical";
  if (failure.level === "critical") return "high";
  return failure.type === "exception" ? "medium" : "low";
}
