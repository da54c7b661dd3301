import type { Findings } from "../findings/findings.ts";
import type { Observation } from "../findings/observation.ts";
import { ofKind } from "../findings/of-kind.ts";
import type { Candidate } from "../rank/candidate.ts";
import type { ValueSource } from "../signals/code/value-sources.ts";
import { cited, sentence, shortCode } from "../words/prose.ts";
import { shownLinks } from "./chain.ts";
import { extentOf } from "./extent.ts";
import { requestText, shownPlace, thrownAt, thrownIn } from "./failure.ts";
import { isForgottenElsewhere } from "./forgotten-promise.ts";
import { handedOnLead } from "./handed-value.ts";
import { isRecursionLink, isSamePlace, type Link } from "./link.ts";
import type { Messages } from "./messages.en.ts";
import { isOnChain, ownLinkOf, subjectNoun } from "./nouns.ts";
import { ownCaller } from "./own-caller.ts";
import { refusalLead } from "./refusal-lead.ts";
import type { ChainedCandidate, ReportInput } from "./report-input.ts";
import { scoresOf } from "./scores.ts";
import { statedLimit } from "./stated-limits.ts";
import { statedValue, suggestedName } from "./stated-values.ts";
import { isHandedOn, isValueStep, isWholeFile, symptomOf, wordings } from "./symptom.ts";
import { isRecursion, unknownLead } from "./unknown-lead.ts";
import { whatOf } from "./words.ts";

/** Maximum words of a headline, including its citation as one. */
const headlineWordsMax = 25;
/** Below this confidence no cause is named. */
export const namesCauseFrom = 0.4;
/** Below this confidence, the headline says "likely". */
const plainFrom = 0.6;
/** The same where the cause only handed a value on to the place that failed: that it did is no mistake. */
const plainFromAfar = 0.9;

/** The input of a headline. */
type Headlined = Pick<ReportInput, "findings" | "ranking" | "candidates" | "locals" | "messages" | "shown">;

/** A part of a headline, and how much its presence is worth. */
interface Part {
  readonly text: string;
  readonly worth: number;
  /** The only value that it says. */
  readonly value?: string;
}

/** Saying both where the failure came from and what broke is worth the most, then since when and how much. */
const worth = {
  both: 4,
  place: 0.5,
  contrast: 3,
  symptom: 2.5,
  values: 2.4,
  limit: 2.2,
  from: 1.5,
  extent: 2,
  shorter: 0.3,
} as const;

/** Returns one or two sentences: the origin, the symptom, and since when and how much. */
export function headlineOf(headlined: Headlined, ids: readonly string[]): string {
  const leads = leadsOf(headlined);
  const nothing: Part = { text: "", worth: 0 };
  const tails = [
    nothing,
    ...valuesOf(headlined),
    ...limitOf(headlined),
    ...(namesCause(headlined) ? tailsOf(headlined) : []),
  ];
  const best = leads
    .flatMap((lead) => tails.filter((tail) => !states(lead, tail)).map((tail) => joined(lead, tail)))
    .filter(({ text }) => wordsOf(text) < headlineWordsMax)
    .toSorted((left, right) => right.worth - left.worth)[0];
  return cited(best?.text ?? shortest(headlined), ids.slice(0, 1));
}

/** Returns whether a lead says what a tail does: it quotes the value, or has all figures of the limit. */
function states(lead: Part, tail: Part): boolean {
  if (tail.value !== undefined && lead.text.includes(tail.value)) return true;
  const figures = tail.text.match(/\b\d+\b/g) ?? [];
  return tail.worth === worth.limit && figures.every((figure) => lead.text.includes(figure));
}

function joined(lead: Part, tail: Part): Part {
  return { text: [lead.text, tail.text].filter((text) => text !== "").join(" "), worth: lead.worth + tail.worth };
}

/** Returns variants of one part, the longest and best first. */
function variants(texts: readonly string[], best = 0): Part[] {
  return texts.map((text, index) => ({ text, worth: best - index * worth.shorter }));
}

/**
 * Returns the link that a headline starts with. A release supported by a comparison says more than its deployment does;
 * one that is only near in time says less than what happened after it, such as how processes ended.
 */
export function originOf(chain: readonly Link[]): Link | undefined {
  const end = chain.find((link) => link.kind === "exit");
  if (end && chain[0]?.kind === "deploy") return end;
  const suspect = chain.find((link) => link.kind === "deploy" && link.args.deploy.verdict === "suspect");
  if (suspect) return suspect;
  return chain[0]?.kind === "deploy" && chain[1]?.kind === "problem" ? chain[1] : chain[0];
}

