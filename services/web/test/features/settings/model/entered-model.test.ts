import { describe, expect, it } from "vitest";
import { askedInput, enteredModel } from "../../../../src/features/settings/model/entered-model.ts";

const numbers = {
  ...{ tokens_per_investigation: "1000", seconds_per_investigation: "60", tokens_per_day: "2000" },
  ...{ usd_per_investigation: "", usd_per_day: "", input_usd_per_million: "", output_usd_per_million: "" },
};
const anthropic = { ...numbers, name: "claude", api_key: "sk-1" };

const problemsOf = (enter: () => unknown): unknown => {
  try {
    return enter();
  } catch (error) {
    return error instanceof Error && "fields" in error ? error.fields : error;
  }
};

describe("an entered model", () => {
  it("has the inputs of its provider, and no prices when they are left empty", () => {
    expect(enteredModel("anthropic", { ...anthropic, base_url: "http://a" }, null)).toMatchObject({
      ...{ provider: "anthropic", name: "claude", inputs: { api_key: "sk-1" }, prices: null },
      budget: { tokens_per_day: 2_000, usd_per_day: null },
    });
  });

  it("keeps a stored credential of the same provider that is left empty", () => {
    const empty = { ...anthropic, api_key: "" };
    expect(enteredModel("anthropic", empty, { provider: "anthropic" }).inputs).toEqual({});
    expect(problemsOf(() => enteredModel("anthropic", empty, { provider: "openai" }))).toHaveProperty("api_key");
  });

  it("asks for a credential as stored only where one is stored", () => {
    const key = { name: "api_key", label: "API key", kind: "secret", isOptional: true } as const;
    expect(askedInput(key, { credentials: ["api_key"] }).hint).toBe("Stored. Leave it empty to keep it.");
    expect([askedInput(key, { credentials: [] }), askedInput(key, null)]).toEqual([key, key]);
  });

  it("may lack a key where the provider needs none", () => {
    const entered = { ...numbers, name: "qwen", base_url: "http://127.0.0.1:8000/v1", api_key: "" };
    expect(enteredModel("openai-compatible", entered, null).inputs).toEqual({ base_url: "http://127.0.0.1:8000/v1" });
  });

  it.each([
    [{ name: "" }, "name"],
    [{ tokens_per_day: "many" }, "budget.tokens_per_day"],
    [{ tokens_per_day: "" }, "budget.tokens_per_day"],
    [{ input_usd_per_million: "1" }, "prices.output_usd_per_million"],
    [{ usd_per_day: "5" }, "prices"],
  ])("is refused with %j at %s", (over, field) => {
    const problems = problemsOf(() => enteredModel("anthropic", { ...anthropic, ...over }, null));
    expect(Object.keys(Object(problems))).toContain(field);
  });
});
