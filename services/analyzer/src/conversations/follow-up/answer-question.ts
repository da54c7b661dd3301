import { capital } from "@whence/vendors";
import { messageLimits } from "../message-limits.ts";
import { paragraph, steps } from "../message-parts.ts";
import type { Answer } from "./answer.ts";
import type { Intent } from "./intents.ts";
import { type Passage, passagesOf } from "./passages.ts";
import { type Question, readQuestion } from "./question.ts";
import { quotesOf } from "./quotes.ts";
import { type ReportedIncident, reportAnswers } from "./report-answers.ts";
import { type Found, searchPassages } from "./search-passages.ts";
import { type Term, termsOf } from "./terms.ts";

/** The origin of an answer: a part of the report, statements that a search found, or nothing. */
export type AnswerKind = Intent | "passages" | "unknown";

export interface KindOfAnswer extends Answer {
  readonly kind: AnswerKind;
}

/** The share of a topic's weight that a statement must have to be about it. */
const coverageMin = 0.5;
/** The number of statements in a search's answer. */
const passagesMax = 4;
/** Words that a message repeats from the question. */
const namedMax = 3;

/** Answers a question from the report, verbatim, or says that the report doesn't answer it. */
export function answerQuestion(incident: ReportedIncident, asked: string): KindOfAnswer {
  const question = readQuestion(asked);
  const { intent, isDecided, topic } = question;
  const found = searchPassages(question, passagesOf(incident.report));
  const isFound = topic.length > 0 && found.coverage >= coverageMin;
  // A topic that the report never mentions is about something else, whatever is asked about it.
  const isElsewhere = topic.length > 0 && !isFound;
  if (intent === null || isElsewhere) {
    return isFound
      ? fromPassages(incident, found)
      : unanswered(incident, question, unknownText(found), paragraph(null, languageText));
  }
  const { answer, missing } = reportAnswers[intent];
  const answered = answer(incident, question);
  if (answered && (isDecided || !isFound || mentions(answered, topic))) {
    return { kind: intent, ...answered, parts: [...answered.parts, ...alsoFound(found, isFound, answered)] };
  }
  return isFound ? fromPassages(incident, found) : unanswered(incident, question, missing);
}

function fromPassages({ report }: ReportedIncident, { passages }: Found): KindOfAnswer {
  const shown = passages.slice(0, passagesMax);
  const [first, ...rest] = shown;
  return {
    kind: "passages",
    headline: `${first?.isEvidence ? "From the evidence" : "The report says"}: ${first?.text ?? ""}`,
    parts: [
      ...steps(
        "It also says",
        rest.map(({ text }) => capital(text)),
      ),
      ...quotesOf(
        report,
        shown.flatMap(({ evidenceIds }) => evidenceIds),
        messageLimits.quotesMax - 1,
      ),
    ],
  };
}

function mentions({ headline, parts }: Answer, topic: readonly Term[]): boolean {
  const said = new Set(
    termsOf(`${headline}\n${JSON.stringify(parts)}`).flatMap(({ whole, parts: stems }) => [whole, ...stems]),
  );
  return topic.every(({ whole, parts: stems }) => said.has(whole) || stems.every((one) => said.has(one)));
}

/** Returns what the report says about the rest of a question whose intent is answered. */
function alsoFound({ passages }: Found, isFound: boolean, { headline, parts }: Answer): Answer["parts"] {
  if (!isFound) return [];
  const said = `${headline}\n${JSON.stringify(parts)}`;
  const isNew = ({ text }: Passage): boolean => !said.includes(text.replaceAll("`", "")) && text !== headline;
  return steps(
    "About what you name, the report says",
    passages
      .slice(0, 2)
      .filter(isNew)
      .map(({ text }) => capital(text)),
  );
}

/** The words that weren't recognized may be those of another language. */
const languageText = "The engine alone understands questions in English only.";

function unanswered(
  incident: ReportedIncident,
  question: Question,
  headline: string,
  why: Answer["parts"] = [],
): KindOfAnswer {
  const askable = Object.values(reportAnswers)
    .filter(({ answer, name }) => name !== "" && answer(incident, { ...question, topic: [], text: "" }))
    .map(({ name }) => name);
  return { kind: "unknown", headline, parts: [...why, ...paragraph("The report answers", `${askable.join("; ")}.`)] };
}

const disjunction = new Intl.ListFormat("en-US", { type: "disjunction" });

function unknownText({ unknown }: Found): string {
  const names = [...new Set(unknown.map(({ written }) => `"${written}"`))].slice(0, namedMax);
  return names.length === 0
    ? "The report doesn't answer that."
    : `The report doesn't answer that: it doesn't mention ${disjunction.format(names)}.`;
}
