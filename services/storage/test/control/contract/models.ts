import type { ModelChange } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import type { ControlDb, NewModelRun } from "../../../src/index.ts";
import { actor, newIncident, now, organization } from "./samples.ts";

const ada = { id: "usr_ada", name: "Ada" };
const key = "sk-very-secret";
const change: ModelChange = {
  provider: "openai-compatible",
  name: "a-model",
  inputs: { base_url: "http://127.0.0.1:8000/v1", api_key: key },
  prices: { input_usd_per_million: 1, output_usd_per_million: 2 },
  budget: {
    tokens_per_investigation: 1_000,
    usd_per_investigation: null,
    seconds_per_investigation: 60,
    tokens_per_day: 10_000,
    usd_per_day: 2.5,
  },
};

/** A model without credentials, for tests of what belongs to a scope. */
export const aModel: ModelChange = { ...change, provider: "ollama", inputs: { base_url: "http://a" } };

/** A run of a model as an investigation records it. */
export function modelRun(incidentId: string): NewModelRun {
  return {
    incident_id: incidentId,
    purpose: "investigation",
    provider: "ollama",
    name: "a-model",
    runs: 3,
    input_tokens: 900,
    output_tokens: 100,
    cost_usd: 0.25,
    started_at: now.toISOString(),
    duration_ms: 1_500,
    outcome: "answered",
    replaced: { email: 2 },
    prompts: [{ sent_at: now.toISOString(), text: "Why?" }],
  };
}

