import type { Observation } from "../findings/observation.ts";

/** A piece of evidence and its weight, from 0 to 1. */
interface Weighed {
  readonly weight: number;
  readonly observation: Observation;
}

const weightMax = 0.95;

/** Returns the combined weight of independent reasons. */
export function combinedWeight(reasons: readonly Pick<Weighed, "weight">[]): number {
  return Math.min(weightMax, 1 - reasons.reduce((left, { weight }) => left * (1 - weight), 1));
}

/** Returns the strongest reason of each kind: two of one kind are mostly the same reason twice. */
export function strongestOfEachKind<Reason extends Weighed>(reasons: readonly Reason[]): Reason[] {
  return firstOfEach(reasons, kindOf);
}

/** Returns the combined weight of reasons; of those with the same source, one counts. */
export function weightOf(reasons: readonly Weighed[]): number {
  return combinedWeight(firstOfEach(reasons, sourceOf));
}

/**
 * Returns the source of a reason: a deployment that a third party reports is the same source as the release that
 * telemetry saw start.
 */
export function sourceOf(observation: Observation): string {
  return isDeployment(observation) ? "deploy" : kindOf(observation);
}

function kindOf({ fact }: Observation): string {
  return fact.kind === "outside" ? `outside ${fact.outside.kind}` : fact.kind;
}

function firstOfEach<Reason extends Weighed>(
  reasons: readonly Reason[],
  nameOf: (observation: Observation) => string,
): Reason[] {
  const sorted = reasons.toSorted((left, right) => right.weight - left.weight);
  const kinds = sorted.map(({ observation }) => nameOf(observation));
  return sorted.filter((_, index) => kinds.indexOf(kinds[index] ?? "") === index);
}

function isDeployment({ fact }: Observation): boolean {
  if (fact.kind !== "outside") return fact.kind === "deploy";
  return fact.outside.kind === "change-event" && deployments.has(fact.outside.what);
}

const deployments: ReadonlySet<string> = new Set(["deployment", "release", "rollout"]);
