import type { Findings } from "../findings/findings.ts";
import { type SignatureMatch, typeFamily } from "../findings/signature.ts";
import { ownSystem } from "../signals/inputs/alert.ts";
import { sentence } from "../words/prose.ts";
import { requestText, shownPlace, thrownIn } from "./failure.ts";
import { isForgottenElsewhere } from "./forgotten-promise.ts";
import { knownFailure } from "./known-failure.ts";
import { isSamePlace, type Link } from "./link.ts";
import type { Messages } from "./messages.en.ts";
import { nounOf } from "./nouns.ts";
import { ownCaller } from "./own-caller.ts";
import type { ReportInput } from "./report-input.ts";
import { errorsOf, wordings } from "./symptom.ts";
import { whatOf } from "./words.ts";

type Headlined = Pick<ReportInput, "findings" | "ranking" | "candidates" | "messages" | "shown">;

/** Returns what is known and where to look first, without a cause. */
export function unknownLead({ findings, ranking, candidates, messages, shown }: Headlined): readonly string[] {
  const chain = (candidates[0]?.chain ?? []).filter((link) => !isForgottenElsewhere(link, findings));
  const [origin] = chain;
  if (origin?.kind === "dependency") return [sentence(whatOf(origin, messages))];
  const { bareStack } = ranking.confidence;
  const starts = bareStack ? [messages.headline.bareStack[bareStack]] : startsOf(chain, findings, messages, shown);
  const unknown = unknownOf(chain, findings, messages, starts);
  // A monitor says exactly what fails, which any failure with this status or word means less exactly.
  if (findings.error.alert?.system === ownSystem) return unknown;
  const known = meaningOf(findings);
  if (known === null) return unknown;
  // The call that was one too many may be any, so no place is named.
  if (isRecursion(findings)) return [known];
  const seen = valueIn(chain, known, messages, starts);
  return [...seen, ...starts.map((start) => `${known} ${start}`), known, ...unknown];
}

/**
 * Returns which value was wrong and where to look first, where that is known: the error's text alone only says of what
 * kind it was.
 */
function valueIn(chain: readonly Link[], known: string, messages: Messages, starts: readonly string[]): string[] {
  const [start, last] = [chain[0], chain.at(-1)];
  if (!start || last?.kind !== "code" || last.args.signal.kind !== "bad-value") return [];
  const { expression, operand } = last.args.signal.args;
  if (known.includes(messages.noun(operand ?? expression))) return [];
  const seen = whatOf(last, messages);
  return isSamePlace(start, last)
    ? [messages.headline.startWhere(seen)]
    : starts.map((one) => `${sentence(seen)} ${one}`);
}

/** Returns where to look first, the fullest wording first; empty when no place is known. */
export function startsOf(
  chain: readonly Link[],
  findings: Findings,
  messages: Messages,
  shown: Headlined["shown"],
): readonly string[] {
  const place = chain.find(({ location }) => location !== null);
  const caller = place ? ownCaller(place, findings) : null;
  const noun = place ? nounOf(place, messages) : null;
  if (noun === null) return [];
  if (!caller) return [messages.headline.startAt(noun)];
  const own = messages.place(shownPlace(caller, shown));
  return [messages.headline.startAtCaller(own, noun), messages.headline.startAt(own)];
}

/** Returns whether the known failure names a function of own code that repeats on a stack that overflowed. */
export function isRecursion({ signatures: [match] }: Findings): boolean {
  return match?.signature.category === "infinite-loop" && match.groups.repeated !== undefined;
}

/** Returns what a known failure means. What a type alone says is less than the error's own message. */
export function meaningOf(findings: Findings): string | null {
  const [match] = findings.signatures;
  if (match === undefined || (isOnlyType(match, findings) && !isRecursion(findings))) return null;
  return knownFailure(match, findings).meaning;
}

/** Returns whether a signature matches only the type of an error that own code threw with its own message. */
function isOnlyType({ signature, exception, matched }: SignatureMatch, { error, frames }: Findings): boolean {
  if (signature.id.startsWith(`${typeFamily}.`)) return true;
  const { type = "", message = "" } = error.exceptions[exception ?? -1] ?? {};
  const isOwn = frames.find((one) => one.exception === exception)?.frame.origin === "app";
  return isOwn && message !== "" && type.includes(matched);
}

function unknownOf(
  chain: readonly Link[],
  findings: Findings,
  messages: Messages,
  starts: readonly string[],
): readonly string[] {
  const symptom = chain.at(-1);
  if (symptom?.kind === "alert" || symptom?.kind === "text")
    return [...wordings(symptom, messages).map(sentence), ...messages.headline.unknown(null)];
  const thrown = thrownIn(findings);
  const request = requestText(findings);
  const failing = (thrown ? errorsOf(thrown) : []).map((error) => messages.headline.fails(request, error));
  const unknown = failing.length === 0 ? messages.headline.unknown(null) : failing.flatMap(messages.headline.unknown);
  return [...unknown.flatMap((text) => starts.map((start) => `${text} ${start}`)), ...unknown];
}
