import { describe, expect, it } from "vitest";
import { readConfig } from "../src/config.ts";

const ollama = {
  WHENCE_MODEL_PROVIDER: "ollama",
  WHENCE_MODEL_NAME: "qwen3-coder:30b",
  WHENCE_MODEL_BASE_URL: "http://127.0.0.1:11434",
};
const anthropic = {
  WHENCE_MODEL_PROVIDER: "anthropic",
  WHENCE_MODEL_NAME: "claude",
  WHENCE_MODEL_API_KEY: "sk-secret",
};
const prices = { WHENCE_MODEL_INPUT_USD_PER_MILLION: "3", WHENCE_MODEL_OUTPUT_USD_PER_MILLION: "15" };

describe("the installation's language model", () => {
  it("isn't set by default", () => {
    expect(readConfig({}, "all").installationModel).toBeNull();
  });

  it("has the inputs of its provider, and budgets by default", () => {
    expect(readConfig(ollama, "all").installationModel).toEqual({
      provider: "ollama",
      name: "qwen3-coder:30b",
      inputs: { base_url: "http://127.0.0.1:11434" },
      prices: null,
      budget: {
        tokens_per_investigation: 300_000,
        usd_per_investigation: null,
        seconds_per_investigation: 240,
        tokens_per_day: 3_000_000,
        usd_per_day: null,
      },
    });
  });

  it("has prices and budgets as set, and no inputs of other providers", () => {
    const set = { ...ollama, ...anthropic, ...prices, WHENCE_MODEL_USD_PER_DAY: "20" };
    expect(readConfig(set, "all").installationModel).toMatchObject({
      inputs: { api_key: "sk-secret" },
      prices: { input_usd_per_million: 3, output_usd_per_million: 15 },
      budget: { usd_per_day: 20 },
    });
  });

  it.each([
    [{ WHENCE_MODEL_PROVIDER: "gateway" }, "WHENCE_MODEL_PROVIDER"],
    [{ WHENCE_MODEL_NAME: "qwen" }, "WHENCE_MODEL_PROVIDER"],
    [{ WHENCE_MODEL_PROVIDER: "ollama" }, "WHENCE_MODEL_NAME"],
    [{ ...ollama, WHENCE_MODEL_BASE_URL: "" }, "WHENCE_MODEL_BASE_URL"],
    [{ ...anthropic, WHENCE_MODEL_API_KEY: "" }, "WHENCE_MODEL_API_KEY"],
    [{ ...anthropic, WHENCE_MODEL_USD_PER_DAY: "1" }, "WHENCE_MODEL_INPUT_USD_PER_MILLION"],
    [{ ...anthropic, WHENCE_MODEL_API_KEY: "sk-secret\nx" }, "WHENCE_MODEL_API_KEY"],
    [{ ...ollama, WHENCE_MODEL_SECONDS_PER_INVESTIGATION: "241" }, "WHENCE_MODEL_SECONDS_PER_INVESTIGATION"],
    [{ ...anthropic, ...prices, WHENCE_MODEL_USD_PER_DAY: "0" }, "WHENCE_MODEL_USD_PER_DAY"],
    [{ ...anthropic, ...prices, WHENCE_MODEL_USD_PER_INVESTIGATION: "-1" }, "WHENCE_MODEL_USD_PER_INVESTIGATION"],
    [{ ...ollama, WHENCE_MODEL_TOKENS_PER_INVESTIGATION: "100000001" }, "WHENCE_MODEL_TOKENS_PER_INVESTIGATION"],
    [{ ...ollama, WHENCE_MODEL_TOKENS_PER_DAY: "1e12" }, "WHENCE_MODEL_TOKENS_PER_DAY"],
    [{ ...ollama, WHENCE_MODEL_INPUT_USD_PER_MILLION: "1" }, "WHENCE_MODEL_OUTPUT_USD_PER_MILLION"],
    [{ ...ollama, WHENCE_MODEL_OUTPUT_USD_PER_MILLION: "1" }, "WHENCE_MODEL_INPUT_USD_PER_MILLION"],
    [{ ...ollama, ...prices, WHENCE_MODEL_OUTPUT_USD_PER_MILLION: "1e9" }, "WHENCE_MODEL_OUTPUT_USD_PER_MILLION"],
    [{ ...ollama, WHENCE_MODEL_BASE_URL: "ftp://ada:sk-secret@127.0.0.1" }, "WHENCE_MODEL_BASE_URL"],
    [{ ...ollama, WHENCE_MODEL_BASE_URL: "http://ada:sk-secret@127.0.0.1 x" }, "WHENCE_MODEL_BASE_URL"],
  ])("stops the start with %j, naming %s and no secret", (set, name) => {
    const start = () => readConfig(set, "all");
    expect(start).toThrow(expect.objectContaining({ message: expect.stringContaining(name) }));
    expect(start).toThrow(expect.objectContaining({ message: expect.not.stringContaining("sk-secret") }));
  });
});
