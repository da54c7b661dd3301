import { namesCauseFrom, queriedSource } from "@whence/engine";
import { compareReports, type Evidence, type Report } from "@whence/protocol";

/**
 * Returns whether a later version of a report replaces the earlier one. It names another cause only for evidence of that
 * cause that the earlier version didn't have, and only while it still has what the earlier one relied on: more words, or
 * a source that didn't answer this time, aren't a reason to change the answer. What was seen is one, and so is the first
 * cause after none. A version with the same cause doesn't replace one that relied on a source that is too slow this time: it would lose the release to roll
 * back.
 */
export function supersedes(before: Report, after: Report): boolean {
  if (isRefuted(before, after) || isConfirmed(before, after)) return true;
  const answered = new Set(after.evidence.flatMap(collectorOf));
  const isKept = evidenceOfCause(before)
    .flatMap(collectorOf)
    .every((one) => answered.has(one));
  if (!compareReports(before, after).cause) return isKept || !hasMissedMore(before, after);
  const known = new Set(before.evidence.map(contentOf));
  const isMore = evidenceOfCause(after).some((one) => !known.has(contentOf(one)));
  return isMore && (isKept || isFirstCause(before, after));
}

/** Whether the earlier version named no cause, which relied on nothing, and this one does. */
function isFirstCause({ root_cause: before, confidence }: Report, after: Report): boolean {
  const isNone = before.location === null && confidence.score < namesCauseFrom;
  return isNone && after.confidence.score >= namesCauseFrom;
}

/** Returns whether a version that doesn't replace the earlier one may do so once its sources answer again. */
export function waitsForSources(before: Report, after: Report): boolean {
  return !supersedes(before, after) && !compareReports(before, after).cause;
}

function hasMissedMore({ not_checked: before }: Report, { not_checked: after }: Report): boolean {
  return after.some((line) => !before.includes(line));
}

/** Whether the cause that a report named was seen not to be it. */
function isRefuted({ candidates: [first] }: Report, { candidates }: Report): boolean {
  return candidates.some(
    ({ seen, location }) =>
      seen === "refuted" &&
      location?.file === first?.location?.file &&
      location?.function === first?.location?.function,
  );
}

/** Whether the cause that both versions name was seen to be it since the earlier one. */
function isConfirmed(before: Report, after: Report): boolean {
  const [was, is] = [before, after].map(({ candidates: [first] }) => first?.seen === "confirmed");
  return !was && is === true && !compareReports(before, after).cause;
}

function evidenceOfCause({ candidates: [first], chain, evidence }: Report): readonly Evidence[] {
  const cited = new Set([...(first?.evidence_ids ?? []), ...chain.flatMap(({ evidence_ids: ids }) => ids)]);
  return evidence.filter((one) => cited.has(one.id) && !isOfModel(one));
}

/** Identifies a piece of evidence by what it quotes, whatever its number in the report. */
function contentOf({ source, excerpt }: Evidence): string {
  return JSON.stringify([source.kind, source.name, excerpt]);
}

/** Returns the collector that brought a piece of evidence; none for the input and the code. */
function collectorOf({ source: { kind, name } }: Evidence): string[] {
  return kind === "telemetry" || kind === "integration" ? [`${kind} ${name}`] : [];
}

/** What a model says and asked for is no evidence of the engine's. */
function isOfModel({ source: { kind, name } }: Evidence): boolean {
  return kind === "model" || name === queriedSource;
}
