import type { Solution } from "@whence/protocol";
import type { Findings } from "../findings/findings.ts";
import { observeSignature } from "../findings/observe-input.ts";
import { isAbsent } from "../signals/code/bad-value.ts";
import { missingElsewhereFix } from "../signals/code/step-advice.ts";
import type { ValueSource } from "../signals/code/value-sources.ts";
import { replacesKnownFix } from "../signals/signal.ts";
import type { Advice } from "../words/link-words.ts";
import { absentFileFix } from "./absent-files.ts";
import { isForgottenElsewhere } from "./forgotten-promise.ts";
import { namesCauseFrom } from "./headline.ts";
import { knownFailure } from "./known-failure.ts";
import { isRecursionLink, isSamePlace, type Link } from "./link.ts";
import type { Messages } from "./messages.en.ts";
import { plain } from "./next-checks.ts";
import { isInstalledPlace } from "./nouns.ts";
import { reachedLimitFix } from "./reached-limits.ts";
import type { ChainedCandidate, ReportInput } from "./report-input.ts";
import { isCall, testsResponse } from "./tested-response.ts";
import { unmatchedFix } from "./unmatched-text.ts";
import { whereToLook } from "./where-to-look.ts";
import { partOf } from "./words.ts";

const fixesMax = 3;

/** What to do: first what stops the failure, then the code at the place; and what prevents it from coming back. */
export interface Fixes {
  readonly now: Solution[];
  readonly later: Solution[];
}

/** Links that are operated rather than programmed: undoing them is faster than changing code. */
const operated: ReadonlySet<Link["kind"]> = new Set([
  ...(["change-event", "problem", "deploy", "setting", "dependency", "process-state", "exit"] as const),
]);

/** Links that say where to look even when no cause is named. */
const unsure: ReadonlySet<Link["kind"]> = new Set(["dependency", "exit"]);

/** Returns the fixes of a report, from the first candidate's chain and the known failure. */
export function fixesOf(input: ReportInput): Fixes {
  const { candidates, ranking } = input;
  const [first] = candidates;
  if (!first) return { now: [], later: [] };
  const isNamed = ranking.confidence.engineScore >= namesCauseFrom;
  const chain = isNamed ? first.chain : first.chain.filter(({ kind }) => unsure.has(kind));
  const urgent = chain.filter(({ kind }) => operated.has(kind));
  const rest = chain.filter(
    (link) => !urgent.includes(link) && link.kind !== "frame" && !isAboutAnother(link, chain, input),
  );
  // What to do about a recursion says all that is known of an overflowed stack.
  const isOwnRecursion = rest.some((link) => isRecursionLink(link) && !isInstalledPlace(link.location?.file ?? "", []));
  const advised = isOwnRecursion ? { now: [], later: [] } : knownAdvice(input);
  const known = rest.some(saysKnownFix) ? { now: [], later: advised.later.map(withoutDetail) } : advised;
  const unmatched = unmatchedFix(first.chain.at(-1));
  const changed = unmatched
    ? [solution(unmatched, first.citedIds), ...known.now]
    : ofChanged(rest, "fix", known.now, input);
  const absent = isNamed ? null : absentFileFix(input.findings.notChecked);
  const now = [...ofLinks(urgent, "fix", input), ...(absent ? [solution(absent, first.citedIds)] : []), ...changed];
  const unprepared = testsResponse(chain) ? rest.filter((link) => !isCall(link)) : rest;
  const prevented = unmatched
    ? [...known.later, ...ofLinks(rest.slice(-1), "prevent", input)]
    : ofChanged(unprepared, "prevent", known.later, input);
  const later = [...ofLinks(urgent, "prevent", input), ...prevented];
  const itself = first.chain.filter((link) => !isAboutAnother(link, first.chain, input));
  const start = now.length === 0 ? ofChanged(itself, "fix", [], input) : [];
  const all = distinct([...now, ...start]);
  return { now: all.length > 0 ? all : lookAt(first, input), later: distinct(later) };
}

/** What the known failure means is said more exactly by the code. */
function withoutDetail(one: Solution): Solution {
  return { ...one, detail: "" };
}

function saysKnownFix(link: Link): boolean {
  return link.kind === "code" && replacesKnownFix(link.args.signal);
}

/** Returns whether the remedy for a link fits only another failure than this one. */
function isAboutAnother(link: Link, chain: readonly Link[], { findings }: ReportInput): boolean {
  return isForgottenElsewhere(link, findings) || (isNothingFound(link) && !chain.some(isAbsentValue));
}

/** A lookup without a result, or a missing entry, explains only a value that is missing where it was used. */
function isNothingFound(link: Link): boolean {
  if (link.kind !== "code") return false;
  const { signal } = link.args;
  return signal.kind === "value-step" && nothingFound.has(signal.args.how);
}

const nothingFound: ReadonlySet<ValueSource> = new Set(["lookup", "returns-nothing", "missing-key"]);

