import { type ModelChange, modelChangeSchema } from "@whence/protocol";
import { addressGuard } from "@whence/vendors";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { configuredModels } from "../../src/models/configured-models.ts";
import type { ConfiguredModel, Models, ModelUse } from "../../src/models/models.ts";
import { startTestService, type TestService } from "../test-service.ts";

const now = Date.parse("2026-03-01T12:00:00.000Z");
const by = { id: "usr_ada", name: "Ada" };
const settings = modelChangeSchema.parse({
  provider: "ollama",
  name: "qwen",
  inputs: { base_url: "http://127.0.0.1:11434" },
  prices: { input_usd_per_million: 1, output_usd_per_million: 10 },
  budget: { tokens_per_investigation: 1_000, tokens_per_day: 1_500, usd_per_investigation: 1, usd_per_day: 2 },
});

let service: TestService;
let count = 0;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

async function scope(change: ModelChange | null = settings): Promise<string> {
  const slug = `models-${++count}`;
  const { id } = await service.control.organizations.ensure({ slug, name: slug, now: new Date(now) });
  if (change) await service.control.scope(id).model.write(change, by, new Date(now));
  return id;
}

function models(installationModel: ModelChange | null = null): Models {
  const { control, metrics } = service;
  const clock = () => now;
  return configuredModels({
    control,
    metrics,
    clock,
    installationModel,
    outbound: { mayReach: addressGuard([]), clock },
  });
}

/** The model that a scope may use now; null while it may use none. */
async function configured(scopeId: string, installationModel?: ModelChange): Promise<ConfiguredModel | null> {
  const found = await models(installationModel).configured(scopeId);
  return found === "budget_used_up" ? null : found;
}

async function use(scopeId: string, over: Partial<ModelUse> = {}): Promise<void> {
  await models().record(scopeId, {
    ...{ incidentId: "inc_gone", purpose: "investigation", provider: "ollama", name: "qwen", runs: 1 },
    ...{
      inputTokens: 600,
      outputTokens: 100,
      costUsd: 0.5,
      startedAt: new Date(now),
      durationMs: 10,
      outcome: "answered",
      replaced: {},
      sent: [],
    },
    ...over,
  });
}

describe("the model of an organization", () => {
  it("exists only if one is configured, and never for an unclaimed agent", async () => {
    expect(await models().configured(await scope(null))).toBeNull();
    expect(await models(settings).configured("agt_1")).toBeNull();
  });

  it("is its own, or else the installation's", async () => {
    const installed = { ...settings, name: "installed" };
    expect((await configured(await scope(), installed))?.name).toBe("qwen");
    expect((await configured(await scope(null), installed))?.name).toBe("installed");
  });

  it("has an object of its provider, a budget, and a cost", async () => {
    const model = await configured(await scope());
    expect(model).toMatchObject({ provider: "ollama", name: "qwen" });
    expect(model?.model).toMatchObject({ modelId: "qwen", provider: expect.stringContaining("ollama") });
    expect(model?.budget).toEqual({ tokens: 1_000, costUsd: 1, withinMs: 240_000 });
    expect(model?.costUsd({ inputTokens: 1_000_000, outputTokens: 100_000 })).toBe(2);
  });

  it("has an unknown cost without prices", async () => {
    const budget = { ...settings.budget, usd_per_day: null, usd_per_investigation: null };
    const model = await configured(await scope({ ...settings, prices: null, budget }));
    expect([model?.costUsd({ inputTokens: 1, outputTokens: 1 }), model?.budget.costUsd]).toEqual([null, null]);
  });

  it("gets the rest of the daily budget, then nothing until the next day", async () => {
    const id = await scope();
    await use(id);
    expect((await configured(id))?.budget).toMatchObject({ tokens: 800, costUsd: 1 });
    await use(id, { inputTokens: 0, outputTokens: 0, costUsd: 1.2 });
    expect((await configured(id))?.budget.costUsd).toBeCloseTo(0.3);
    await use(id, { costUsd: 0.2 });
    expect((await configured(id))?.budget).toMatchObject({ tokens: 100 });
    await use(id, { inputTokens: 100, outputTokens: 0, costUsd: 0 });
    expect(await models().configured(id)).toBe("budget_used_up");
  });

  it("keeps its budget in US dollars when the cost of some use is unknown", async () => {
    const id = await scope();
    await use(id, { inputTokens: 0, outputTokens: 0, costUsd: 1.5 });
    await use(id, { inputTokens: 0, outputTokens: 0, costUsd: null });
    expect((await configured(id))?.budget.costUsd).toBeCloseTo(0.5);
    await use(id, { inputTokens: 0, outputTokens: 0, costUsd: 0.5 });
    expect(await models().configured(id)).toBe("budget_used_up");
  });

  it("isn't bound by what it used yesterday", async () => {
    const id = await scope();
    await use(id, { startedAt: new Date(now - 86_400_000), inputTokens: 5_000 });
    expect((await configured(id))?.budget.tokens).toBe(1_000);
  });
});