/** Returns what was seen that shows that a candidate is the cause; null where nothing was. */
export function confirmedBy({ subject }: Candidate, { verdicts }: Findings): Observation | null {
  const verdict = verdicts?.about(subject);
  return verdict?.seen === "confirmed" ? verdict.observation : null;
}

function namesCause({ ranking: { confidence } }: Headlined): boolean {
  return (confidence.about === "file" || confidence.about === "service") && confidence.engineScore >= namesCauseFrom;
}

export function wordsOf(text: string): number {
  return text.split(/\s+/).filter((word) => word !== "").length;
}

function leadsOf(headlined: Headlined): readonly Part[] {
  const { ranking, candidates, messages, findings, shown } = headlined;
  const [first, second] = candidates;
  const origin = originOf(first?.chain ?? []);
  if (!first || !origin) return [];
  const last = first.chain.at(-1);
  if (
    !namesCause(headlined) ||
    isForgottenElsewhere(origin, findings) ||
    isWholeFile(origin) ||
    isOneTooMany(first.chain, findings)
  )
    return variants(unknownLead(headlined));
  if (isTie(headlined) && second) {
    const [one, other] = [first, second].map(({ candidate }) => subjectNoun(candidate, messages, shown));
    if (one && other) return variants(messages.headline.tie(one, other));
  }
  const isAfar = isHandedOn(origin) && last !== undefined && !isSamePlace(origin, last);
  const isPlain = ranking.confidence.score >= (isAfar ? plainFromAfar : plainFrom);
  return originLead(origin, first, headlined, isPlain);
}

/** Returns whether a chain shows no more than the call that overflowed the stack, rather than the recursion. */
function isOneTooMany(chain: readonly Link[], findings: Findings): boolean {
  const [origin, last] = [chain[0], chain.at(-1)];
  if (!origin || !last || !isSamePlace(origin, last) || !isRecursion(findings)) return false;
  return !chain.some(isRecursionLink);
}

/** Scores this many points apart, of 100, aren't about equal. */
const tiePointsMax = 10;

/**
 * Returns whether the second candidate is a different cause that is about as likely, also by the scores that the report
 * shows, rather than a link of the first one's chain.
 */
export function isTie({ ranking, candidates: [first, second] }: Pick<ReportInput, "ranking" | "candidates">): boolean {
  const [score = 0, next = 0] = scoresOf(ranking);
  const isTied = ranking.confidence.isTie && Math.round(100 * (score - next)) < tiePointsMax;
  return isTied && first !== undefined && second !== undefined && !isOnChain(second.candidate, first.chain);
}

function originLead(
  origin: Link,
  { chain, candidate }: ChainedCandidate,
  { findings, messages, shown }: Headlined,
  isPlain: boolean,
): readonly Part[] {
  const { headline } = messages;
  const symptom = symptomOf(origin, chain, messages);
  const fact = confirmedBy(candidate, findings)?.fact;
  if (fact?.kind === "observed") {
    const seen = headline.seen(fact.observed);
    const both = symptom.texts.flatMap((text) => seen.map((one) => headline.ledTo(one, "and", text)));
    return [...variants(both.map(sentence), worth.both), ...variants(seen.map(sentence))];
  }
  if (fact?.kind === "undone-change") {
    const change = headline.undone(fact.undone);
    const both = symptom.texts.map((text) => headline.ledTo(change, "colon", text));
    return [...variants(both.map(sentence), worth.both), ...variants([sentence(change)])];
  }
  const said = (texts: readonly string[], best = 0): Part[] =>
    variants(isPlain ? texts.map(sentence) : texts.map((text) => headline.likely(text)), best);
  if (origin.kind === "exit") return said([whatOf(origin, messages), messages.ended(origin.args.exit)]);
  if (origin.kind === "off-stack")
    return variants(
      [...symptom.texts, null].map((text) => headline.offStack(origin.args.place, text, isPlain)),
      worth.both,
    );
  if (origin.kind !== "deploy") {
    const refused = refusalLead(origin, chain, { findings, messages, shown });
    if (refused.length > 0) return variants(refused, worth.both);
    const caller = ownCaller(origin, findings);
    const called = caller ? messages.calledFrom(shownPlace(caller, shown)) : null;
    return ofPair(origin, chain, called, messages, said, isPlain);
  }
  const { deploy } = origin.args;
  const own = ownLinkOf(candidate, chain);
  const answer = chain.find((link) => link.kind === "changed-answer");
  if (answer?.kind === "changed-answer" && answer.args.field !== null) {
    const reader = own.kind === "code" ? own : chain.find((link) => link.kind === "code");
    return said(
      headline.stoppedSending(origin.args, answer.args.field, reader?.kind === "code" ? reader.args.place : null),
      worth.both,
    );
  }
  const lead =
    deploy.verdict === "suspect"
      ? headline.releaseBroke(deploy, messages.noun(requestText(findings) ?? deploy.service))
      : headline.releaseNear(deploy);
  const leads = [...headline.releaseChanged(origin.args), lead];
  return [
    ...said(throughPlace(own, chain, leads, messages), worth.both + worth.place),
    ...said(
      leads.flatMap((one) => symptom.texts.map((text) => headline.ledTo(one, "colon", text))),
      worth.both,
    ),
    ...said(leads),
  ];
}

