import { type AnswerCitation, answerDropReasons, droppedText, modelFailureReasons } from "@whence/engine";
import type { Report } from "@whence/protocol";
import type { MessageDocument, MessagePart } from "@whence/vendors";
import type { AskModel, ModelAnswer } from "../../questions/ask-model.ts";
import type { AnsweredIncident } from "../compose-answer.ts";
import { confidenceWords } from "../confidence-words.ts";
import { facts, headlineFrom, paragraph } from "../message-parts.ts";
import { followUpAnswer } from "./follow-up-answer.ts";
import { quoteOf } from "./quotes.ts";

/** An answer, and what a language model contributed to it; null where none is configured. */
export interface FollowUp {
  readonly answer: MessageDocument;
  readonly model: ModelAnswer | null;
}

/** A question about an incident of a scope, and the address that its answer links to. */
export interface AskedFollowUp {
  readonly scopeId: string;
  readonly incident: AnsweredIncident;
  readonly question: string;
  readonly url: string;
}

/**
 * Answers a question with the statements of the scope's model that hold, each with a quote, and with the cause and the
 * confidence of the report. Without such statements the report alone answers, and says why.
 */
export async function answerFollowUp(
  { scopeId, incident, question, url }: AskedFollowUp,
  askModel: AskModel | undefined,
): Promise<FollowUp> {
  const own = followUpAnswer(incident, question, url);
  const { id, report } = incident;
  const model = report && question.trim() !== "" ? await askModel?.(scopeId, { id, report }, question) : null;
  if (!report || !model) return { answer: own, model: null };
  const [first] = model.statements;
  if (!first) return { answer: { ...own, parts: [...own.parts, ...withoutModel(model)] }, model };
  return { answer: { ...own, headline: headlineFrom(first.sentence), parts: partsOf(model, report) }, model };
}

function partsOf({ model, statements, dropped }: ModelAnswer, report: Report): readonly MessagePart[] {
  const of = statements.length + dropped.length;
  return [
    ...statements.flatMap(({ sentence, citations }, index) => [
      ...(index === 0 ? [] : paragraph(null, sentence)),
      ...citations.slice(0, 1).flatMap((one) => quoted(one, report)),
    ]),
    ...paragraph("The report", `${report.root_cause_summary} ${confidenceWords(report.confidence)}`),
    ...facts([
      `answered by the language model ${model} with quotes of the evidence`,
      dropped.length === 0 ? null : droppedText(of, dropped, answerDropReasons),
    ]),
  ];
}

function quoted(citation: AnswerCitation, { evidence }: Report): readonly MessagePart[] {
  const { excerpt: text } = citation;
  if (citation.kind === "source") {
    return [{ kind: "quote", text, source: `${citation.file}:${citation.from}`, url: null }];
  }
  if (citation.kind === "observed") return [{ kind: "quote", text, source: citation.summary, url: null }];
  return evidence.flatMap((one) => (one.id === citation.id ? { ...quoteOf(one), text } : []));
}

/** Says in one line why the model contributed nothing. */
function withoutModel(model: ModelAnswer): readonly MessagePart[] {
  return paragraph("Language model", `${whyWithout(model)} This answer is the engine's alone.`);
}

function whyWithout({ model, outcome, dropped }: ModelAnswer): string {
  switch (outcome) {
    case "answered":
    case "nothing_held":
      return dropped.length === 0
        ? `\`${model}\` found nothing that it could back with a quote.`
        : `Nothing that \`${model}\` said holds: ${droppedText(dropped.length, dropped, answerDropReasons)}.`;
    case "budget_used_up":
      return "The model's budget for today is used up.";
    case "busy":
      return `\`${model}\` wasn't asked, because it is answering other questions.`;
    default:
      return `\`${model}\` contributed nothing, because ${modelFailureReasons[outcome]}.`;
  }
}
