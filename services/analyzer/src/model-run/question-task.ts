import {
  type AnswerCitation,
  type AnswerStatement,
  checkedAnswer,
  evidenceText,
  isNamedBy,
  type Observation,
} from "@whence/engine";
import { limits, type Report } from "@whence/protocol";
import { tool } from "ai";
import { z } from "zod";
import type { CaseFiles } from "./case-files.ts";
import { codeTools } from "./code-tools.ts";
import type { ModelCase } from "./model-case.ts";
import type { ModelTask } from "./one-run.ts";
import { preferencesText, questionRules } from "./prompts.ts";
import { quoteSchema } from "./proposal.ts";
import { lookUp, type ToolSurroundings } from "./tool-surroundings.ts";
import { observationsOf, readingTools } from "./tools.ts";

const statementsMax = 4;
const citationsMax = 4;
const textLengthMax = 1_000;

const answerQuoteSchema = quoteSchema.extend({
  evidence: z
    .string()
    .max(textLengthMax)
    .nullish()
    .describe("The id of a piece of the report's evidence, such as e3, or a digest that a tool gave"),
});

const answerSchema = z.object({
  statements: z
    .array(
      z.object({
        sentence: z.string().max(textLengthMax).describe("One sentence of the answer, in the question's language"),
        citations: z.array(answerQuoteSchema).max(citationsMax),
      }),
    )
    .max(statementsMax),
});
type Answered = z.infer<typeof answerSchema>;

/** A question about a report. */
export interface AskedQuestion {
  readonly question: string;
  readonly report: Report;
  /** The preferences of its organization, which may be empty. */
  readonly preferences: string;
  /** What its investigation could read; null when what the incident is about is gone, and only the report is left. */
  readonly modelCase: ModelCase | null;
}

/** What is left of a model's answer, and why the rest isn't. */
export type CheckedStatements = ReturnType<typeof checkedAnswer>;

/** Returns the task to answer a question about a report with statements that hold. */
export function questionTask(asked: AskedQuestion, files: CaseFiles): ModelTask<Answered, CheckedStatements> {
  const { report, modelCase } = asked;
  const observed = async (): Promise<readonly Observation[]> => (modelCase ? observationsOf(modelCase) : []);
  return {
    rules: questionRules,
    opening: (show) => opening(asked, show),
    tools: (around) => ({
      ...(modelCase ? readingTools(modelCase, around) : codeTools(around)),
      read_evidence: evidenceTool(report, observed, around),
      answer: tool({ description: "Ends the conversation with the answer's statements.", inputSchema: answerSchema }),
    }),
    end: { name: "answer", schema: answerSchema },
    async read({ statements }, original) {
      const isObserved = statements.some(({ citations }) => citations.some((one) => isDigest(one)));
      const observations = isObserved ? await observed() : [];
      const said: AnswerStatement[] = [];
      for (const { sentence, citations } of statements) {
        const quotes = await Promise.all(
          citations.map(
            (one) => observedCitation(one, observations, report, original) ?? citationOf(one, files, original),
          ),
        );
        said.push({ sentence: original(sentence), citations: quotes.flatMap((one) => one ?? []) });
      }
      return checkedAnswer(said, report, { files: files.readable, observations });
    },
    isEmpty: ({ statements }) => statements.length === 0,
  };
}

type Quoted = z.infer<typeof answerQuoteSchema>;

const digest = /^[0-9a-f]{8,64}$/;

/** Returns whether a quote names evidence by its digest. */
function isDigest({ evidence: named }: Quoted): boolean {
  return digest.test(named ?? "");
}

/** Returns a quote of what was observed beyond the report, or of the report's where it has the same; null for others. */
function observedCitation(
  quote: Quoted,
  observations: readonly Observation[],
  report: Report,
  original: (quote: string) => string,
): AnswerCitation | null {
  const { evidence: named } = quote;
  if (!named || !isDigest(quote)) return null;
  const found = observations.find(({ sha256 }) => isNamedBy(named, sha256));
  if (!found) return null;
  const { sha256, source, fact } = found;
  const excerpt = original(quote.excerpt);
  const known = report.evidence.find((one) => one.sha256 === sha256);
  if (known) return { kind: "evidence", id: known.id, excerpt };
  return {
    kind: "observed",
    digest: sha256,
    source: `${source.kind} ${source.name}`,
    summary: evidenceText(fact),
    excerpt,
  };
}

async function citationOf(
  { file, from, to, evidence, excerpt }: Quoted,
  files: CaseFiles,
  original: (quote: string) => string,
): Promise<AnswerCitation | null> {
  const quoted = original(excerpt);
  if (evidence) return { kind: "evidence", id: evidence, excerpt: quoted };
  if (!file || !from) return null;
  // The list of evidence shows lines of files, which can be quoted without having been opened.
  await files.lines(file);
  return { kind: "source", file: (await files.named(file)) ?? file, from, to: to ?? from, excerpt: quoted };
}

function evidenceTool({ evidence }: Report, observed: () => Promise<readonly Observation[]>, around: ToolSurroundings) {
  return tool({
    description: "What a piece of evidence shows, and its text. Both can be quoted with its id or digest.",
    inputSchema: z.object({ id: z.string().max(textLengthMax) }),
    execute: (input) =>
      lookUp(around, { name: "read_evidence", input, nothing: "There is no such evidence." }, async () => {
        const reported = evidence.find(({ id }) => id === input.id);
        if (reported) return [reported.summary, reported.excerpt];
        const other = (await observed()).find(({ sha256 }) => isNamedBy(input.id, sha256));
        return other ? [evidenceText(other.fact), other.excerpt] : [];
      }),
  });
}

/** The first message: the question, the report, and the list of its evidence. */
function opening({ question, report, preferences }: AskedQuestion, show: ToolSurroundings["show"]): string {
  const evidence = report.evidence
    .filter(({ source }) => source.kind !== "model")
    .map(({ id, source, summary }) => `${id} (${source.kind} ${source.name}): ${summary}`);
  return [
    show("the question", question, (text) => text.slice(0, limits.questionLengthMax)),
    show("the report", linesOf(report).join("\n")),
    show("its evidence", evidence.join("\n") || "none"),
    ...(preferences === "" ? [] : [preferencesText(show("preferences", preferences))]),
  ].join("\n\n");
}

function linesOf(report: Report): string[] {
  const { candidates, chain, impact, confidence, not_checked: notChecked } = report;
  const cited = (text: string, ids: readonly string[]): string => `${text} [${ids.join(", ")}]`;
  const percent = (score: number): string => `${Math.round(100 * score)}%`;
  return [
    `cause (${percent(confidence.score)}): ${report.root_cause_summary}`,
    ...chain.map(({ what, evidence_ids: ids }) => cited(`how it happened: ${what}`, ids)),
    ...candidates.map(({ rank, statement, score, evidence_ids: ids }) =>
      cited(`candidate ${rank} (${percent(score)}): ${statement}`, ids),
    ),
    ...report.short_term_solutions.map(({ title, detail, evidence_ids: ids }) => cited(`fix: ${title} ${detail}`, ids)),
    ...report.long_term_solutions.map(({ title, detail, evidence_ids: ids }) =>
      cited(`prevent: ${title} ${detail}`, ids),
    ),
    `impact: ${impact.summary}`,
    ...notChecked.map((gap) => `not checked: ${gap}`),
  ];
}