/** Returns a release with the place to change, and what failed there; empty where that is the symptom's own place. */
function throughPlace(own: Link, chain: readonly Link[], leads: readonly string[], messages: Messages): string[] {
  const last = chain.at(-1);
  const isPlace = own.kind === "code" || own.kind === "frame" || own.kind === "off-stack";
  if (!isPlace || own === last || !last || isSamePlace(own, last) || !shownLinks(chain).includes(own)) return [];
  const place = messages.place(own.args.place);
  const { texts, join } = symptomOf(own, chain, messages);
  const what = whatOf(own, messages);
  const stories = [...texts.map((text) => messages.headline.ledTo(what, join, text)), what];
  return leads
    .filter((lead) => !lead.includes(place))
    .flatMap((lead) => stories.map((story) => messages.headline.ledTo(lead, "colon", story)));
}

/**
 * Returns the origin with its symptom, or the symptom alone where the value was first seen where it failed, with the
 * call of own code that led there.
 */
function ofPair(
  origin: Link,
  chain: readonly Link[],
  called: string | null,
  messages: Messages,
  said: (texts: readonly string[], best?: number) => Part[],
  isPlain: boolean,
): readonly Part[] {
  const last = chain.at(-1) ?? origin;
  const within = (texts: readonly string[]): readonly Part[] =>
    called === null
      ? []
      : said(
          texts.map((text) => messages.headline.ledTo(text, "within", called)),
          worth.both + worth.place,
        );
  if (isValueStep(origin) && isSamePlace(origin, last)) {
    const alone = [...readAndFailed(origin, last, messages), ...wordings(last, messages)];
    return [...within(alone), ...said(alone, worth.both)];
  }
  const { texts, join } = symptomOf(origin, chain, messages);
  if (texts.length === 0) {
    const alone = wordings(origin, messages);
    return [...within(alone), ...said(alone, worth.both)];
  }
  const from = isValueStep(origin) ? texts.map((text) => messages.headline.from(text, origin.args.place)) : [];
  const [handedOn, ...shorter] = handedOnLead(origin, last, texts, isPlain, messages);
  if (handedOn !== undefined)
    return [...variants([handedOn], worth.both), ...variants(shorter, worth.from), ...said(from)];
  const whats = originTexts(worded(origin, chain), messages).map(withShortCode);
  const pairs = texts.flatMap((text) => whats.map((what) => messages.headline.ledTo(what, join, text)));
  const isTooLong = whats.every((what) => wordsOf(what) >= headlineWordsMax);
  const place = origin.kind === "code" && isTooLong ? origin.args.place : null;
  const inPlace = place === null ? [] : texts.map((text) => messages.headline.inPlace(place, text, isPlain));
  return [...said(pairs, worth.both), ...said(from, worth.from), ...said(whats), ...variants(inPlace)];
}

/** Values that a reader can look up, rather than what the failing line computes. */
const readable: ReadonlySet<ValueSource> = new Set(["property", "environment", "setting", "lookup", "answer-field"]);

/** Returns what a line reads and how it then fails; empty where the failure names what was read. */
function readAndFailed(origin: Link, last: Link, messages: Messages): string[] {
  if (origin.kind !== "code" || last.kind !== "code" || last.args.signal.kind !== "throw-site") return [];
  const { signal, place } = origin.args;
  if (signal.kind !== "value-step" || !readable.has(signal.args.how)) return [];
  if (last.args.signal.args.expression?.includes(signal.args.code)) return [];
  const start = `${messages.place(place)} `;
  const what = whatOf(origin, messages);
  return wordings(last, messages).flatMap((text) =>
    text.startsWith(start) && what.startsWith(start) ? [`${what} and ${text.slice(start.length)}`] : [],
  );
}

function originTexts(origin: Link, messages: Messages): string[] {
  if (origin.kind === "frame") return wordings(origin, messages);
  const what = whatOf(origin, messages);
  return origin.kind === "change-event" ? [what, messages.headline.changed(origin.args)] : [what];
}

