import { type ChangedFiles, changedFilesNamedMax, type RenewalNews } from "../incidents/lifecycle.ts";
import type { Location } from "./evidence.ts";
import type { Report } from "./report.ts";
import { isSameFile } from "./verifiable-source.ts";

/** The differences between two versions of a report. */
export interface ReportChange {
  /** Whether the first candidate's category, file, function, or service changed. */
  readonly cause: boolean;
  /** In percent. */
  readonly confidence: Change;
  /** The number of pieces of evidence. */
  readonly evidence: Change;
  /** Whether the summary or the causal chain is worded differently. */
  readonly wording: boolean;
}

export interface Change {
  readonly before: number;
  readonly after: number;
}

/** Compares two versions of a report. */
export function compareReports(before: Report, after: Report): ReportChange {
  return {
    cause: causeOf(before) !== causeOf(after),
    confidence: { before: percent(before), after: percent(after) },
    evidence: { before: before.evidence.length, after: after.evidence.length },
    wording: wordsOf(before) !== wordsOf(after),
  };
}

/** Whether the later version differs from the earlier one in anything but the impact. */
export function hasChanged({ cause, confidence, evidence, wording }: ReportChange): boolean {
  return cause || wording || confidence.before !== confidence.after || evidence.before !== evidence.after;
}

/**
 * Where a renewed report's cause lies and what leads to the symptom, unless the report before says so, too; and which
 * files changed in between, if that is known.
 */
export function renewalNews(before: Report, after: Report, changed: ChangedFiles | null = null): RenewalNews {
  const [was, is] = [placeOf(before), placeOf(after)];
  const known = new Set([placeKey(is), ...stepsOf(before).map(placeKey)]);
  const steps = new Map(stepsOf(after).map((step) => [placeKey(step), step]));
  return {
    place: placeKey(was) === placeKey(is) ? null : { before: was, after: is },
    steps: [...steps].flatMap(([key, step]) => (known.has(key) ? [] : [step])),
    files: changed && byRelevance(changed, new Set([is, ...stepsOf(after)].flatMap((place) => place?.file ?? []))),
  };
}

function byRelevance({ named, more }: ChangedFiles, reported: ReadonlySet<string>): ChangedFiles {
  // A report has the paths of a machine, a list of changes those of the repository.
  const isReported = (path: string): boolean => [...reported].some((file) => isSameFile(file, path));
  const ordered = [...named.filter(isReported), ...named.filter((path) => !isReported(path))];
  const leftOut = Math.max(0, ordered.length - changedFilesNamedMax);
  return { named: ordered.slice(0, changedFilesNamedMax), more: more + leftOut };
}

function stepsOf({ chain }: Report): Location[] {
  return chain.flatMap(({ location }) => location ?? []);
}

function placeOf({ root_cause: cause, candidates: [first] }: Report): Location | null {
  return first?.location ?? cause.location;
}

/** Identifies a place without its line: it stays the same when code above it moves. */
function placeKey(place: Location | null): string {
  return JSON.stringify([place?.file ?? null, place?.function ?? null]);
}

function causeOf(report: Report): string {
  const {
    root_cause: cause,
    candidates: [first],
  } = report;
  return JSON.stringify([
    first?.category ?? cause.category,
    placeKey(placeOf(report)),
    first?.service ?? cause.service ?? null,
  ]);
}

function percent({ confidence }: Report): number {
  return Math.round(confidence.score * 100);
}

function wordsOf({ root_cause_summary: summary, chain }: Report): string {
  return JSON.stringify([summary, chain.map(({ what }) => what)]);
}
