import { z } from "zod";
import { inlineCode } from "../../words/prose.ts";
import { gapKind } from "./gap-kind.ts";

/** Why a model contributed nothing, as clauses. */
export const modelFailureReasons = {
  "too-slow": "it took too long",
  "rate-limited": "the provider limits the rate of requests",
  unavailable: "the provider couldn't be reached or failed",
  rejected: "the provider rejected the request",
  refused: "it declined to answer",
  disclosed: "it repeated its instructions, which text from outside may have asked for",
  "cut-off": "its answer was cut off",
  unreadable: "its answer couldn't be read",
  budget: "its budget was used up",
} as const;

/** Why a model contributed nothing. */
export type ModelFailure = keyof typeof modelFailureReasons;

export const modelFailed = gapKind({
  name: "model-failed",
  means: "A language model that was asked and contributed nothing",
  args: z.object({
    model: z.string(),
    why: z.enum([
      ...(["too-slow", "rate-limited", "unavailable", "rejected"] as const),
      ...(["refused", "disclosed", "cut-off", "unreadable", "budget"] as const),
    ]),
  }),
  example: { model: "anthropic claude", why: "too-slow" },
  sentence: ({ model, why }) =>
    `Language model: ${inlineCode(model)} contributed nothing, because ${modelFailureReasons[why]}. The report is the engine's alone.`,
});