/** Shortens an origin's code, which the chain quotes in full. */
function withShortCode(text: string): string {
  return text.replace(/(?<!`)`([^`]+)`(?!`)/g, (_, code: string) => `\`${shortCode(code)}\``);
}

/** A single failed call is worded as it was recorded, and an unset variable by the line that reads it. */
function worded(origin: Link, chain: readonly Link[]): Link {
  if (origin.kind === "setting") return chain.find((link) => readsUnset(link, origin.args.name)) ?? origin;
  if (origin.kind !== "failing-calls" || origin.args.calls.of > 1) return origin;
  return chain.find(({ kind }) => kind === "call") ?? origin;
}

function readsUnset(link: Link, name: string): boolean {
  if (link.kind !== "code" || link.args.signal.kind !== "value-step") return false;
  const { how, name: read, isSet } = link.args.signal.args;
  return how === "environment" && read === name && isSet === false;
}

/**
 * Returns the text that the error says couldn't be read, or the name that it suggests, or else what variables of the
 * failing code were.
 */
function valuesOf(headlined: Headlined): readonly Part[] {
  const { findings, messages } = headlined;
  const inner = findings.error.exceptions[findings.error.chain.at(-1) ?? -1];
  const [stated, suggested] = inner ? [statedValue(inner), suggestedName(inner)] : [null, null];
  if (stated !== null) return [{ text: messages.headline.statedValue(stated), worth: worth.values, value: stated }];
  return suggested === null
    ? localsOf(headlined)
    : [{ text: messages.headline.suggested(suggested), worth: worth.values, value: suggested }];
}

/** Returns what variables of the failing code were, except those that the chain already says. */
function localsOf({ locals, candidates, messages }: Headlined): readonly Part[] {
  if (!locals) return [];
  const { values, place } = locals.fact;
  const last = candidates[0]?.chain.at(-1);
  const told = last ? whatOf(last, messages) : "";
  const untold = values.filter(
    ({ name, value }) => !told.includes(`${messages.noun(name)}, which is ${messages.noun(value)}`),
  );
  const counts = [valuesShown, 1].filter((count) => count <= untold.length);
  return variants(
    counts.map((count) => messages.headline.values(untold.slice(0, count), place.function)),
    worth.values,
  );
}

const valuesShown = 2;

/** Returns the limit that the error says was reached, with its figures, or a heap that may outgrow its container. */
function limitOf({ findings, candidates, messages }: Headlined): readonly Part[] {
  const said =
    statedLimit(thrownIn(findings)?.message ?? "") ?? heapLimit(findings, candidates[0]?.chain ?? [], messages);
  return variants(said === null ? [] : [said], worth.limit);
}

function heapLimit({ observations }: Findings, chain: readonly Link[], { headline }: Messages): string | null {
  if (!chain.some((link) => link.kind === "exit" && link.args.exit.kind === "out-of-memory")) return null;
  const { heapLimitBytes: heap = null, memoryLimitBytes: memory = null } =
    ofKind(observations, "vital-signs").at(-1)?.fact.reading ?? {};
  return heap !== null && memory !== null && heap > memory ? headline.heapAboveMemory(heap, memory) : null;
}

function tailsOf(headlined: Headlined): readonly Part[] {
  const { findings, candidates, messages } = headlined;
  const chain = candidates[0]?.chain ?? [];
  const origin = originOf(chain);
  const contrast =
    origin?.kind === "deploy" && origin.args.deploy.verdict === "suspect"
      ? messages.headline.contrast(origin.args.deploy)
      : null;
  const last = chain.at(-1);
  const leadSaysOrigin = origin?.kind === "exit" || chain.some(({ kind }) => kind === "changed-answer");
  const isApart = isTie(headlined) || (leadSaysOrigin && last !== origin);
  const symptoms = isApart && last && last.kind !== "text" ? wordings(last, messages) : [];
  return [
    ...variants(contrast === null ? [] : [contrast], worth.contrast),
    ...variants(messages.headline.extent(extentOf(findings)), worth.extent),
    ...variants(symptoms.map(sentence), worth.symptom),
  ];
}

/** Returns the name of the error and its place, or only its name, when every variant is too long. */
function shortest({ findings, candidates, messages }: Headlined): string {
  const { headline } = messages;
  const [unknown = ""] = headline.unknown(null);
  const chain = candidates[0]?.chain ?? [];
  const start = chain.findLast((link) => link.kind === "code" || link.kind === "failure");
  const thrown = start?.location ? thrownAt(findings, start.location) : thrownIn(findings);
  if (!thrown) return unknown;
  const place = start?.kind === "code" || start?.kind === "failure" ? start.args.place : null;
  const said = [place, null].flatMap((where) => headline.thrown(thrown.type, where));
  return said.find((text) => wordsOf(text) < headlineWordsMax) ?? unknown;
}
