import type { ModelRecord } from "../findings/model-record.ts";
import type { Observation } from "../findings/observation.ts";
import { ofKind, type Seen } from "../findings/of-kind.ts";
import type { ProposedSubject } from "../signals/facts/model-finding.ts";
import type { Subject } from "../signals/subject.ts";
import type { Candidate } from "./candidate.ts";
import { modelWeight } from "./model-weight.ts";

/** From this probability on, or with a decisive signal, a candidate stays first whatever a model says. */
const heldFrom = 0.75;
/** The distance below a candidate that stays first. */
const below = 0.01;

/** What ranking a model's findings depends on. */
interface Proposals {
  readonly observations: readonly Observation[];
  readonly record: ModelRecord | undefined;
  /** Makes a candidate of something that the engine has none for. */
  readonly candidate: (subject: ProposedSubject, seen: Seen<"model-finding">) => Candidate;
  /** Returns whether evidence shows a candidate to be the cause. */
  readonly isDecisive: (candidate: Candidate) => boolean;
}

/**
 * Adds what a model proposes to the candidates. A proposal is worth {@link modelWeight} at most, whatever the model says
 * of itself, and never more than a first candidate that decisive evidence shows. One that is ruled out loses that much.
 */
export function withModelFindings(
  candidates: readonly Candidate[],
  { observations, record, candidate: candidateOf, isDecisive }: Proposals,
): readonly Candidate[] {
  const said = ofKind(observations, "model-finding");
  if (said.length === 0) return candidates;
  const [first] = candidates.toSorted((one, other) => other.probability - one.probability);
  const isHeld = first !== undefined && (first.probability >= heldFrom || isDecisive(first));
  const atMost = (one: Candidate): number =>
    isHeld && one.subject !== first.subject ? Math.max(0, first.probability - below) : 1;
  const ranked = [...candidates];
  for (const seen of said) {
    const { finding } = seen.fact;
    const weight = modelWeight(finding, record);
    const index = ranked.findIndex(({ subject }) => isSame(subject, finding.subject));
    const known = ranked[index];
    if (known) ranked[index] = weighed(known, seen, { weight, isHeld, atMost });
    else if (finding.stance === "supports") {
      const added = candidateOf(finding.subject, seen);
      ranked.push({ ...added, probability: Math.min(weight, atMost(added)) });
    }
  }
  return ranked;
}

interface Bounds {
  readonly weight: number;
  readonly isHeld: boolean;
  readonly atMost: (candidate: Candidate) => number;
}

function weighed(one: Candidate, seen: Seen<"model-finding">, { weight, isHeld, atMost }: Bounds): Candidate {
  const observations = [...one.observations, seen];
  if (seen.fact.finding.stance === "supports") {
    const raised = Math.max(one.probability, Math.min(weight, atMost(one)));
    const subject = placed(one.subject, seen.fact.finding.subject, raised > one.probability);
    return { ...one, subject, observations, probability: raised };
  }
  return { ...one, observations, probability: isHeld ? one.probability : one.probability * (1 - weight) };
}

/** Returns the proposed place in a candidate's file where the engine knows no line, or where the proposal is worth more. */
function placed(subject: Subject, proposed: ProposedSubject, isWorthMore: boolean): Subject {
  if (subject.kind !== "place" || proposed.kind !== "place" || proposed.line === null) return subject;
  if (subject.line !== null && !isWorthMore) return subject;
  return { ...subject, line: proposed.line, function: proposed.function ?? null };
}

/** Returns whether a proposal is about a candidate; for a place, the file decides, as in the ranking. */
function isSame(subject: Subject, proposed: ProposedSubject): boolean {
  switch (proposed.kind) {
    case "place":
      return subject.kind === "place" && subject.file === proposed.file;
    case "service":
      return (subject.kind === "service" || subject.kind === "process") && subject.service === proposed.service;
    case "release":
      return subject.kind === "release" && subject.service === proposed.service && subject.release === proposed.release;
    case "setting":
      return subject.kind === "setting" && subject.name === proposed.name;
  }
}
