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
import { telemetryCandidates } from "./telemetry-candidates.ts";

const candidatesMax = 8;
const linesApart = 2;
const scoreMax = 0.95;
const agreeingMax = 2;
/** Of one candidate: more is not read. */
const evidenceMax = 12;
const supportMax = 8;

/** Orders every possible cause by what speaks for it. There is always one, if only the text itself. */
export function rank(findings: Findings): Ranking {
  const all = [
    ...clueCandidates(findings),
    ...frameCandidates(findings),
    ...rejectionCandidates(findings),
    ...outsideCandidates(findings),
  ];
    ...telemetryCandidates(findings),
  const merged = merge(all.toSorted((left, right) => right.score - left.score));
  const candidates =
    merged.length > 0
      ? merged.toSorted((left, right) => right.score - left.score).slice(0, candidatesMax)
      : [fallback(findings)];
  return { candidates, confidence: confidenceOf(candidates) };
}

/** Reasons that name the same place speak for one cause; the strongest of them words it. */
function merge(sorted: readonly Ranked[]): Ranked[] {
  const groups: Ranked[][] = [];
  for (const candidate of sorted) {
    const group = groups.find(([strongest]) => strongest !== undefined && isSamePlace(strongest, candidate));
    if (group) group.push(candidate);
    else groups.push([candidate]);
  }
  return groups.flatMap(([strongest, ...others]) => (strongest ? [join(strongest, others)] : []));
}

function isSamePlace(left: Ranked, right: Ranked): boolean {
  if (!left.location || !right.location || left.location.file !== right.location.file) return false;
  if (left.reason.startsWith("a dependency") !== right.reason.startsWith("a dependency")) return false;
  return (
    Math.abs((left.location.line ?? 0) - (right.location.line ?? 0)) <= linesApart &&
    left.location.function === right.location.function
  );
}

/** Reasons of another kind make it surer, and no more than two of them. */
function join(strongest: Ranked, others: readonly Ranked[]): Ranked {
  const kinds = new Set(others.map(({ reason }) => reason));
  kinds.delete(strongest.reason);
  const agreeing = Math.min(kinds.size, agreeingMax);
  const all = [strongest, ...others];
  return {
    ...strongest,
    score: Math.min(scoreMax, strongest.score + agreeing * weights.agreement),
    evidence: all.flatMap(({ evidence }) => evidence).slice(0, evidenceMax),
    support: [...new Set(all.flatMap(({ support }) => support))].slice(0, supportMax),
    against: strongest.against.filter((line) =>
      others.every(({ against }) => against.length === 0 || against.includes(line)),
    ),
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
