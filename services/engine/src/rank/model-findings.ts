import type { Observation } from "../findings/observation.ts";
import { ofKind, type Seen } from "../findings/of-kind.ts";
import { quotedIn } from "../model/quoted-in.ts";
import type { ModelFinding, ProposedSubject } from "../signals/facts/model-finding.ts";
import type { Subject } from "../signals/subject.ts";
import type { Candidate } from "./candidate.ts";
import { tieWithin } from "./confidence.ts";

/**
 * What a proposal of all runs is worth: as much as if a model were right once in 20 answers. Set by judgment; it orders
 * only what comes after the first candidate.
 */
const proposalWeight = 0.05;

/** How many of the engine's candidates a model displaces by none of its own, so that one that is wrong hides none of them. */
const keptCandidates = 3;

/** What a setting is without a candidate of the engine's: a name that a model may have read anywhere. */
type AddedSubject = Exclude<ProposedSubject, { readonly kind: "setting" }>;

/** Makes a candidate of something that the engine has none for. */
type Added = (subject: AddedSubject, seen: Seen<"model-finding">) => Candidate;

/**
 * Adds what a model says to the engine's candidates, given the most likely first. The first one stays first, as probable
 * as it is, and no other one rises to a tie with it: any influence on it would be one of those who wrote what the
 * model read. What a model adds comes behind the engine's first three. What a model rules out loses nothing; the report
 * lists the doubt.
 */
export function withModelFindings(
  engines: readonly Candidate[],
  observations: readonly Observation[],
  candidateOf: Added,
): readonly Candidate[] {
  const limit = Math.max(0, (engines[0]?.probability ?? 0) - tieWithin);
  const limitBehind = Math.min(limit, engines.slice(0, keptCandidates).at(-1)?.probability ?? limit);
  const ranked = [...engines];
  for (const seen of ofKind(observations, "model-finding")) {
    const { subject, stance, citations, ...said } = seen.fact.finding;
    const quoted = quotedIn(citations, observations);
    const index = ranked.findIndex((one) => isSame(one.subject, subject));
    const known = ranked[index];
    const isKept = known !== undefined && index < keptCandidates;
    const probability = stance === "supports" ? Math.min(isKept ? limit : limitBehind, weightOf(said)) : 0;
    if (known) ranked[index] = { ...withSaid(known, seen, quoted), ...raised(known, probability) };
    else if (stance === "supports" && subject.kind !== "setting")
      ranked.push({ ...candidateOf(subject, seen), quoted, probability });
  }
  const [first, ...others] = ranked;
  return first ? [first, ...others.toSorted((one, other) => other.probability - one.probability)] : [];
}

function withSaid(known: Candidate, seen: Seen<"model-finding">, quoted: readonly Observation[]): Candidate {
  const { observations, quoted: before = [] } = known;
  return { ...known, observations: [...observations, seen], quoted: [...before, ...quoted] };
}

/** Its own word about how sure it is counts nothing; how many of its independent runs agree does. */
function weightOf({ runs, of }: Pick<ModelFinding, "runs" | "of">): number {
  return proposalWeight * Math.min(1, runs / of);
}

function raised(known: Candidate, probability: number): Pick<Candidate, "probability"> {
  return { probability: Math.max(known.probability, probability) };
}

/** Returns whether a proposal is about a candidate; for a place, the file decides, as in the ranking. */
export function isSame(subject: Subject, proposed: ProposedSubject): boolean {
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
