import { z } from "zod";
import { limits } from "../limits.ts";

/** The body of `POST /api/incidents/{id}/questions`: a question about a report. */
export const questionRequestSchema = z.object({ question: z.string().min(1).max(limits.questionLengthMax) });
export type QuestionRequest = z.infer<typeof questionRequestSchema>;

const texts = z.array(z.string()).readonly();

/** One part of an answer. All texts are plain. */
export const answerPartSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("paragraph"), label: z.string().nullable(), text: z.string() }),
  z.object({ kind: z.literal("steps"), label: z.string(), steps: texts }),
  /** An observation, verbatim, and its source. */
  z.object({ kind: z.literal("quote"), text: z.string(), source: z.string(), url: z.string().nullable() }),
  z.object({ kind: z.literal("facts"), facts: texts }),
]);

/**
 * Where a statement of a language model is quoted from: a piece of the report's evidence, what was observed for the
 * answer, or lines of a file.
 */
export const answerCitationSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("evidence"), id: z.string(), excerpt: z.string() }),
  z.object({
    kind: z.literal("observed"),
    digest: z.string(),
    source: z.string(),
    summary: z.string(),
    excerpt: z.string(),
  }),
  z.object({ kind: z.literal("source"), file: z.string(), from: z.int(), to: z.int(), excerpt: z.string() }),
]);

/** The answer to a question; each statement is taken from the report, or is a language model's with what it quotes. */
export const questionAnswerSchema = z.object({
  answer: z.object({
    purpose: z.enum(["acknowledgment", "answer", "failure"]),
    headline: z.string(),
    parts: z.array(answerPartSchema).readonly(),
    link: z.object({ text: z.string(), url: z.string() }).nullable(),
  }),
  /** The answer as Markdown, in which text from outside contains no links, mentions, or HTML. */
  markdown: z.string(),
  /** What a language model contributed; null where none is configured. */
  model: z
    .object({
      /** Its provider and name; null while its budget of the day is used up. */
      name: z.string().nullable(),
      /** `answered`, `nothing_held` when no statement passed the checks, `busy`, `budget_used_up`, or why it failed. */
      outcome: z.string(),
      statements: z
        .array(z.object({ sentence: z.string(), citations: z.array(answerCitationSchema).readonly() }))
        .readonly(),
      /** How many of its statements didn't pass the checks. */
      dropped: z.int().min(0),
    })
    .nullable(),
});
export type QuestionAnswer = z.infer<typeof questionAnswerSchema>;
