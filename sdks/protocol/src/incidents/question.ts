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

/** The answer to a question; each statement is taken from the report. */
export const questionAnswerSchema = z.object({
  answer: z.object({
    purpose: z.enum(["acknowledgment", "answer", "failure"]),
    headline: z.string(),
    parts: z.array(answerPartSchema).readonly(),
    link: z.object({ text: z.string(), url: z.string() }).nullable(),
  }),
  /** The answer as Markdown, in which text from outside contains no links, mentions, or HTML. */
  markdown: z.string(),
});
export type QuestionAnswer = z.infer<typeof questionAnswerSchema>;
