import type { Category, OutsideChange, OutsideProblem } from "@whence/protocol";
import type { Observation } from "../findings/findings.ts";
import type { DeployFact } from "../findings/telemetry-facts.ts";
import { isErrorLevel } from "../outside/error-level.ts";
import type { CalledPlace, FailureContext } from "../outside/failure-context.ts";
import { causeOf, type Relation, relate, timeliness } from "../outside/relate.ts";
import {
  announcedProblemWeights,
  calledProblemWeights,
  outsideFactors as factors,
  outsideWeights as worth,
} from "./outside-weights.ts";

/** What a third party's finding speaks against: the failing service, or something that it called. */
export interface OutsideReason {
  readonly place: "own" | CalledPlace;
  readonly weight: number;
  /** Null when it says nothing about the kind of failure. */
  readonly category: Category | null;
  readonly observation: Observation;
}

/** What is known when findings of third parties are weighed. */
export interface OutsideEvidence {
  readonly context: FailureContext;
  readonly observations: readonly Observation[];
  /** The kind of failure by the error's own words. */
  readonly said: Category;
}

/** The changes and problems that speak against something, and the log lines of what was called; nothing else counts. */
export function outsideReasons(evidence: OutsideEvidence): OutsideReason[] {
  return evidence.observations.flatMap((observation) => reasonOf(observation, evidence) ?? []);
}

function reasonOf(observation: Observation, evidence: OutsideEvidence): OutsideReason | null {
  const cause = causeOf(observation);
  if (!cause) return logReason(observation, evidence);
  const relation = relate(cause, evidence.context);
  if (!relation) return null;
  const { weight, category } =
    cause.kind === "change" ? weighChange(cause, relation, evidence) : weighProblem(cause.what, relation, evidence);
  const timely = weight * timeliness(cause, evidence.context);
  if (timely < weightMin) return null;
  return { place: relation.kind === "called" ? relation.place : "own", weight: timely, category, observation };
}

/** Below it a finding explains too little to be told as a cause. */
const weightMin = 0.2;

interface Weighed {
  readonly weight: number;
  readonly category: Category | null;
}

const nothing: Weighed = { weight: 0, category: null };

function weighChange(change: OutsideChange, relation: Relation, evidence: OutsideEvidence): Weighed {
  const { weight, category } =
    relation.kind === "called" ? weighCalled(change, relation.place, evidence) : weighOwn(change, evidence);
  return { weight: change.failed === true ? weight * factors.failed[change.what] : weight, category };
}

function weighOwn(change: OutsideChange, evidence: OutsideEvidence): Weighed {
  switch (change.what) {
    case "deployment":
    case "release":
    case "rollout":
      return { weight: deploymentWeight(change, evidence), category: "deploy-regression" };
    case "configuration":
      return { weight: worth.ownSetting, category: settingCategory(evidence) };
    case "feature-flag":
      return { weight: worth.ownSetting, category: evidence.said === "unknown" ? "deploy-regression" : null };
    case "firewall":
      return isUnreached(evidence.said) ? { weight: worth.ownFirewall, category: evidence.said } : nothing;
    case "dns":
      return nothing;
  }
}

function settingCategory({ said }: OutsideEvidence): Category | null {
  return said === "unknown" ? "bad-config" : null;
}

function deploymentWeight(change: OutsideChange, { context, observations }: OutsideEvidence): number {
  const seen = observations.flatMap(({ fact }) => (fact.kind === "deploy" && fact.deploy.own ? [fact.deploy] : []));
  if (seen.some((deploy) => deploy.verdict === "ruled-out" && isSame(change, deploy)))
    return worth.ownDeployment * factors.ruledOut;
  return names(change, context.release) ? worth.ownDeploymentOfRelease : worth.ownDeployment;
}

/** A release is first seen when its processes report, some time after it was deployed. */
const seenWithinMs = 1_800_000;

/** Whether a deployment and a release that telemetry saw are the same: it names it, or came shortly before it and names none. */
function isSame(change: OutsideChange, { release, at }: DeployFact): boolean {
  if (names(change, release)) return true;
  const laterMs = Date.parse(at) - Date.parse(change.at);
  return laterMs >= 0 && laterMs <= seenWithinMs;
}

const shortCommitLength = 7;

/** Whether a change names a release: as a word, or a commit by its beginning. */
function names({ title, target }: OutsideChange, release: string): boolean {
  if (release === "") return false;
  const version = release.slice(release.lastIndexOf("@") + 1).toLowerCase();
  const words = `${title} ${target ?? ""}`
    .toLowerCase()
    .split(/[^\w.+-]+/)
    .map((word) => word.replace(/^v(?=\d)|\.$/g, ""));
  const isCommit = (word: string): boolean =>
    word.length >= shortCommitLength && /^[\da-f]+$/.test(word) && version.startsWith(word);
  return words.some((word) => word === version.replace(/^v(?=\d)/, "") || isCommit(word));
}

