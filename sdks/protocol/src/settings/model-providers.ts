import type { IntegrationInput } from "./integration-kinds.ts";

/** A provider of language models. */
export interface ModelProvider {
  readonly label: string;
  /** The inputs to enter, in addition to the model's name. */
  readonly inputs: readonly IntegrationInput[];
  /** A model's name at this provider, as an example. */
  readonly example: string;
}

const apiKey: IntegrationInput = { name: "api_key", label: "API key", kind: "secret" };

/** Every provider, with what connects to it. */
export const modelProviders = {
  ollama: {
    label: "Ollama",
    inputs: [{ name: "base_url", label: "Address", kind: "url", hint: "For example, http://127.0.0.1:11434." }],
    example: "qwen3-coder:30b",
  },
  "openai-compatible": {
    label: "OpenAI-compatible server",
    inputs: [
      { name: "base_url", label: "Address", kind: "url", hint: "For example, http://127.0.0.1:8000/v1." },
      { ...apiKey, isOptional: true, hint: "Leave empty for a server without keys." },
    ],
    example: "Qwen/Qwen3-Coder-30B-A3B-Instruct",
  },
  anthropic: { label: "Anthropic", inputs: [apiKey], example: "claude-sonnet-5" },
  openai: { label: "OpenAI", inputs: [apiKey], example: "gpt-5.1" },
  "amazon-bedrock": {
    label: "Amazon Bedrock",
    inputs: [
      { name: "access_key_id", label: "Access key id", kind: "text" },
      { name: "secret_access_key", label: "Secret access key", kind: "secret" },
      { name: "region", label: "Region", kind: "text", hint: "For example, eu-central-1." },
    ],
    example: "eu.anthropic.claude-sonnet-4-5-20250929-v1:0",
  },
  "google-vertex": {
    label: "Google Vertex AI",
    inputs: [
      { name: "project", label: "Project id", kind: "text" },
      { name: "location", label: "Location", kind: "text", hint: "For example, europe-west1 or global." },
      { name: "client_email", label: "Service account's email", kind: "email" },
      { name: "private_key", label: "Service account's private key", kind: "private-key", hint: "In PEM." },
    ],
    example: "gemini-2.5-pro",
  },
} as const satisfies Record<string, ModelProvider>;

/** The name of a provider, used in settings and rows. */
export type ModelProviderName = keyof typeof modelProviders;

/** Every provider's name. */
export const modelProviderNames: readonly ModelProviderName[] = Object.keys(modelProviders).filter(isProviderName);

function isProviderName(text: string): text is ModelProviderName {
  return Object.hasOwn(modelProviders, text);
}
