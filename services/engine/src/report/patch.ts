import { type BrokenCitation, type Patch, patchedPath, type TriedPatch, withDiff } from "@whence/protocol";
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import type { Findings } from "../findings/findings.ts";
import type { Observation } from "../findings/observation.ts";
import { observeCode } from "../findings/observe-input.ts";
import type { Candidate, Ranking } from "../rank/candidate.ts";
import type { AnyFact } from "../signals/fact.ts";
import { type AnyCodeSignal, kindOf } from "../signals/signal.ts";
import { isInstalledName } from "../source/installed-package.ts";
import type { SourceText } from "../source/source-text.ts";
import type { Edit } from "../trace/repair/repair.ts";
import type { Traced } from "../trace/traced.ts";
import { observeTrial } from "../watched/tried-verdicts.ts";
import { chainOf } from "./chain.ts";
import type { EvidenceBook } from "./evidence-book.ts";
import { namesCauseFrom } from "./headline.ts";
import type { Messages } from "./messages.en.ts";
import { revertedChange } from "./reverted-change.ts";
import { shownPathOf } from "./shown-path.ts";
import { trailOf } from "./trail.ts";

/** A larger change is a design, not a repair. */
const linesMax = 24;
const filesMax = 2;
/** A longer diff has lines that no person reads, such as data; in UTF-16 units. */
const diffLengthMax = 20_000;
/** Lines around a change, as `git diff` shows them. */
const context = 3;

/** The patch of a report, and the repairs that failed a check. */
export interface Patched {
  readonly patch: Patch | null;
  readonly dropped: readonly BrokenCitation[];
}

interface PatchInput {
  readonly findings: Findings;
  readonly traced: Traced;
  readonly ranking: Ranking;
  readonly book: EvidenceBook;
  readonly messages: Messages;
}

/** A change that would repair the cause, and what it rests on. */
interface Proposal {
  /** The kind of signal or fact that it is for. */
  readonly kind: string;
  readonly by: Patch["repair"];
  readonly what: string;
  readonly edits: readonly Edit[];
  readonly evidence: readonly Observation<AnyFact>[];
}

/**
 * Returns the repair of the first candidate as a diff: the first one that a kind of signal on the way to the failure
 * knows, from the origin on, or else the lines of a suspect release, undone, or else a guard. It changes only files on the causal chain
 * and the stack, applies to the given source, and leaves it well-formed.
 */
export async function patchOf(input: PatchInput): Promise<Patched> {
  const { ranking, traced } = input;
  const [first] = ranking.candidates;
  if (!first || ranking.confidence.engineScore < namesCauseFrom) return { patch: null, dropped: [] };
  const way = wayOf(first, input);
  const reverted = revertOf(first, input);
  const onWay = new Set([
    ...way.map(({ subject }) => subject.source),
    ...traced.frames.flatMap(({ place }) => (place ? [place.source] : [])),
    ...reverted.flatMap(({ edits }) => edits.map(({ source }) => source)),
  ]);
  const dropped: BrokenCitation[] = [];
  const proposals = [...way.flatMap((signal) => repairsOf(signal, input)), ...reverted];
  for (const proposal of proposals.toSorted(guardsLast)) {
    const made = await diffOf(proposal, onWay, traced);
    if (typeof made !== "string" && !hasFailed(made, input)) return { patch: written(proposal, made, input), dropped };
    dropped.push({
      where: "patch",
      problem: typeof made === "string" ? made : "was tried, and the error occurs as before",
    });
  }
  return { patch: null, dropped };
}

/** A guard keeps a missing value from doing harm, and doesn't make it right: what does that comes first. */
function guardsLast(left: Proposal, right: Proposal): number {
  return Number(left.by === "guard") - Number(right.by === "guard");
}

function triedAs(diff: string, { findings: { tried = [] } }: PatchInput): TriedPatch | undefined {
  return tried.find((one) => one.diff === diff);
}

function hasFailed(changed: readonly Changed[], input: PatchInput): boolean {
  return triedAs(diffTextOf(changed), input)?.outcome === "fails";
}

function diffTextOf(changed: readonly Changed[]): string {
  return changed.map(({ diff }) => diff).join("");
}

function repairsOf(signal: AnyCodeSignal, { traced, findings, messages }: PatchInput): Proposal[] {
  return traced.repairs.of(signal).map(({ by, edits, subject }) => ({
    kind: kindOf(signal).name,
    by,
    what: messages.patch[by](subject),
    edits,
    evidence: [observeCode(findings, signal.subject)],
  }));
}

