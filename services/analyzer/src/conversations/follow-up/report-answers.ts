import type { Report } from "@whence/protocol";
import { solutionText, utcTime } from "@whence/vendors";
import { type AnsweredIncident, eventCount, howItHappened } from "../compose-answer.ts";
import { confidencePart, confidenceWords, otherCandidates } from "../confidence-words.ts";
import { facts, paragraph, steps } from "../message-parts.ts";
import { placeText } from "../step-text.ts";
import type { Answer } from "./answer.ts";
import { changesIn } from "./changes-in.ts";
import { quotedEvidence } from "./evidence-kinds.ts";
import type { Intent } from "./intents.ts";
import type { Question } from "./question.ts";
import { quotesOf } from "./quotes.ts";
import { asksForRollback, rollbackAnswer } from "./rollback-answer.ts";

export type ReportedIncident = AnsweredIncident & { readonly report: Report };

/** Answers one intent from the report; null where the report says nothing about it. */
type Answerer = (incident: ReportedIncident, question: Question) => Answer | null;

/** For each intent: its name in the list of possible questions, the text without an answer, and the answer. */
export const reportAnswers: Readonly<
  Record<Intent, { readonly name: string; readonly missing: string; readonly answer: Answerer }>
> = {
  cause: {
    name: "why it fails",
    missing: "The report names no cause.",
    answer: ({ report }) => ({
      headline: report.root_cause_summary,
      parts: [
        ...howItHappened(report),
        ...quotesOf(report, report.chain[0]?.evidence_ids ?? [], 1),
        ...confidencePart(report.confidence),
      ],
    }),
  },
  place: {
    name: "where in the code",
    missing: "The report names no place in the code.",
    answer: ({ report }) => placeAnswer(report),
  },
  fix: {
    name: "what to do now",
    missing: "The report suggests no fix.",
    answer: ({ report }, question) =>
      asksForRollback(question)
        ? rollbackAnswer(report, question)
        : solutionsAnswer(report.short_term_solutions, report),
  },
  prevent: {
    name: "how to prevent it",
    missing: "The report doesn't say how to prevent it.",
    answer: ({ report }) => solutionsAnswer(report.long_term_solutions, report),
  },
  time: {
    name: "when it began",
    missing: "The report doesn't say when it began.",
    answer: ({ report }) => timeAnswer(report),
  },
  impact: {
    name: "what is affected",
    missing: "The report doesn't say what is affected.",
    answer: ({ report }) => impactAnswer(report),
  },
  change: {
    name: "which release or change it comes from",
    missing: "The report names no release or change as the cause.",
    answer: ({ report }, question) => changesIn(report, question),
  },
  confidence: {
    name: "how sure the report is, and what else it may be",
    missing: "The report doesn't say how sure it is.",
    answer: ({ report }) => ({ headline: confidenceWords(report.confidence), parts: otherCandidates(report) }),
  },
  evidence: {
    name: "the evidence",
    missing: "The report quotes nothing of this kind.",
    answer: ({ report }, question) => quotedEvidence(report, question),
  },
  check: {
    name: "how to check it",
    missing: "The report doesn't say how to check it.",
    answer: ({ report: { predictions } }) => {
      const [first] = predictions;
      return first
        ? {
            headline: first.statement,
            parts: steps(
              "How to check it",
              predictions.map(({ check }) => check),
            ),
          }
        : null;
    },
  },
  "not-checked": {
    name: "what wasn't checked",
    missing: "The report lists nothing that it couldn't check.",
    answer: ({ report: { not_checked: gaps } }) =>
      gaps.length === 0
        ? null
        : {
            headline: `${gaps.length === 1 ? "One thing wasn't" : `${gaps.length} things weren't`} checked.`,
            parts: steps("Not checked", gaps),
          },
  },
  services: {
    name: "which services are involved",
    missing: "The report names no service.",
    answer: (incident) => servicesAnswer(incident),
  },
  action: {
    name: "",
    missing: "Whence changes nothing in your systems, and the report suggests no fix.",
    answer: ({ report }) => ({
      headline: "Whence changes nothing in your systems: it only reads.",
      parts:
        report.short_term_solutions.length === 0
          ? paragraph(null, "The report suggests no fix.")
          : steps("What the report suggests", report.short_term_solutions.map(solutionText)),
    }),
  },
};

function placeAnswer(report: Report): Answer | null {
  const { location, service, statement } = report.root_cause;
  const others = report.chain.flatMap(({ location: place }) => place ?? []);
  const place = location ?? others[0];
  if (!place) return null;
  const of = service === null ? "" : ` (${service})`;
  return {
    headline: location
      ? `The report points to ${placeText(place)}${of}.`
      : `The report names no place of the cause. Its first place on the way to the error is ${placeText(place)}.`,
    parts: [
      ...paragraph(null, location ? statement : ""),
      ...quotesOf(report, evidenceAt(report, place.file, place.line), 1),
      ...confidencePart(report.confidence),
    ],
  };
}

function evidenceAt({ evidence }: Report, file: string, line: number | null): readonly string[] {
  return evidence
    .filter(
      ({ location, source }) => source.kind === "source_file" && location?.file === file && location.line === line,
    )
    .map(({ id }) => id);
}

function solutionsAnswer(solutions: Report["short_term_solutions"], report: Report): Answer | null {
  const [first, ...rest] = solutions;
  if (!first) return null;
  return {
    headline: solutionText(first),
    parts: [...steps("Also", rest.map(solutionText)), ...quotesOf(report, first.evidence_ids, 1)],
  };
}

function timeAnswer({ impact: { first_seen: first, last_seen: last, events } }: Report): Answer | null {
  if (first === null) return null;
  const until = last === null ? "" : `; last seen at ${utcTime(last)}`;
  return {
    headline: `First seen at ${utcTime(first)}${until}.`,
    parts: [
      ...paragraph(
        null,
        "The report doesn't know what happened after that. The incident's page has the current count.",
      ),
      ...facts([eventCount(events)]),
    ],
  };
}

function impactAnswer({ impact, evidence }: Report): Answer | null {
  const { summary, services, routes, hosts, releases } = impact;
  if (summary === "") return null;
  const [first = summary, ...rest] = summary.split(/(?<=\.)\s+(?=[A-Z`\d])/);
  const answered = evidence.filter(({ source }) => source.name === "answered requests").map((one) => one.summary);
  const listed = (name: string, values: readonly string[]): string =>
    values.length === 0 ? "" : `${name}: ${values.join(", ")}`;
  return {
    headline: first,
    parts: [
      ...paragraph(null, [...rest, ...answered.map((text) => `${text}.`)].join(" ")),
      ...facts([
        listed("services", services),
        listed("routes", routes),
        listed("hosts", hosts),
        listed("releases", releases),
      ]),
    ],
  };
}

function servicesAnswer({ service, report }: ReportedIncident): Answer | null {
  const named = [
    ...report.chain.map((link) => link.service),
    service,
    report.root_cause.service,
    ...report.impact.services,
    ...report.candidates.map((candidate) => candidate.service),
  ].filter((one) => one !== null && one !== undefined);
  const services = [...new Set(named)];
  if (services.length === 0) return null;
  const { service: causing } = report.root_cause;
  return {
    headline: causing === null ? `The report names ${services.join(", ")}.` : `The cause is in ${causing}.`,
    parts: facts([`services in the report: ${services.join(", ")}`]),
  };
}
