import type { ModelCheck } from "@whence/protocol";
import {
  type ModelAddress,
  type OpenedModel,
  type OutboundContext,
  openLanguageModel,
  vendorLimits,
} from "@whence/vendors";
import { generateText } from "ai";
import type { ModelTokens } from "./models.ts";
import { countedTokens } from "./token-count.ts";

/** Short, and about nothing: a check sends nothing of the organization. */
const question = "Reply with the word: ready";
const { outputTokensOfCheckMax: maxOutputTokens, checkedWithinMs } = vendorLimits.model;

/** The result of a check, and the tokens it used. */
export interface CheckedModel extends ModelTokens {
  readonly durationMs: number;
  /** Null when the model answered. */
  readonly failure: Error | null;
}

/** Asks a model one tiny question. Rejects with a `VendorFailure` when an input can't be right. */
export async function checkModel(address: ModelAddress, outbound: OutboundContext): Promise<CheckedModel> {
  const opened = await openLanguageModel(address, outbound);
  const startedAt = outbound.clock();
  try {
    const asked = await ask(opened);
    return { ...asked, durationMs: Math.max(0, Math.round(outbound.clock() - startedAt)) };
  } finally {
    await opened.close();
  }
}

/** Rejects with a `VendorFailure` when a model can't be opened with these inputs. Makes no request. */
export async function requireOpenable(address: ModelAddress, outbound: OutboundContext): Promise<void> {
  const opened = await openLanguageModel(address, outbound);
  await opened.close();
}

/** What a check answers with. */
export function toCheck({ durationMs, inputTokens, outputTokens }: CheckedModel): ModelCheck {
  return { duration_ms: durationMs, input_tokens: inputTokens, output_tokens: outputTokens };
}

async function ask({ model, failureOf, failureOfFinish }: OpenedModel): Promise<Omit<CheckedModel, "durationMs">> {
  try {
    const { finishReason, usage, text } = await generateText({
      model,
      prompt: question,
      maxRetries: 0,
      maxOutputTokens,
      abortSignal: AbortSignal.timeout(checkedWithinMs),
    });
    const inputTokens = countedTokens(usage.inputTokens, question.length);
    const outputTokens = countedTokens(usage.outputTokens, text.length);
    // A model that thinks for long before it answers ends at the limit, and works.
    const failure = finishReason === "length" ? null : failureOfFinish(finishReason);
    return { inputTokens, outputTokens, failure };
  } catch (error) {
    const failure = failureOf(error);
    if (failure.reason !== "too-slow") return { inputTokens: 0, outputTokens: 0, failure };
    // It may have written as much as it may before it was stopped.
    return { inputTokens: countedTokens(undefined, question.length), outputTokens: maxOutputTokens, failure };
  }
}
