import { citedIds, type Location, type Report } from "@whence/protocol";
import type { AnswerStatement } from "./answer-statement.ts";
import { causeSpeech } from "./cause-words.ts";

/** A shorter name is in any sentence. */
const nameUnitsMin = 3;
/** A share in hundredths. */
const percentage =
  /(\d+(?:[.,]\d+)?)\s?(?:%|٪|‰|per ?cent|prozent|procent|pour ?cent|por ?cien|por ?cento|процент|パーセント|퍼센트)|百分之\s?(\d+(?:[.,]\d+)?)/giu;
/** What others wrote, in the engine's words. */
const quoted = /`[^`]*`|"[^"]*"/g;

/** Returns whether each percentage of a statement is the report's confidence, or was measured in what it quotes. */
export function hasOnlyMeasuredShares({ sentence, citations }: AnswerStatement, report: Report): boolean {
  const shares = sharesIn(sentence);
  if (shares.length === 0) return true;
  const cited = new Set(citations.flatMap((one) => (one.kind === "evidence" ? [one.id] : [])));
  const summaries = [
    ...report.evidence.filter(({ id }) => cited.has(id)).map(({ summary }) => summary),
    ...citations.flatMap((one) => (one.kind === "observed" ? one.summary : [])),
  ];
  const measured = summaries.flatMap((summary) => sharesIn(summary.replace(quoted, "")));
  const known = new Set([Math.round(100 * report.confidence.score), ...measured]);
  return shares.every((share) => known.has(share));
}

function sharesIn(text: string): number[] {
  return [...text.matchAll(percentage)].map(([, before, after]) => Number((before ?? after ?? "").replace(",", ".")));
}

/**
 * Returns whether a statement speaks of causes as the engine does: it denies none that the report names, puts no other
 * place in its stead, and names one only with evidence of it.
 */
export function agreesOnCause({ sentence, citations }: AnswerStatement, report: Report): boolean {
  const speech = causeSpeech(sentence);
  if (speech === null) return true;
  const ours = namesOfCause(report);
  const isOurs = isNamedIn(sentence, ours);
  const files = citations.flatMap((one) => (one.kind === "source" ? [baseOf(one.file)] : []));
  const isOther = isNamedIn(
    sentence,
    [...namesOfOthers(report), ...files].filter((name) => !ours.has(name)),
  );
  if (speech === "denies") return isOther && !isOurs;
  if (isOther && !isOurs) return false;
  const ids = idsOfCause(report);
  return (
    speech === "reasons" ||
    citations.some((one) => {
      if (one.kind === "observed") return false;
      return one.kind === "evidence" ? ids.has(one.id) : ours.has(baseOf(one.file));
    })
  );
}

/** The places and services of the first cause and of the chain from it. */
function namesOfCause({ root_cause: cause, chain }: Report): Set<string> {
  return namesOf([cause, ...chain]);
}

function namesOfOthers({ candidates, evidence, impact }: Report): Set<string> {
  return namesOf([...candidates, ...evidence, ...impact.services.map((service) => ({ service }))]);
}

interface Placed {
  readonly location?: Location | null | undefined;
  readonly service?: string | null | undefined;
}

function namesOf(placed: readonly Placed[]): Set<string> {
  const names = placed.flatMap(({ location, service }) => [
    ...(location ? [baseOf(location.file), location.function ?? ""] : []),
    service ?? "",
  ]);
  return new Set(names.filter((name) => name.length >= nameUnitsMin).map((name) => name.toLowerCase()));
}

function idsOfCause({ root_cause: cause, root_cause_summary: summary, candidates, chain }: Report): Set<string> {
  const stated = [...citedIds(summary), ...citedIds(cause.statement)];
  return new Set([...stated, ...[...candidates.slice(0, 1), ...chain].flatMap(({ evidence_ids: ids }) => ids)]);
}

function isNamedIn(sentence: string, names: Iterable<string>): boolean {
  const lower = sentence.toLowerCase();
  return [...names].some((name) => lower.includes(name));
}

function baseOf(file: string): string {
  return file.slice(file.lastIndexOf("/") + 1).toLowerCase();
}
