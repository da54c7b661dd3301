import type { LanguageModelProvider } from "../language-models/language-model-provider.ts";

/** Ollama, at its OpenAI-compatible endpoint: https://docs.ollama.com/api/openai-compatibility. */
export const ollama: LanguageModelProvider = {
  name: "ollama",
  async open({ base_url: address = "" }, modelName, { entered, fetch }) {
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    // People enter the address with and without the endpoint's path.
    const server = address.trim().replace(/(?:\/v1)?\/*$/, "");
    const baseURL = entered(`${server}/v1`);
    return createOpenAICompatible({ name: "ollama", baseURL, fetch, includeUsage: true })(modelName);
  },
};
