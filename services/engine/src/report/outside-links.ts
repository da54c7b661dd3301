import type { OutsideFinding } from "@whence/protocol";
import type { Findings } from "../findings/findings.ts";
import type { Observation } from "../findings/observation.ts";
import { ofKind } from "../findings/of-kind.ts";
import { type FailureContext, failureContextOf } from "../outside/failure-context.ts";
import { causeOf, relate } from "../outside/relate.ts";
import type { Relation } from "../signals/outside/outside-view.ts";
import type { Link } from "./link.ts";

/**
 * Returns the strongest change and the strongest problem that third parties report for a candidate, the change first.
 */
export function outsideLinks(observations: readonly Observation[], findings: Findings): Link[] {
  const context = failureContextOf(findings);
  const links = observations.flatMap((observation) => linkOf(observation, context, findings) ?? []);
  const change = links.find(({ kind }) => kind === "change-event");
  const problem = links.find(({ kind }) => kind === "problem");
  return [change, problem].filter((link) => link !== undefined);
}

function linkOf(observation: Observation, context: FailureContext, findings: Findings): Link | null {
  const cause = causeOf(observation);
  const relation = cause && relate(cause, context);
  if (!cause || !relation) return null;
  const base = { location: null, service: serviceOf(relation, context), release: null, evidence: [observation] };
  if (cause.kind === "problem") {
    const isOwnExit = findings.exit !== undefined && relation.kind === "own-host" && cause.what === "out-of-memory";
    return { ...base, kind: "problem", at: cause.since, args: { problem: cause, isOwnExit } };
  }
  const firstSeen = new Date(context.firstAt).toISOString();
  const host = relation.kind === "called" ? relation.place.host : null;
  const isAnnounced = findings.about !== undefined;
  const isCompared = relation.kind === "own-service" && isDeployment(cause) && hasSuspectRelease(findings);
  return {
    ...base,
    kind: "change-event",
    at: cause.at,
    args: { change: cause, firstSeen, isAnnounced, isCompared, host },
  };
}

function serviceOf(relation: Relation, { service }: FailureContext): string | null {
  return relation.kind === "called" ? relation.place.service : service;
}

function isDeployment({ what }: Extract<OutsideFinding, { readonly kind: "change-event" }>): boolean {
  return what === "deployment" || what === "release" || what === "rollout";
}

/** Returns whether telemetry's own comparison makes a release of the service suspect. */
function hasSuspectRelease({ observations }: Findings): boolean {
  return ofKind(observations, "deploy").some(({ fact: { deploy } }) => deploy.own && deploy.verdict === "suspect");
}
