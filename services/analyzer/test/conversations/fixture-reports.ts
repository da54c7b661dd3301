import { readFileSync } from "node:fs";
import { join } from "node:path";
import { reportSchema } from "@whence/protocol";
import { z } from "zod";
import type { AnsweredIncident } from "../../src/conversations/compose-answer.ts";

/**
 * Reports that the engine wrote: of faults in the example shop (`pnpm bench faults`) and of recorded logs (`bench/rca/cases`).
 * Paths are shortened, and the detailed analysis is left out: answers don't read it.
 */
const lineSchema = z.object({
  name: z.string(),
  incident: z.object({
    ...{ id: z.string(), title: z.string(), service: z.string().nullable(), env: z.string().nullable() },
    ...{ status: z.literal("completed"), report: reportSchema },
  }),
});

const questionSchema = z.object({
  report: z.string(),
  question: z.string(),
  /** What may answer it. */
  answers: z.array(z.string()),
  /** A pattern of what the answer must say. */
  says: z.string(),
});
export type AskedQuestion = z.infer<typeof questionSchema>;

/** Questions are developed on one set, and measured on the other. */
export type QuestionSet = "developed" | "held-out";

/** The incidents of a set, by the names of their reports. */
export function fixtureIncidents(set: QuestionSet): ReadonlyMap<string, AnsweredIncident> {
  const lines = linesOf(`${set}-reports.jsonl`).map((line) => lineSchema.parse(line));
  return new Map(lines.map(({ name, incident }) => [name, incident]));
}

/** The questions about the reports of a set. */
export function fixtureQuestions(set: QuestionSet): readonly AskedQuestion[] {
  return linesOf(`${set}-questions.jsonl`).map((line) => questionSchema.parse(line));
}

/** One incident of either set. */
export function fixtureIncident(name: string): AnsweredIncident {
  const incident = fixtureIncidents("developed").get(name) ?? fixtureIncidents("held-out").get(name);
  if (!incident) throw new Error(`no report is named ${name}`);
  return incident;
}

function linesOf(file: string): unknown[] {
  const text = readFileSync(join(import.meta.dirname, "fixtures", file), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
}
