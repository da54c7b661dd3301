import type { LanguageModelProvider } from "../language-models/language-model-provider.ts";

/** Anthropic's Messages API. */
export const anthropic: LanguageModelProvider = {
  name: "anthropic",
  async open({ api_key: apiKey = "" }, modelName, { documented, fetch }) {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    // Without the address, the library takes one from the environment.
    return createAnthropic({ apiKey, baseURL: documented("https://api.anthropic.com/v1"), fetch })(modelName);
  },
};