/** Kinds of failure that a change of names or rules leads to. */
const unreached: ReadonlySet<Category> = new Set<Category>([
  ...(["network-unreachable", "timeout", "auth", "dependency-outage"] as const),
]);
/** Kinds of failure that an answer of another shape leads to. */
const ofAnswers: ReadonlySet<Category> = new Set<Category>([
  ...(["null-dereference", "type-mismatch", "schema-drift", "parse-error", "data-validation", "encoding"] as const),
  "upstream-bad-response",
]);

function isUnreached(said: Category): boolean {
  return unreached.has(said);
}

function weighCalled({ what }: OutsideChange, place: CalledPlace, { said }: OutsideEvidence): Weighed {
  if (what === "dns" || what === "firewall") {
    if (!place.hasFailed) return nothing;
    if (place.hasAnswered) return { weight: worth.calledNameAnswered, category: "upstream-bad-response" };
    const category = isUnreached(said) ? said : "network-unreachable";
    return { weight: worth.calledName, category };
  }
  if (place.hasFailed) return { weight: worth.calledDeployment, category: "deploy-regression" };
  return ofAnswers.has(said) ? { weight: worth.calledDeploymentOfAnswer, category: "schema-drift" } : nothing;
}

/** What happened to a process, rather than what a monitor noticed. */
const ends: ReadonlySet<OutsideProblem["what"]> = new Set<OutsideProblem["what"]>([
  ...(["out-of-memory", "crash-loop", "restart"] as const),
]);
/** Kinds of failure that the state of a machine leads to. */
const ofMachines: ReadonlySet<Category> = new Set<Category>([
  ...(["resource-exhaustion", "timeout", "filesystem", "infinite-loop", "network-unreachable"] as const),
]);

function weighProblem(what: OutsideProblem["what"], relation: Relation, evidence: OutsideEvidence): Weighed {
  if (relation.kind === "called") {
    const { hasFailed } = relation.place;
    return hasFailed ? { weight: calledProblemWeights[what], category: problemCategory(what, evidence) } : nothing;
  }
  const announced = announcedProblemWeights[what];
  if (evidence.context.isAnnounced && announced > 0) return { weight: announced, category: ownCategory(what) };
  if (ends.has(what)) {
    const fits = evidence.said === "resource-exhaustion" || hasStopped(evidence);
    const sibling = relation.kind === "own-service" ? factors.sibling : 1;
    const category = what === "out-of-memory" ? "resource-exhaustion" : null;
    return { weight: worth.ownProcess * sibling * (fits ? 1 : factors.unrelated), category: fits ? category : null };
  }
  // An alarm on the failing service is the failure itself.
  if (relation.kind === "own-service") return nothing;
  return { weight: worth.ownMachine * (ofMachines.has(evidence.said) ? 1 : factors.unrelated), category: null };
}

function ownCategory(what: OutsideProblem["what"]): Category | null {
  if (what === "image-pull") return "deploy-regression";
  return exhausting.has(what) ? "resource-exhaustion" : null;
}

const exhausting: ReadonlySet<OutsideProblem["what"]> = new Set<OutsideProblem["what"]>([
  ...(["out-of-memory", "unschedulable", "saturation"] as const),
]);

function problemCategory(what: OutsideProblem["what"], { said }: OutsideEvidence): Category {
  if (what === "out-of-memory") return "resource-exhaustion";
  return isUnreached(said) && said !== "auth" ? said : "dependency-outage";
}

function hasStopped({ observations }: OutsideEvidence): boolean {
  return observations.some(
    ({ fact }) =>
      fact.kind === "process-state" &&
      fact.state.own &&
      (fact.state.resource === "exit" || fact.state.resource === "restart" || fact.state.resource === "memory"),
  );
}

/** An error line of what was called, from before the failure. */
function logReason(observation: Observation, { context }: OutsideEvidence): OutsideReason | null {
  const { fact } = observation;
  if (fact.kind !== "outside" || fact.outside.kind !== "log") return null;
  const { level, source, at, vendor } = fact.outside;
  if (source === null || !isErrorLevel(level) || Date.parse(at) > context.lastAt) return null;
  const relation = relate(
    { kind: "problem", what: "failed-check", title: "", target: source, since: at, until: null, vendor, url: null },
    context,
  );
  if (relation?.kind !== "called" || !relation.place.hasFailed) return null;
  return { place: relation.place, weight: worth.calledLog, category: null, observation };
}
