import type { Findings, Ranked, Ranking } from "../findings.ts";
import { firstLine, observeException, observeText } from "../observe.ts";
import { inlineCode } from "../prose.ts";
import { categoryOf } from "./category.ts";
import { clueCandidates } from "./clue-candidates.ts";
import { confidenceOf } from "./confidence.ts";
import { frameCandidates } from "./frame-candidates.ts";
import { outsideCandidates } from "./outside-candidates.ts";
import { rejectionCandidates } from "./rejection-candidates.ts";
import { weights } from "./weights.ts";

const candidatesMax = 8;
const linesApart = 2;
const scoreMax = 0.95;

/** Orders every possible cause by what speaks for it. There is always one, if only the text itself. */
export function rank(findings: Findings): Ranking {
  const all = [
    ...clueCandidates(findings),
    ...frameCandidates(findings),
    ...rejectionCandidates(findings),
    ...outsideCandidates(findings),
  ];
  const merged = merge(all.toSorted((left, right) => right.score - left.score));
  const candidates =
    merged.length > 0
      ? merged.toSorted((left, right) => right.score - left.score).slice(0, candidatesMax)
      : [fallback(findings)];
  return { candidates, confidence: confidenceOf(findings, candidates) };
}

/** Reasons that name the same place speak for one cause; the strongest of them words it. */
function merge(sorted: readonly Ranked[]): Ranked[] {
  const merged: Ranked[] = [];
  for (const candidate of sorted) {
    const index = merged.findIndex((other) => isSamePlace(other, candidate));
    const same = merged[index];
    if (!same) merged.push(candidate);
    else merged[index] = join(same, candidate);
  }
  return merged;
}

function isSamePlace(left: Ranked, right: Ranked): boolean {
  if (!left.location || !right.location || left.location.file !== right.location.file) return false;
  if (left.reason.startsWith("a dependency") !== right.reason.startsWith("a dependency")) return false;
  return (
    Math.abs((left.location.line ?? 0) - (right.location.line ?? 0)) <= linesApart &&
    left.location.function === right.location.function
  );
}

function join(stronger: Ranked, weaker: Ranked): Ranked {
  const isNew = stronger.reason !== weaker.reason && !stronger.support.some((line) => line.endsWith(weaker.reason));
  return {
    ...stronger,
    score: Math.min(scoreMax, stronger.score + (isNew ? weights.agreement : 0)),
    evidence: [...stronger.evidence, ...weaker.evidence],
    support: [...new Set([...stronger.support, ...weaker.support])],
    against: stronger.against.filter((line) => weaker.against.includes(line) || weaker.against.length === 0),
  };
}

/** When no place is known: what the text says, as it says it. */
function fallback(findings: Findings): Ranked {
  const innermost = findings.error.exceptions[findings.error.chain.at(-1) ?? -1];
  const known = findings.signatures[0]?.signature;
  const said = innermost ? `${innermost.type}: ${firstLine(innermost.message)}` : firstLine(findings.error.headline);
  return {
    category: categoryOf(findings),
    statement: known
      ? `The text matches a known failure: ${known.id}.`
      : `The text was read and no place in code is known: ${inlineCode(said)}.`,
    location: null,
    place: null,
    score: known ? weights.writtenInCode : 0.1,
    reason: "the text itself",
    evidence: [innermost ? observeException(findings, innermost) : observeText(findings)],
    support: ["it is what the text says"],
    against: ["no frame and no source was given"],
    subject: null,
    clue: null,
  };
}
