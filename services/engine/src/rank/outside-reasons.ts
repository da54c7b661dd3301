import type { Category } from "@whence/protocol";
import type { Observation } from "../findings/observation.ts";
import { ofKind } from "../findings/of-kind.ts";
import { isErrorLevel } from "../outside/error-level.ts";
import type { FailureContext } from "../outside/failure-context.ts";
import { causeOf, relate, timeliness } from "../outside/relate.ts";
import type { CalledPlace } from "../signals/facts/fact-kind.ts";
import type { OutsideView, OutsideWeights } from "../signals/outside/outside-view.ts";
import { weighFinding } from "../signals/outside-finding.ts";

/** A third party's finding as a reason to suspect the failing service, or something that it called. */
export interface OutsideReason {
  readonly place: "own" | CalledPlace;
  readonly weight: number;
  /** Null when it doesn't suggest a category. */
  readonly category: Category | null;
  readonly observation: Observation;
}

/** What is known when findings of third parties are weighed. */
export interface OutsideEvidence {
  readonly context: FailureContext;
  readonly observations: readonly Observation[];
  /** The category of the error's own words. */
  readonly said: Category;
}

/**
 * Returns the changes and problems that make something suspect, and the log lines of what was called; nothing else
 * counts.
 */
export function outsideReasons(evidence: OutsideEvidence, weights: OutsideWeights): OutsideReason[] {
  const view = viewOf(evidence, weights);
  return evidence.observations.flatMap((observation) => reasonOf(observation, evidence, view) ?? []);
}

/** States of a process that may have ended it. */
const stopping: ReadonlySet<string> = new Set(["memory", "exit", "restart"]);

/** Returns the part of the failure that the weight of a finding depends on. */
function viewOf({ context, observations, said }: OutsideEvidence, weights: OutsideWeights): OutsideView {
  const ownDeploys = ofKind(observations, "deploy").filter(({ fact: { deploy } }) => deploy.own);
  return {
    said,
    isAnnounced: context.isAnnounced,
    release: context.release,
    weights,
    hasStopped: ofKind(observations, "process-state").some(
      ({ fact: { state } }) => state.own && stopping.has(state.resource),
    ),
    ownReleases: ownDeploys.map(({ fact: { deploy } }) => ({
      release: deploy.release,
      at: deploy.at,
      isRuledOut: deploy.verdict === "ruled-out",
    })),
  };
}

function reasonOf(observation: Observation, evidence: OutsideEvidence, view: OutsideView): OutsideReason | null {
  const cause = causeOf(observation);
  if (!cause) return logReason(observation, evidence, view);
  const relation = relate(cause, evidence.context);
  if (!relation) return null;
  const { weight, category } = weighFinding(cause, relation, view);
  const timely = weight * timeliness(cause, evidence.context);
  if (timely < weightMin) return null;
  return { place: relation.kind === "called" ? relation.place : "own", weight: timely, category, observation };
}

/** A finding with a smaller weight explains too little to be a cause. */
const weightMin = 0.2;

/** An error line of a called service from before the failure. */
function logReason(observation: Observation, { context }: OutsideEvidence, view: OutsideView): OutsideReason | null {
  const { fact } = observation;
  if (fact.kind !== "outside" || fact.outside.kind !== "log") return null;
  const { level, source, at, vendor } = fact.outside;
  if (source === null || !isErrorLevel(level) || Date.parse(at) > context.lastAt) return null;
  const relation = relate(
    { kind: "problem", what: "failed-check", title: "", target: source, since: at, until: null, vendor, url: null },
    context,
  );
  if (relation?.kind !== "called") return null;
  const { weight, category } = weighFinding(fact.outside, relation, view);
  return weight === 0 ? null : { place: relation.place, weight, category, observation };
}
