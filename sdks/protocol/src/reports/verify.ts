import { filesOfDiff, patchedPath } from "./patch.ts";
import { type ChainLink, clockErrorMs, type Report } from "./report.ts";

/** A place in a report that doesn't hold. */
export interface BrokenCitation {
  /** The path of the field, such as `candidates[0].evidence_ids` or `detailed_analysis`. */
  readonly where: string;
  readonly problem: string;
}

/** Matches `[e1]` and `[e1, e2]`. */
const citation = /\[(e[1-9][0-9]*(?:, ?e[1-9][0-9]*)*)\]/g;

/**
 * Returns every citation of evidence that doesn't exist, every statement that cites nothing, and every link of the
 * chain that is earlier than its cause. Empty when the report holds. Needs no service.
 */
export function verifyReport(report: Report): BrokenCitation[] {
  const known = new Set(report.evidence.map((evidence) => evidence.id));
  const unknownIds = (where: string, ids: readonly string[]): BrokenCitation[] =>
    ids.filter((id) => !known.has(id)).map((id) => ({ where, problem: `cites ${id}, which is not in the evidence` }));

  const cited = [
    ...report.chain.map((item, index) => [`chain[${index}]`, item.evidence_ids] as const),
    ...report.candidates.map((item, index) => [`candidates[${index}]`, item.evidence_ids] as const),
    ...report.short_term_solutions.map((item, index) => [`short_term_solutions[${index}]`, item.evidence_ids] as const),
    ...report.long_term_solutions.map((item, index) => [`long_term_solutions[${index}]`, item.evidence_ids] as const),
    ...(report.patch ? [["patch", report.patch.evidence_ids] as const] : []),
  ];
  const prose = [
    ["root_cause_summary", report.root_cause_summary],
    ["root_cause.statement", report.root_cause.statement],
    ["detailed_analysis", report.detailed_analysis],
  ] as const;

  return [
    ...duplicateIds(report),
    ...disorder(report.chain),
    ...patchProblems(report),
    ...cited.flatMap(([where, ids]) => [...unknownIds(where, ids), ...(ids.length === 0 ? [citesNothing(where)] : [])]),
    ...report.timeline.flatMap((entry, index) => unknownIds(`timeline[${index}]`, [entry.evidence_id])),
    ...prose.flatMap(([where, text]) => {
      const ids = citedIds(text);
      return ids.length === 0 ? [citesNothing(where)] : unknownIds(where, ids);
    }),
  ];
}

/** Returns what is wrong with the diff on its own: it must read as one, and change exactly the files that the patch names. */
function patchProblems({ patch }: Report): BrokenCitation[] {
  if (!patch) return [];
  const named = patch.files.map(patchedPath).sort();
  const changed = pathsOf(patch.diff)?.sort();
  if (!changed) return [{ where: "patch", problem: "its diff can't be read" }];
  const isSame = named.length === changed.length && named.every((path, index) => path === changed[index]);
  return isSame ? [] : [{ where: "patch", problem: "its diff changes other files than it names" }];
}

function pathsOf(diff: string): string[] | null {
  try {
    return filesOfDiff(diff).map(({ path }) => path);
  } catch {
    return null;
  }
}

/** Returns links whose cause is later than their effect, allowing for clock error. */
function disorder(chain: readonly ChainLink[]): BrokenCitation[] {
  let latest = Number.NEGATIVE_INFINITY;
  return chain.flatMap(({ at }, index) => {
    const time = at === undefined ? Number.NaN : Date.parse(at);
    if (Number.isNaN(time)) return [];
    const isEarlier = time < latest - clockErrorMs;
    latest = Math.max(latest, time);
    return isEarlier ? [{ where: `chain[${index}]`, problem: "is earlier than a link that leads to it" }] : [];
  });
}

/** Returns the evidence ids that a piece of prose cites, in order, including repeated ones. */
export function citedIds(text: string): string[] {
  return [...text.matchAll(citation)].flatMap((match) => (match[1] ?? "").split(/, ?/));
}

function citesNothing(where: string): BrokenCitation {
  return { where, problem: "cites no evidence" };
}

function duplicateIds(report: Report): BrokenCitation[] {
  const seen = new Set<string>();
  return report.evidence.flatMap((evidence, index) => {
    if (!seen.has(evidence.id)) {
      seen.add(evidence.id);
      return [];
    }
    return [{ where: `evidence[${index}]`, problem: `repeats the id ${evidence.id}` }];
  });
}
