import type { Findings, ParsedException, Ranked, Ranking } from "../findings.ts";
import { firstLine, observeException, observeText } from "../observe.ts";
import { fill, inlineCode } from "../prose.ts";
import { categoryOf } from "./category.ts";
import { clueCandidates } from "./clue-candidates.ts";
import { confidenceOf } from "./confidence.ts";
import { frameCandidates } from "./frame-candidates.ts";
import { logSupport } from "./log-support.ts";
import { outsideCandidates } from "./outside-candidates.ts";
import { rejectionCandidates } from "./rejection-candidates.ts";
import { telemetryCandidates } from "./telemetry-candidates.ts";
import { weights } from "./weights.ts";

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
    ...telemetryCandidates(findings),
  ];
  const merged = merge(all.toSorted((left, right) => right.score - left.score));
  const ordered = merged.toSorted((left, right) => right.score - left.score);
  const candidates = withFallback(ordered, findings).slice(0, candidatesMax);
  const [first, ...others] = candidates;
  const told = first ? [withLog(first, findings), ...others].map((one) => withCategory(one, findings)) : [];
  return { candidates: told, confidence: confidenceOf(told) };
}

/** The text itself says more than little that speaks against another service alone, such as one that only called. */
function withFallback(ordered: readonly Ranked[], findings: Findings): readonly Ranked[] {
  const text = fallback(findings);
  const own = findings.event?.service;
  const areElsewhere = ordered.every(({ service }) => service !== undefined && service !== own);
  return areElsewhere && text.score > (ordered[0]?.score ?? 0) ? [text, ...ordered] : ordered;
}

/** What the code itself refuses, and nothing more is known of, it was given wrongly. */
function withCategory(candidate: Ranked, { clues }: Findings): Ranked {
  const isRefused = candidate.category === "unknown" && clues.some(({ kind }) => kind === "thrown-by-code");
  return isRefused ? { ...candidate, category: "data-validation" } : candidate;
}

/** What was warned of before the error speaks for the first candidate. */
function withLog(first: Ranked, findings: Findings): Ranked {
  const { support, evidence } = logSupport(findings, first.subject);
  return {
    ...first,
    support: [...first.support, ...support].slice(0, supportMax),
    evidence: [...first.evidence, ...evidence].slice(0, evidenceMax),
  };
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

/** When no place is known: what the text says, and what that means when it is known. */
function fallback(findings: Findings): Ranked {
  const { error, signatures } = findings;
  const innermost = error.exceptions[error.chain.at(-1) ?? -1];
  const known = signatures[0];
  return {
    category: categoryOf(findings),
    statement: statementOfText(findings, innermost),
    location: null,
    place: null,
    score: known ? weights.writtenInCode : 0.1,
    reason: "the text itself",
    evidence: [innermost ? observeException(findings, innermost) : observeText(findings)],
    support: [
      known
        ? `the words ${inlineCode(firstLine(known.matched))} are what this failure is known by`
        : "it is what the text says",
    ],
    against: [
      findings.frames.length > 0
        ? "the stack shows no code of the service itself: what failed is known, and not where it was made"
        : "no stack and no code was given: the kind of failure is read from its words, and not where it was made",
    ],
    subject: null,
    clue: null,
  };
}

function statementOfText({ error, signatures }: Findings, innermost: ParsedException | undefined): string {
  const { alert, headline } = error;
  const known = signatures[0];
  const meaning = known ? fill(known.signature.meaning, known.groups) : null;
  if (!innermost && alert) {
    const about = alert.labels.service ?? alert.labels.app ?? alert.labels.job ?? alert.labels.pod;
    const whom = about === undefined ? "" : ` for ${inlineCode(about)}`;
    return `${alert.system} reports ${inlineCode(alert.name)}${whom}. ${meaning ?? `It says ${inlineCode(alert.summary)}.`}`;
  }
  if (meaning !== null) return meaning;
  const said = innermost ? `${innermost.type}: ${firstLine(innermost.message)}` : firstLine(headline);
  return /[\p{L}\p{N}]/u.test(said)
    ? `The text says ${inlineCode(said)}: that is no failure that is known by its words, and no place in code is named.`
    : "The text that was given says nothing that could be read as a failure.";
}
