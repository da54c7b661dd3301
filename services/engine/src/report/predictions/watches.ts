import type { FailureWatch } from "@whence/protocol";
import type { Findings } from "../../findings/findings.ts";
import type { Candidate } from "../../rank/candidate.ts";
import type { Fact } from "../../signals/fact.ts";
import { type Kind, kindsOf } from "./kinds.ts";
import { messageUnitsRead, workedBefore } from "./worked-before.ts";

/** Returns what a candidate predicts that telemetry can show; empty for a failure that isn't in telemetry. */
export function watchesOf(candidate: Candidate, findings: Findings, from: string): FailureWatch[] {
  return kindsOf(candidate, findings).flatMap((kind) => watchOf(kind, candidate, findings, from) ?? []);
}

/** Null when what the kind is about is unknown. */
function watchOf(kind: Kind, candidate: Candidate, findings: Findings, from: string): FailureWatch | null {
  const { event, incident } = findings;
  if (!event || incident.fingerprint === null) return null;
  const failure = { fingerprint: incident.fingerprint, service: event.service, env: event.env, from };
  switch (kind) {
    case "failure-continues":
      return { kind, ...failure, release: event.release };
    case "restart-keeps":
      return workedBefore(candidate, findings) ? null : { kind, ...failure, release: event.release };
    case "only-in-release":
    case "stops-with-release": {
      const release = suspectRelease(candidate) ?? event.release;
      return release === "" ? null : { kind, ...failure, release };
    }
    case "only-with-failed-call":
    case "stops-with-recovery": {
      const upstream = upstreamOf(candidate, findings);
      return upstream === null ? null : { kind, ...failure, upstream };
    }
    case "only-on-route":
      return event.request?.route ? { kind, ...failure, route: event.request.route } : null;
    case "only-on-host":
      return { kind, ...failure, host: hostOf(candidate) ?? event.host };
    case "restart-clears":
      return { kind, ...failure, instance: event.instance };
    case "memory-climbs":
      return speaksOfMemory(candidate, findings) ? { kind, ...failure } : null;
  }
}

function factsOf(candidate: Candidate): Fact[] {
  return candidate.observations.map(({ fact }) => fact);
}

function suspectRelease(candidate: Candidate): string | null {
  for (const fact of factsOf(candidate)) {
    if (fact.kind === "deploy" && fact.deploy.own && fact.deploy.verdict === "suspect") return fact.deploy.release;
  }
  return null;
}

/**
 * Returns the host whose calls failed before most events, or else the last one before this event. Slow calls aren't
 * failures to watch for.
 */
function upstreamOf(candidate: Candidate, findings: Findings): string | null {
  for (const fact of factsOf(candidate)) {
    if (fact.kind === "failing-calls" && fact.calls.how !== "slow") return fact.calls.host;
  }
  return findings.event?.calls.findLast(({ trouble, isRelated }) => trouble !== null && isRelated)?.host ?? null;
}

function hostOf(candidate: Candidate): string | null {
  for (const fact of factsOf(candidate)) {
    if (fact.kind === "concentration" && fact.concentration.dimension === "host") return fact.concentration.value;
  }
  return null;
}

/** Resources run out in many ways; memory is the one that shows in heartbeats. */
function speaksOfMemory(candidate: Candidate, { error, signatures }: Findings): boolean {
  if (factsOf(candidate).some((fact) => fact.kind === "process-state" && fact.state.resource === "memory")) return true;
  const said = [
    error.headline,
    ...error.exceptions.map(({ message }) => message),
    ...signatures.map(({ matched }) => matched),
  ];
  return said.some((text) => /\b(?:heap|memory)\b/i.test(text.slice(0, messageUnitsRead)));
}
