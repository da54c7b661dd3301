import type { Category, FailureWatch } from "@whence/protocol";
import type { Findings } from "../../findings/findings.ts";
import type { Candidate } from "../../rank/candidate.ts";
import { predictedBy } from "../../signals/fact.ts";

export type Kind = FailureWatch["kind"];

const release: readonly Kind[] = ["only-in-release", "stops-with-release"];
const upstream: readonly Kind[] = ["only-with-failed-call", "stops-with-recovery"];
const memory: readonly Kind[] = ["memory-climbs", "restart-clears"];
const setting: readonly Kind[] = ["restart-keeps"];
const input: readonly Kind[] = ["only-on-route"];
const code: readonly Kind[] = [];

/** What each category of cause predicts in telemetry, besides that the failure continues. */
const kindsOfCategory: Readonly<Record<Category, readonly Kind[]>> = {
  "deploy-regression": release,
  "breaking-upgrade": release,
  "dependency-outage": upstream,
  "network-unreachable": upstream,
  "upstream-bad-response": upstream,
  timeout: upstream,
  "schema-drift": input,
  "bad-config": setting,
  "module-resolution": setting,
  auth: setting,
  permission: setting,
  filesystem: ["only-on-host"],
  "resource-exhaustion": memory,
  "data-validation": input,
  boundary: input,
  "parse-error": input,
  encoding: input,
  "null-dereference": code,
  "type-mismatch": code,
  "missing-await": code,
  "unhandled-rejection": code,
  concurrency: code,
  "infinite-loop": code,
  unknown: code,
};

/**
 * What nearly any cause predicts: a failure that isn't fixed occurs again, also in new processes, and the same place in
 * the code mostly serves the same route.
 */
const common: readonly Kind[] = ["failure-continues", "only-on-route", "restart-keeps"];
/** Except for causes that a restart clears. */
const clearedByRestart: readonly Category[] = ["resource-exhaustion"];

/** Returns what a candidate predicts, by its category and the telemetry that supports it, the most telling first. */
export function kindsOf(candidate: Candidate, findings: Findings): readonly Kind[] {
  const byEvidence = candidate.observations.flatMap(({ fact }) => predictedBy(fact));
  const isUpstream = isElsewhere(candidate, findings) || isReached(candidate);
  const byCategory = isUpstream ? upstream : kindsOfCategory[candidate.category];
  return [...new Set<Kind>([...byEvidence, ...byCategory, "failure-continues"])];
}

/** Returns whether another candidate predicts the same, so that seeing it doesn't distinguish the two. */
export function isExpectedOf(candidate: Candidate, kind: Kind, findings: Findings): boolean {
  if (kindsOf(candidate, findings).includes(kind)) return true;
  return common.includes(kind) && !(kind === "restart-keeps" && clearedByRestart.includes(candidate.category));
}

/**
 * Returns whether the cause is in a service other than the one that failed, which makes it an upstream, whatever failed
 * in it.
 */
export function isElsewhere({ service }: Candidate, { event }: Findings): boolean {
  return typeof service === "string" && service !== event?.service;
}

/** Returns whether it was called, rather than only rejecting the credentials of a setting. */
function isReached({ subject, category }: Candidate): boolean {
  return subject.kind === "dependency" && category !== "auth";
}
