import type { LanguageModelProvider } from "../language-models/language-model-provider.ts";

/** Any server with OpenAI's chat completions: vLLM, LM Studio, llama.cpp, and others. */
export const openaiCompatible: LanguageModelProvider = {
  name: "openai-compatible",
  async open({ base_url: address = "", api_key: apiKey }, modelName, { entered, fetch }) {
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    const connection = { name: "compatible", baseURL: entered(address), fetch, includeUsage: true };
    return createOpenAICompatible(apiKey === undefined ? connection : { ...connection, apiKey })(modelName);
  },
};
