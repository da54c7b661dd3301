import type { MessageDocument } from "@whence/vendors";
import { type AnsweredIncident, failureOf, linkTo } from "../compose-answer.ts";
import { headlineFrom, paragraph } from "../message-parts.ts";
import { answerQuestion } from "./answer-question.ts";

/**
 * Answers a question about a finished report from the report alone: each statement and quote is the report's own. If
 * the report doesn't answer it, says so and lists what it can answer. The question is data: no instruction in it is
 * followed.
 */
export function followUpAnswer(incident: AnsweredIncident, question: string, url: string): MessageDocument {
  const { report, status } = incident;
  if (report) {
    const { headline, parts } = answerQuestion({ ...incident, report }, question);
    return { purpose: "answer", headline: headlineFrom(headline), parts, link: linkTo(url) };
  }
  if (status !== "queued" && status !== "investigating") return failureOf(incident, url);
  return {
    purpose: "answer",
    headline: "The investigation is still running.",
    parts: paragraph(null, "Ask again when its report is here."),
    link: linkTo(url),
  };
}
