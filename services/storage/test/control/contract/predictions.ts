import { minuteMs } from "@whence/protocol";
import { beforeEach, describe, expect, it } from "vitest";
import type { ControlDb, SettledPrediction, TakenPrediction } from "../../../src/index.ts";
import { completed, dueMs, predicting, watch } from "./accuracy-samples.ts";
import { after, agent, member, now, organization, report } from "./samples.ts";

const bounds = { perScopeMax: 10, max: 100, holdMs: 5 * minuteMs };
const upheld: SettledPrediction = {
  state: "upheld",
  result: { at: now.toISOString(), reason: "it came again", counts: { events: 3 }, excerpt: "boom" },
};

/** What every control database does about predictions. */
export function describePredictions(name: string, db: () => ControlDb): void {
  describe(`${name}: predictions`, () => {
    let scopeId: string;
    beforeEach(async () => {
      // Those of other tests are out of the way.
      for (const taken of await db().predictions.take(after(1_000 * minuteMs), { ...bounds, perScopeMax: 100 })) {
        await db().predictions.settle(taken, upheld);
      }
      scopeId = await organization(db());
    });
    const take = (at = now, changes: Partial<typeof bounds> = {}) =>
      db().predictions.take(at, { ...bounds, ...changes });
    const read = async (id: string) => (await db().scope(scopeId).incidents.find(id))?.report?.predictions;

    it("takes those of a finished report that can be watched, whose they are beside them", async () => {
      const id = await completed(db(), scopeId);
      const due = after(dueMs).toISOString();
      expect(await take()).toEqual([
        { scopeId, incidentId: id, position: 1, watch, due, look: 1 },
        { scopeId, incidentId: id, position: 2, watch, due, look: 1 },
      ]);
    });

    it("gives a taken one to no other taker until its hold ends, and again at that moment", async () => {
      await completed(db(), scopeId);
      await take();
      expect(await take(after(bounds.holdMs - 1))).toEqual([]);
      expect((await take(after(bounds.holdMs))).map(({ look }) => look)).toEqual([2, 2]);
    });

    it("gives each to one of ten that ask at once", async () => {
      for (let count = 0; count < 5; count += 1) await completed(db(), scopeId);
      const taken = (await Promise.all(Array.from({ length: 10 }, () => take()))).flat();
      const names = taken.map(({ incidentId, position }) => `${incidentId} ${position}`);
      expect([names.length, new Set(names).size]).toEqual([10, 10]);
    });

    it("takes no more of one scope within a minute than it may, and the others' in between", async () => {
      const other = await organization(db());
      for (let count = 0; count < 3; count += 1) await completed(db(), scopeId);
      await completed(db(), other);
      const first = await take(now, { perScopeMax: 3, max: 4 });
      expect(first.map((taken) => taken.scopeId === other)).toEqual(expect.arrayContaining([true, true, false, false]));
      expect((await take(after(1), { perScopeMax: 3 })).length).toBe(1);
      expect(await take(after(minuteMs - 1), { perScopeMax: 3 })).toEqual([]);
      expect((await take(after(minuteMs + 1), { perScopeMax: 3 })).length).toBe(3);
    });

    it("shows what became of one on its incident, and never takes it again", async () => {
      const id = await completed(db(), scopeId);
      const [first] = await take();
      expect(await db().predictions.settle(required(first), upheld)).toBe(true);
      expect((await read(id))?.[1]).toEqual({ ...predicting.predictions[1], outcome: "upheld", result: upheld.result });
      expect((await take(after(dueMs))).map(({ position }) => position)).toEqual([2]);
    });

    it("shows one that cannot be told as open, with the reason, and never takes it again", async () => {
      const id = await completed(db(), scopeId);
      for (const taken of await take()) await db().predictions.settle(taken, { ...upheld, state: "undecided" });
      expect((await read(id))?.slice(1)).toMatchObject([
        { outcome: "open", result: { reason: "it came again" } },
        { outcome: "open", result: { reason: "it came again" } },
      ]);
      expect(await take(after(dueMs))).toEqual([]);
    });

    it("keeps what was written first, and nothing of a look that another has overtaken", async () => {
      const id = await completed(db(), scopeId);
      const [stalled] = await take();
      const [later] = await take(after(bounds.holdMs));
      const refuted = { ...upheld, state: "refuted" } as const;
      expect(await db().predictions.settle(required(stalled), refuted)).toBe(false);
      expect(await db().predictions.postpone(required(stalled), after(0))).toBe(false);
      expect(await db().predictions.settle(required(later), upheld)).toBe(true);
      expect(await db().predictions.settle(required(later), refuted)).toBe(false);
      expect((await read(id))?.[1]?.outcome).toBe("upheld");
    });

    it("comes again when it was postponed to, and not 1 ms before", async () => {
      await completed(db(), scopeId);
      for (const taken of await take()) await db().predictions.postpone(taken, after(minuteMs * 30));
      expect(await take(after(minuteMs * 30 - 1))).toEqual([]);
      expect((await take(after(minuteMs * 30))).length).toBe(2);
    });

    it("gives way to those of a later report of the same incident", async () => {
      const id = await completed(db(), scopeId);
      const [taken] = await take();
      const { incidents } = db().scope(scopeId);
      await incidents.requeue(id);
      await incidents.complete(id, (await incidents.begin(id, now)) ?? 0, report, now);
      expect(await db().predictions.settle(required(taken), upheld)).toBe(false);
      expect(await take(after(dueMs))).toEqual([]);
    });

    it("goes with its incident to the organization that claims the agent", async () => {
      const { id, token } = await agent(db());
      await completed(db(), id);
      await db().agents.claim(token, await member(db(), scopeId), after(1));
      expect((await take()).map((taken) => taken.scopeId)).toEqual([scopeId, scopeId]);
    });
  });
}

function required(taken: TakenPrediction | undefined): TakenPrediction {
  if (!taken) throw new Error("no prediction was taken");
  return taken;
}
