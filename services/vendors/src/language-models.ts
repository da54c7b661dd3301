import { type ModelProviderName, modelProviders } from "@whence/protocol";
import { amazonBedrock } from "./amazon-bedrock/language-model.ts";
import { anthropic } from "./anthropic/language-model.ts";
import { googleVertex } from "./google-vertex/language-model.ts";
import type { VendorFailure } from "./http/vendor-failure.ts";
import type { LanguageModelProvider, ProvidedModel } from "./language-models/language-model-provider.ts";
import { openModelConnection } from "./language-models/model-connection.ts";
import { failureOfFinish, modelFailure } from "./language-models/model-failure.ts";
import { ollama } from "./ollama/language-model.ts";
import { openai } from "./openai/language-model.ts";
import { openaiCompatible } from "./openai-compatible/language-model.ts";
import type { OutboundContext } from "./outbound-context.ts";

/** Every provider. */
export const languageModels: Readonly<Record<ModelProviderName, LanguageModelProvider>> = {
  ollama,
  "openai-compatible": openaiCompatible,
  anthropic,
  openai,
  "amazon-bedrock": amazonBedrock,
  "google-vertex": googleVertex,
};

/** What opens a model. The inputs are those of its provider. */
export interface ModelAddress {
  readonly provider: ModelProviderName;
  readonly name: string;
  readonly inputs: Readonly<Record<string, string>>;
}

/** A provider's object, ready for requests. */
export interface OpenedModel {
  readonly model: ProvidedModel;
  /** Returns why a request failed, for people. */
  failureOf(error: unknown): VendorFailure;
  /** Returns why a finished answer can't be used; null when it can. */
  failureOfFinish(reason: Parameters<typeof failureOfFinish>[0]): VendorFailure | null;
  close(): Promise<void>;
}

/** Opens a model. Makes no request yet. Throws a `VendorFailure` when an input can't be right. */
export async function openLanguageModel(
  { provider, name, inputs }: ModelAddress,
  context: OutboundContext,
): Promise<OpenedModel> {
  const connection = openModelConnection(context);
  const asked = { vendor: modelProviders[provider].label, model: name };
  return {
    model: await languageModels[provider].open(inputs, name, connection),
    failureOf: (error) => modelFailure(error, asked, context.clock()),
    failureOfFinish: (reason) => failureOfFinish(reason, asked),
    close: () => connection.close(),
  };
}
