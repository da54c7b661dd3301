import type { Findings } from "../findings.ts";
import { cited } from "../prose.ts";
import { extentOf } from "./extent.ts";
import { requestText } from "./failure.ts";
import { knownFailure } from "./known-failure.ts";
import type { Link } from "./link.ts";
import { thrownText } from "./messages/links.ts";
import type { Messages } from "./messages.en.ts";
import { isOnChain, nounOf, ownLinkOf, subjectNoun } from "./nouns.ts";
import type { Telling, ToldCandidate } from "./told.ts";
import { whatOf } from "./words.ts";

/** A headline has so many words at most, its citation counted as one. */
const headlineWordsMax = 25;
/** Below this no cause is named. */
export const namesCauseFrom = 0.4;
/** Below this the cause is called likely. */
const plainFrom = 0.6;

/** What a headline is made from. */
type Headlined = Pick<Telling, "findings" | "ranking" | "told" | "messages" | "shown">;

/** One or two sentences: the origin, and the symptom with since when and how much. */
export function headlineOf(headlined: Headlined, ids: readonly string[]): string {
  const lead = leadOf(headlined);
  const tails = namesCause(headlined) ? tailsOf(headlined) : [];
  const fitting = lead.flatMap((first, index) => {
    const full = ["", ...tails].map((tail) => [first, tail].filter((part) => part !== "").join(" "));
    return full.map((text, tail) => ({ text, worth: worthOf(index, tail) }));
  });
  const best = fitting
    .filter(({ text }) => wordsOf(text) < headlineWordsMax)
    .toSorted((left, right) => right.worth - left.worth)[0];
  return cited(best?.text ?? shortest(headlined), ids.slice(0, 1));
}

function namesCause({ ranking: { confidence } }: Headlined): boolean {
  return confidence.about !== "failure" && confidence.score >= namesCauseFrom;
}

/** The first lead and the first tail are worth most; a tail is worth more than a longer lead. */
function worthOf(lead: number, tail: number): number {
  return (tail === 0 ? 0 : 2 - tail * 0.1) - lead * 0.9;
}

export function wordsOf(text: string): number {
  return text.split(/\s+/).filter((word) => word !== "").length;
}

function leadOf(headlined: Headlined): readonly string[] {
  const { ranking, told, messages, findings, shown } = headlined;
  const [first, second] = told;
  const [origin] = first?.chain ?? [];
  const { confidence } = ranking;
  if (!first || !origin) return [];
  if (!namesCause(headlined)) return unknownLead(headlined);
  if (isTie(headlined) && second) {
    const [one = "", other = ""] = [first, second].map(({ candidate }) => subjectNoun(candidate, messages, shown));
    return messages.headline.tie(one, other);
  }
  const said = originLead(origin, first, findings, messages);
  if (confidence.score >= plainFrom) return said;
  return said.flatMap((text) => messages.headline.likely(text));
}

/** Whether the second candidate is another cause that is about as likely, and not a link of the first one's chain. */
export function isTie({ ranking, told: [first, second] }: Pick<Telling, "ranking" | "told">): boolean {
  return (
    ranking.confidence.isTie && first !== undefined && second !== undefined && !isOnChain(second.candidate, first.chain)
  );
}

function originLead(
  origin: Link,
  { chain, candidate }: ToldCandidate,
  findings: Findings,
  messages: Messages,
): readonly string[] {
  const last = chain.at(-1);
  const because = last && last !== origin ? whatOf(last, messages) : null;
  if (origin.kind === "end")
    return [whatOf(origin, messages), messages.ended(origin.args.end)].flatMap((what) =>
      messages.headline.origin(what),
    );
  if (origin.kind !== "release") return messages.headline.origin(whatOf(origin, messages));
  const { deploy } = origin.args;
  const own = ownLinkOf(candidate, chain);
  const answer = chain.find((link) => link.kind === "changed-answer");
  if (answer?.kind === "changed-answer" && answer.args.field !== null) {
    const reader = own.kind === "code" ? own : chain.find((link) => link.kind === "code");
    return messages.headline.stoppedSending(
      deploy,
      answer.args.field,
      reader?.kind === "code" ? reader.args.place : null,
    );
  }
  if (deploy.verdict !== "suspect") return messages.headline.releaseNear(deploy, because);
  return messages.headline.releaseBroke(deploy, messages.noun(requestText(findings) ?? deploy.service), because);
}