function isAbsentValue(link: Link): boolean {
  return link.kind === "code" && link.args.signal.kind === "bad-value" && isAbsent(link.args.signal.args);
}

/** Without a remedy: what to look at, with what refused the value, or how the known failure shows there. */
function lookAt({ chain, citedIds }: ChainedCandidate, input: ReportInput): Solution[] {
  const { findings, messages } = input;
  const advice = whereToLook(chain, input);
  if (!advice) return [];
  const check = chain[0] === chain.at(-1) ? checkThere(findings, messages) : "";
  return [solution(check === "" ? advice : { ...advice, detail: check }, citedIds)];
}

/** Returns what shows that the known failure is there; empty where none is known. */
function checkThere(findings: Findings, messages: Messages): string {
  const [match] = findings.signatures;
  const check = match ? knownFailure(match, findings).confirmedBy : null;
  return check === null ? "" : messages.analysis.confirmed(check);
}

/**
 * Returns the advice for all links but the last, and for the known failure; without any, for the last one, which only
 * failed. Where the failure began elsewhere, what to change isn't there.
 */
function ofChanged(
  links: readonly Link[],
  part: "fix" | "prevent",
  known: readonly Solution[],
  input: ReportInput,
): Solution[] {
  const [start, last] = [links[0], links.at(-1)];
  const others = [...ofLinks(links.slice(0, -1), part, input), ...known];
  const isElsewhere = part === "fix" && start && last && start !== last && !isSamePlace(start, last);
  return others.length > 0 || isElsewhere ? others : ofLinks(links.slice(-1), part, input);
}

function ofLinks(links: readonly Link[], part: "fix" | "prevent", input: ReportInput): Solution[] {
  const { book, messages } = input;
  // No one changes an installed package in place.
  const own = links.filter(({ kind, location }) => kind !== "code" || !isInstalledPlace(location?.file ?? "", []));
  return own.flatMap((link) => {
    const special = part === "fix" ? (ofReachedLimit(link, input) ?? ofSetData(link, input)) : null;
    const advice = special ?? partOf(link, part, messages);
    return advice
      ? [
          solution(
            advice,
            link.evidence.map((one) => book.cite(one)),
          ),
        ]
      : [];
  });
}

function ofReachedLimit(link: Link, { candidates: [first], findings: { error } }: ReportInput): Advice | null {
  if (link.kind !== "code" || link.args.signal.kind !== "value-step") return null;
  return reachedLimitFix({ ...link.args.signal.args, place: link.args.place }, error, first?.candidate);
}

/** Data that sets a key doesn't explain that its value was missing: other data lacks it. */
function ofSetData(link: Link, { candidates: [first] }: ReportInput): Advice | null {
  if (link.kind !== "code" || link.args.signal.kind !== "value-step" || !first?.chain.some(isAbsentValue)) return null;
  return missingElsewhereFix({ ...link.args.signal.args, place: link.args.place });
}

/**
 * Leaves out of the fixes what the headline says. What a known failure means is replaced: by what to check for the fix,
 * and by nothing for what prevents it.
 */
export function saidOnce(fixes: Fixes, headline: string, { findings, messages }: ReportInput): Fixes {
  const { now, later } = meantOnce(fixes, headline, findings, messages);
  const said = plain(headline);
  return { now: now.map((one) => (said.includes(plain(one.detail)) ? { ...one, detail: "" } : one)), later };
}

function meantOnce({ now, later }: Fixes, headline: string, findings: Findings, messages: Messages): Fixes {
  const [match] = findings.signatures;
  const { meaning = null, confirmedBy = null } = match ? knownFailure(match, findings) : {};
  if (meaning === null) return { now, later };
  const isSaid = headline.includes(meaning);
  const check = confirmedBy === null ? null : messages.analysis.confirmed(confirmedBy);
  const checked = now.map((one) => (isSaid && one.detail === meaning ? { ...one, detail: check ?? meaning } : one));
  const isRepeated = isSaid || now.some(({ detail }) => detail === meaning);
  return {
    now: checked,
    later: later.map((one) => (isRepeated && one.detail === meaning ? { ...one, detail: "" } : one)),
  };
}

function knownAdvice({ findings, book }: ReportInput): Fixes {
  const [match] = findings.signatures;
  if (!match) return { now: [], later: [] };
  const { fix, prevent } = knownFailure(match, findings);
  const ids = fix || prevent ? [book.cite(observeSignature(findings, match))] : [];
  return { now: fix ? [solution(fix, ids)] : [], later: prevent ? [solution(prevent, ids)] : [] };
}

function solution({ title, detail, rollsBack }: Advice, ids: readonly string[]): Solution {
  return { title, detail, ...(rollsBack && { rolls_back: rollsBack }), evidence_ids: [...new Set(ids)] };
}

function distinct(solutions: readonly Solution[]): Solution[] {
  return solutions
    .filter(({ title }, index) => solutions.findIndex((one) => one.title === title) === index)
    .slice(0, fixesMax);
}
