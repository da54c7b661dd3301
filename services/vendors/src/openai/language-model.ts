import { defaultSettingsMiddleware, wrapLanguageModel } from "ai";
import type { LanguageModelProvider } from "../language-models/language-model-provider.ts";

/** OpenAI's Responses API, without storage of the answers at OpenAI, which is its default. */
export const openai: LanguageModelProvider = {
  name: "openai",
  async open({ api_key: apiKey = "" }, modelName, { documented, fetch }) {
    const { createOpenAI } = await import("@ai-sdk/openai");
    // Without the address, the library takes one from the environment.
    const model = createOpenAI({ apiKey, baseURL: documented("https://api.openai.com/v1"), fetch }).responses(
      modelName,
    );
    const settings = { providerOptions: { openai: { store: false } } };
    return wrapLanguageModel({ model, middleware: defaultSettingsMiddleware({ settings }) });
  },
};