/** What is known, where to look first, and no cause. */
function unknownLead({ findings, told, messages }: Headlined): readonly string[] {
  const chain = told[0]?.chain ?? [];
  const known = findings.signatures[0] ? knownFailure(findings.signatures[0]).meaning : null;
  const [origin] = chain;
  if (origin?.kind === "dependency") return [...messages.headline.origin(whatOf(origin, messages))];
  if (known !== null) return [known, ...unknownOf(chain, findings, messages)];
  return unknownOf(chain, findings, messages);
}

function unknownOf(chain: readonly Link[], findings: Findings, messages: Messages): readonly string[] {
  const symptom = chain.at(-1);
  if (symptom?.kind === "alert" || symptom?.kind === "text")
    return [...messages.headline.origin(whatOf(symptom, messages)), ...messages.headline.unknown(messages.failing())];
  const start = chain.find(({ location }) => location !== null);
  const errors = thrownOf(findings);
  const unknown = (errors.length === 0 ? [messages.failing()] : errors).flatMap((error) =>
    messages.headline.unknown(messages.headline.fails(requestText(findings), error)),
  );
  if (!start) return unknown;
  return [...unknown.map((text) => `${text} ${messages.headline.startAt(nounOf(start, messages))}`), ...unknown];
}

function typeOf({ error }: Findings): string | null {
  return error.exceptions[error.chain.at(-1) ?? -1]?.type ?? null;
}

/** The error with its message, and by its type alone. */
function thrownOf({ error }: Findings): string[] {
  const inner = error.exceptions[error.chain.at(-1) ?? -1];
  const [message = ""] = inner?.message.split("\n", 1) ?? [];
  return inner ? [thrownText(inner.type, message), inner.type] : [];
}

function tailsOf({ findings, told, messages }: Headlined): readonly string[] {
  const chain = told[0]?.chain ?? [];
  const [origin, symptom] = [chain[0], chain.at(-1)];
  const contrast =
    origin?.kind === "release" && origin.args.deploy.verdict === "suspect"
      ? messages.headline.contrast(origin.args.deploy)
      : null;
  const extent = extentOf(findings);
  const extents = messages.headline.extent(extent);
  const isFurther = symptom !== undefined && symptom !== origin && saysMore(symptom);
  const follows = isFurther ? [messages.headline.symptom(whatOf(symptom, messages))] : [];
  // That a single event happened says less than what it was.
  const isMany = (extent.events ?? 0) > 1 || extent.requests !== null;
  const tails = isMany && origin?.kind !== "code" ? [...extents, ...follows] : [...follows, ...extents];
  return [...(contrast === null ? [] : [contrast]), ...tails];
}

/** A thrown error without a place or a request only repeats the origin. */
function saysMore(symptom: Link): boolean {
  if (symptom.kind === "text") return false;
  return symptom.kind !== "failure" || symptom.args.place !== null || symptom.args.request !== null;
}

/** When every variant is too long: the name of the error and its place, or only its name. */
function shortest({ findings, told, messages }: Headlined): string {
  const chain = told[0]?.chain ?? [];
  const start = chain.find((link) => link.kind === "code" || link.kind === "failure");
  const place = start?.kind === "code" || start?.kind === "failure" ? start.args.place : null;
  const [text = ""] = messages.headline.thrown(typeOf(findings) ?? messages.failing(), place);
  const [plain = ""] = messages.headline.thrown(typeOf(findings) ?? messages.failing(), null);
  const said = wordsOf(text) < headlineWordsMax ? text : plain;
  return wordsOf(said) < headlineWordsMax ? said : (messages.headline.unknown(messages.failing())[0] ?? "");
}