/** Returns the change of a suspect release that the chain begins with, undone. */
function revertOf(candidate: Candidate, { traced, findings, messages }: PatchInput): Proposal[] {
  const chain = chainOf(candidate, { findings, traced, shown: shownPathOf(findings) });
  const reverted = revertedChange(chain, findings);
  if (!reverted) return [];
  const { edit, release, link } = reverted;
  return [
    {
      kind: "release-change",
      by: "revert",
      what: messages.patch.revert(release),
      edits: [edit],
      evidence: link.evidence,
    },
  ];
}

/**
 * What the code shows about a candidate, and the way of the failing value through it, each signal once. A promise that
 * is forgotten beside the place is no reason for the failure there.
 */
function wayOf(candidate: Candidate, { traced, findings }: Pick<PatchInput, "traced" | "findings">): AnyCodeSignal[] {
  const { signals, subject } = candidate;
  const [own] = signals;
  const isAt = ({ subject: { line } }: AnyCodeSignal): boolean => subject.kind === "place" && subject.line === line;
  const leading = signals.filter((one) => !isForgotten(one) || (one === own && isAt(one)));
  const trail = trailOf(candidate, traced, findings).filter((one) => one !== own || leading.includes(one));
  return [...new Set([...leading, ...trail])];
}

function isForgotten(signal: AnyCodeSignal): boolean {
  return signal.kind === "missing-await" && signal.args.how === "forgotten";
}

/** One file before and after. */
interface Changed {
  readonly source: SourceText;
  readonly diff: string;
}

/** Returns the checked diff of each file; what is wrong with the repair when a check fails. */
async function diffOf(
  { edits }: Proposal,
  onWay: ReadonlySet<SourceText>,
  { repairs }: Traced,
): Promise<readonly Changed[] | string> {
  const bySource = [...Map.groupBy(edits, ({ source }) => source)];
  if (bySource.length > filesMax) return "changes too many files";
  const changed: Changed[] = [];
  for (const [source, own] of bySource) {
    const { name } = source;
    const path = patchedPath({ file: name, path: source.path });
    if (!onWay.has(source)) return `changes ${name}, which is not on the causal chain`;
    if (source.kind !== "source_file" || source.firstLine !== 1 || isInstalledName(name) || path === null)
      return `changes ${name}, which is not a whole file of the service`;
    const text = edited(source.text, own);
    if (text === null || text === source.text) return `changes ${name} in no way that can be applied`;
    if (!(await repairs.parses(name, text))) return `leaves ${name} malformed`;
    const diff = createTwoFilesPatch(`a/${path}`, `b/${path}`, source.text, text, undefined, undefined, {
      context,
      headerOptions: FILE_HEADERS_ONLY,
    });
    if (withDiff(source.text, diff) !== text) return `doesn't apply to ${name}`;
    changed.push({ source, diff });
  }
  const diffs = changed.map(({ diff }) => diff).join("");
  const lines = changedLines(diffs);
  if (lines > linesMax) return `changes ${lines} lines`;
  return diffs.length > diffLengthMax ? `has a diff of ${diffs.length} characters` : changed;
}

/** Applies replacements from the end on; null where they overlap. */
function edited(text: string, edits: readonly Edit[]): string | null {
  let result = text;
  let before = Number.POSITIVE_INFINITY;
  for (const edit of edits.toSorted((left, right) => right.start - left.start || right.end - left.end)) {
    if (edit.end > before) return null;
    result = result.slice(0, edit.start) + edit.text + result.slice(edit.end);
    before = edit.start;
  }
  return result;
}

function changedLines(diff: string): number {
  return diff.split("\n").filter((line) => /^[+-](?![+-]{2} )/.test(line)).length;
}

function written({ kind, by, what, edits, evidence }: Proposal, changed: readonly Changed[], input: PatchInput): Patch {
  const { findings, traced, book, messages } = input;
  const places = edits.map(({ source, start }) =>
    observeCode(findings, { file: source.name, line: source.lineAt(start), function: null, source }),
  );
  const diff = diffTextOf(changed);
  const tried = triedAs(diff, input);
  const trial = tried && observeTrial(tried, traced.files, findings.observedAt);
  const ids = [...evidence, ...places, ...(trial ? [trial] : [])].map((one) => book.cite(one));
  return {
    kind,
    repair: by,
    what,
    diff,
    ...(trial && { tried: messages.evidence(trial.fact) }),
    files: changed.map(({ source: { name, path, sha256 } }) => ({
      file: name,
      ...(path !== undefined && { path }),
      sha256,
    })),
    evidence_ids: [...new Set(ids)],
  };
}
