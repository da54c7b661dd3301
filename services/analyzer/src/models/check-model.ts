import type { ModelCheck } from "@whence/protocol";
import { type ModelAddress, type OutboundContext, openLanguageModel, vendorLimits } from "@whence/vendors";
import { generateText } from "ai";

/** Short, and about nothing: a check sends nothing of the organization. */
const question = "Reply with the word: ready";

/** Asks a model one tiny question. Rejects with a `VendorFailure` unless it answers. */
export async function checkModel(address: ModelAddress, outbound: OutboundContext): Promise<ModelCheck> {
  const opened = await openLanguageModel(address, outbound);
  const startedAt = outbound.clock();
  try {
    const { finishReason, usage } = await generateText({
      ...{ model: opened.model, prompt: question, maxRetries: 0 },
      maxOutputTokens: vendorLimits.model.outputTokensOfCheckMax,
      abortSignal: AbortSignal.timeout(vendorLimits.model.checkedWithinMs),
    });
    // A model that thinks for long before it answers ends at the limit, and works.
    const failure = finishReason === "length" ? null : opened.failureOfFinish(finishReason);
    if (failure) throw failure;
    return {
      duration_ms: Math.max(0, Math.round(outbound.clock() - startedAt)),
      input_tokens: usage.inputTokens ?? 0,
      output_tokens: usage.outputTokens ?? 0,
    };
  } catch (error) {
    throw opened.failureOf(error);
  } finally {
    await opened.close();
  }
}
