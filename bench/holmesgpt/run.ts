import { join } from "node:path";
import { env } from "node:process";
import { parseArgs } from "node:util";
import type { Report } from "@whence/protocol";
import { type BothReports, openBenchModel } from "../model/bench-model.ts";
import { modelOptions, setUpModel } from "../model/model-setup.ts";
import { usedTable } from "../model/used-table.ts";
import { table } from "../table.ts";
import { askedQuestion } from "./asked-question.ts";
import { isAboutCause, type Question, readQuestions } from "./questions.ts";
import { sentencesSaid } from "./score.ts";

const { values: options } = parseArgs({
  options: {
    ...modelOptions,
    /** Asks every n-th question. */
    every: { type: "string", default: "1" },
    /** Prints each question, and what the reports say of it. */
    show: { type: "boolean", default: false },
  },
});

/** The engine's report, and the one with what the model said where one was asked. */
interface Reports extends Pick<BothReports, "alone"> {
  readonly withModel: Report | null;
}

/** A question, and how many of the expected sentences are said without and with a model. */
interface Answered {
  readonly question: Question;
  readonly alone: number;
  readonly withModel: number | null;
}

const folder = join(env.WHENCE_RECORDED ?? join(import.meta.dirname, "../../../shared/recorded"), "holmesgpt");
const questions = readQuestions(folder);
if (questions) await answerAll(questions);
else console.log(`HolmesGPT's questions aren't in ${folder}: set WHENCE_RECORDED to the folder that has holmesgpt/.`);

async function answerAll(all: readonly Question[]): Promise<void> {
  const asked = all.filter(isAboutCause);
  const left = all.length - asked.length;
  console.log(
    `${asked.length} of the ${all.length} questions with recorded output ask for a cause; ${left} are left out.`,
  );
  await using setup = await setUpModel(options);
  await using model = setup && (await openBenchModel(setup));
  const answered: Answered[] = [];
  for (const question of asked.filter((_, index) => index % Number(options.every) === 0)) {
    const one = askedQuestion(question);
    const reports: Reports = model
      ? await model.reportsOn(one)
      : { alone: await one.investigate(one.subject, one.collected), withModel: null };
    const answer: Answered = {
      question,
      alone: sentencesSaid(reports.alone, question),
      withModel: reports.withModel && sentencesSaid(reports.withModel, question),
    };
    answered.push(answer);
    if (options.show) printAnswer(answer, reports.withModel ?? reports.alone);
  }
  console.log(`\n${answersTable(answered)}`);
  if (model) console.log(`\n${usedTable(model.uses)}`);
}

function printAnswer({ question, alone, withModel }: Answered, { root_cause_summary: headline }: Report): void {
  console.log(`\n${question.name}: ${headline}`);
  for (const sentence of question.expected) console.log(`  expected: ${sentence.trim()}`);
  console.log(`  said: ${alone} of ${question.expected.length}, with the model ${withModel ?? "-"}`);
}

function answersTable(answered: readonly Answered[]): string {
  const groups = [...Map.groupBy(answered, ({ question }) => question.group), ["all", answered] as const];
  return table(
    ["HolmesGPT's questions", "n", "sentences expected", "said", "with the model", "answered", "with the model"],
    groups.map(([name, members]) => {
      const sentences = total(members, ({ question }) => question.expected.length);
      const isAsked = members.every(({ withModel }) => withModel !== null);
      const ways = [({ alone }: Answered) => alone, ({ withModel }: Answered) => withModel ?? 0];
      const shown = (count: (said: (one: Answered) => number) => number): string[] =>
        ways.map((said, index) => (index === 0 || isAsked ? String(count(said)) : "-"));
      return [
        ...[name, String(members.length), String(sentences)],
        ...shown((said) => total(members, said)),
        ...shown((said) => members.filter((one) => said(one) === one.question.expected.length).length),
      ];
    }),
  );
}

function total(members: readonly Answered[], of: (one: Answered) => number): number {
  return members.map(of).reduce((sum, count) => sum + count, 0);
}
