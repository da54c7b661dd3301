import { type AnswerCitation, type AnswerStatement, checkedAnswer } from "@whence/engine";
import { limits, type Report } from "@whence/protocol";
import { tool } from "ai";
import { z } from "zod";
import type { CaseFiles } from "./case-files.ts";
import { codeTools } from "./code-tools.ts";
import type { ModelTask } from "./one-run.ts";
import { preferencesText, questionRules } from "./prompts.ts";
import { quoteSchema } from "./proposal.ts";
import { lookUp, type ToolSurroundings } from "./tool-surroundings.ts";

const statementsMax = 4;
const citationsMax = 4;
const textLengthMax = 1_000;

const answerQuoteSchema = quoteSchema.extend({
  evidence: z.string().max(textLengthMax).nullish().describe("The id of a piece of the report's evidence, such as e3"),
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

/** A question about a report, and the preferences of its organization, which may be empty. */
export interface AskedQuestion {
  readonly question: string;
  readonly report: Report;
  readonly preferences: string;
}

/** What is left of a model's answer, and why the rest isn't. */
export type CheckedStatements = ReturnType<typeof checkedAnswer>;

/** Returns the task to answer a question about a report with statements that hold. */
export function questionTask(asked: AskedQuestion, files: CaseFiles): ModelTask<Answered, CheckedStatements> {
  const { report } = asked;
  return {
    rules: questionRules,
    opening: (show) => opening(asked, show),
    tools: (around) => ({
      ...codeTools(around),
      read_evidence: evidenceTool(report, around),
      answer: tool({ description: "Ends the conversation with the answer's statements.", inputSchema: answerSchema }),
    }),
    end: { name: "answer", schema: answerSchema },
    async read({ statements }, original) {
      const said: AnswerStatement[] = [];
      for (const { sentence, citations } of statements) {
        const quotes = await Promise.all(citations.map((one) => citationOf(one, files, original)));
        said.push({ sentence: original(sentence), citations: quotes.flatMap((one) => one ?? []) });
      }
      return checkedAnswer(said, report, files.readable);
    },
    isEmpty: ({ statements }) => statements.length === 0,
  };
}

async function citationOf(
  { file, from, to, evidence, excerpt }: z.infer<typeof answerQuoteSchema>,
  files: CaseFiles,
  original: (quote: string) => string,
): Promise<AnswerCitation | null> {
  const quoted = original(excerpt);
  if (evidence) return { kind: "evidence", id: evidence, excerpt: quoted };
  if (!file || !from) return null;
  return { kind: "source", file: (await files.named(file)) ?? file, from, to: to ?? from, excerpt: quoted };
}

function evidenceTool({ evidence }: Report, around: ToolSurroundings) {
  return tool({
    description: "What a piece of the report's evidence shows, and its text. Both can be quoted with its id.",
    inputSchema: z.object({ id: z.string().max(textLengthMax) }),
    execute: (input) =>
      lookUp(around, { name: "read_evidence", input, nothing: "There is no such evidence." }, () =>
        evidence.flatMap(({ id, summary, excerpt }) => (id === input.id ? [summary, excerpt] : [])),
      ),
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