/** What every control database does about language models. */
export function describeModels(name: string, db: () => ControlDb): void {
  const open = async (scopeId: string) => (await db().scope(scopeId).incidents.open(newIncident())).id;

  describe(`${name}: the language model of a scope`, () => {
    it("doesn't exist at first, and shows no credential once it does", async () => {
      const [mine, theirs] = [await organization(db()), await organization(db())];
      const { model } = db().scope(mine);
      expect([await model.read(), await model.remove()]).toEqual([null, null]);
      const written = await model.write(change, ada, now);
      expect(written).toEqual({
        ...change,
        inputs: { base_url: "http://127.0.0.1:8000/v1" },
        credentials: ["api_key"],
        changed_at: now.toISOString(),
        changed_by: ada,
      });
      expect(await model.read()).toEqual({ settings: written, inputs: change.inputs });
      expect(await db().scope(theirs).model.read()).toBeNull();
      for await (const { row } of db().scope(mine).exportRows()) expect(JSON.stringify(row)).not.toContain(key);
    });

    it("is replaced, and is removed with its credentials", async () => {
      const { model } = db().scope(await organization(db()));
      await model.write(change, ada, now);
      await model.write({ ...change, provider: "ollama", inputs: { base_url: "http://b" }, prices: null }, ada, now);
      expect((await model.read())?.inputs).toEqual({ base_url: "http://b" });
      expect([await model.remove(), await model.read()]).toEqual(["a-model", null]);
    });

    it("lists the credentials that are stored, not those that its provider could have", async () => {
      const { model } = db().scope(await organization(db()));
      const keyless = await model.write({ ...change, inputs: { base_url: "http://127.0.0.1:8000/v1" } }, ada, now);
      expect([keyless.credentials, (await model.read())?.settings.credentials]).toEqual([[], []]);
    });

    it("is read with its own credentials while it changes to another provider and back", async () => {
      const { model } = db().scope(await organization(db()));
      const other: ModelChange = { ...change, provider: "anthropic", inputs: { api_key: "sk-other" } };
      await model.write(change, ada, now);
      const [reads] = await Promise.all([
        Promise.all(Array.from({ length: 40 }, () => model.read())),
        ...[other, change, other, change].map((one) => model.write(one, ada, now)),
      ]);
      for (const read of reads) {
        const isOther = read?.settings.provider === "anthropic";
        expect(read?.inputs).toEqual(isOther ? other.inputs : change.inputs);
      }
    });
  });

  describe(`${name}: the use of a language model`, () => {
    it("adds up by day, in its scope only, and counts no question as an investigation", async () => {
      const [mine, theirs] = [await organization(db()), await organization(db())];
      const { model } = db().scope(mine);
      const id = await open(mine);
      await Promise.all([model.record(modelRun(id)), model.record(modelRun(id))]);
      await model.record({ ...modelRun(id), purpose: "question" });
      await model.record({ ...modelRun(id), started_at: "2026-02-01T00:00:00.000Z", cost_usd: null });
      const none = { investigations: 0, input_tokens: 0, output_tokens: 0, cost_usd: 0, known_cost_usd: 0 };
      expect(await model.usage("2026-03-01")).toEqual({
        ...{ investigations: 2, input_tokens: 2_700, output_tokens: 300, cost_usd: 0.75, known_cost_usd: 0.75 },
      });
      expect(await model.usage("2026-02-01")).toMatchObject({
        ...{ investigations: 3, cost_usd: null, known_cost_usd: 0.75 },
      });
      expect(await db().scope(theirs).model.usage("2026-02-01")).toEqual(none);
    });

    it("counts a check, although it isn't an investigation", async () => {
      const { model } = db().scope(await organization(db()));
      const check = { started_at: now.toISOString(), input_tokens: 7, output_tokens: 1, cost_usd: 0.5 };
      await Promise.all([model.recordCheck(check), model.recordCheck(check)]);
      expect(await model.usage("2026-03-01")).toEqual({
        ...{ investigations: 0, input_tokens: 14, output_tokens: 2, cost_usd: 1, known_cost_usd: 1 },
      });
    });

    it("keeps runs with their prompts, the newest first, for their scope only", async () => {
      const [mine, theirs] = [await organization(db()), await organization(db())];
      const { model } = db().scope(mine);
      const [first, second] = [await open(mine), await open(mine)];
      await model.record(modelRun(first));
      await model.record({ ...modelRun(second), outcome: "declined" });
      const runs = await model.runs({ incidentId: null, limit: 10 });
      expect(runs.map(({ incident_id, outcome }) => [incident_id, outcome])).toEqual([
        [second, "declined"],
        [first, "answered"],
      ]);
      const [run] = await model.runs({ incidentId: first, limit: 10 });
      const { prompts, ...recorded } = modelRun(first);
      expect(run).toEqual({ ...recorded, id: run?.id, prompts_omitted: 0 });
      expect(await model.prompts(run?.id ?? "")).toEqual([{ ...prompts[0], is_cut: false }]);
      const { model: other } = db().scope(theirs);
      expect([await other.prompts(run?.id ?? ""), await other.runs({ incidentId: first, limit: 10 })]).toEqual([
        null,
        [],
      ]);
    });

    it("keeps prompts within bounds, and says what it left out", async () => {
      const mine = await organization(db());
      const { model } = db().scope(mine);
      const sent_at = now.toISOString();
      const prompts = Array.from({ length: 11 }, () => ({ sent_at, text: "x".repeat(200_001) }));
      await model.record({ ...modelRun(await open(mine)), prompts });
      const [run] = await model.runs({ incidentId: null, limit: 1 });
      const kept = (await model.prompts(run?.id ?? "")) ?? [];
      expect([kept.length, kept[0]?.text.length, kept[0]?.is_cut, run?.prompts_omitted]).toEqual([
        10,
        200_000,
        true,
        1,
      ]);
    });

    it("stays counted when its incident is gone, before or after", async () => {
      const mine = await organization(db());
      const { model, incidents } = db().scope(mine);
      const id = await open(mine);
      await model.record(modelRun(id));
      await incidents.remove(id, actor, now);
      await model.record(modelRun(id));
      expect(await model.runs({ incidentId: null, limit: 10 })).toEqual([]);
      expect(await model.usage("2026-03-01")).toMatchObject({ investigations: 2 });
    });

    it("loses prompts that are too old", async () => {
      const mine = await organization(db());
      const { model } = db().scope(mine);
      const text = "Why?";
      const prompts = ["2025-01-01T00:00:00.000Z", now.toISOString()].map((sent_at) => ({ sent_at, text }));
      await model.record({ ...modelRun(await open(mine)), prompts });
      const before = new Date("2025-01-02T00:00:00.000Z");
      expect([await db().modelPrompts.expire(before, 10), await db().modelPrompts.expire(before, 10)]).toEqual([1, 0]);
      const [run] = await model.runs({ incidentId: null, limit: 1 });
      expect(await model.prompts(run?.id ?? "")).toEqual([{ text, sent_at: now.toISOString(), is_cut: false }]);
    });
  });
}
