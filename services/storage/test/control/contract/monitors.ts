import { type MonitorResult, monitorChangeSchema, monitorLimits } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import type { ControlDb, MonitorProgress, StoredMonitor } from "../../../src/index.ts";
import { after, now, organization } from "./samples.ts";

const by = { id: "usr_ada", name: "Ada" };
const holdMs = 60_000;
const change = monitorChangeSchema.parse({ name: "Shop", check: { kind: "uptime", url: "https://shop.example.com/" } });
const progress: MonitorProgress = {
  ...{ failedChecks: 0, failingSince: null, alert: null, recoveredAt: null, incidentId: null },
  ...{ lastResult: null, expectedAt: null, runningSince: null, runId: null },
};
const result: MonitorResult = {
  ...{ at: now.toISOString(), outcome: "failed", reason: "answered 503", duration_ms: 12, value: 0.25 },
};

/** What every control database does about monitors. */
export function describeMonitors(name: string, db: () => ControlDb): void {
  const add = (scopeId: string, nextCheckAt: Date | null, keyHash: string | null = null): Promise<StoredMonitor> =>
    db()
      .scope(scopeId)
      .monitors.add({ change, progress, keyHash, nextCheckAt: nextCheckAt?.toISOString() ?? null, by, now });

  /** Those of some scopes: the database has those of other tests. */
  async function taken(at: Date, scopeIds: readonly string[], max = 1_000) {
    return (await db().monitors.take(at, { holdMs, max })).filter(({ scopeId }) => scopeIds.includes(scopeId));
  }

  describe(`${name}: monitors`, () => {
    it("are found in their scope only, by id, and by key wherever they are", async () => {
      const [scopeId, other] = [await organization(db()), await organization(db())];
      const monitor = await add(scopeId, now, `hash of ${scopeId}`);
      expect(monitor).toMatchObject({ ...change, scopeId, progress, nextCheckAt: now.toISOString(), createdBy: by });
      expect(await db().scope(scopeId).monitors.list()).toEqual([monitor]);
      expect(await db().scope(other).monitors.find(monitor.id)).toBeNull();
      expect(await db().monitors.ofKey(`hash of ${scopeId}`)).toEqual(monitor);
      expect(await db().scope(other).monitors.replaceKey(monitor.id, "another")).toBe(false);
      expect(await db().scope(scopeId).monitors.replaceKey(monitor.id, `another of ${scopeId}`)).toBe(true);
      expect(await db().monitors.ofKey(`hash of ${scopeId}`)).toBeNull();
      expect(await db().scope(other).monitors.remove(monitor.id)).toBeNull();
      expect((await db().scope(scopeId).monitors.remove(monitor.id))?.id).toBe(monitor.id);
      expect(await db().scope(scopeId).monitors.list()).toEqual([]);
    });

    it("are taken once they are due, each by one of several processes, and again when that one dies", async () => {
      const scopeId = await organization(db());
      await add(scopeId, null);
      const monitor = await add(scopeId, after(10));
      expect(await taken(after(9), [scopeId])).toEqual([]);
      const both = (await Promise.all([taken(after(10), [scopeId]), taken(after(10), [scopeId])])).flat();
      expect(both).toMatchObject([{ id: monitor.id, revision: monitor.revision + 1 }]);
      expect(await taken(after(11), [scopeId])).toEqual([]);
      expect(await taken(new Date(after(10).getTime() + holdMs), [scopeId])).toHaveLength(1);
    });

    it("are taken in turns, one of each scope first", async () => {
      const [many, few] = [await organization(db()), await organization(db())];
      await taken(after(1_000_000), []);
      for (const minutes of [1, 2, 3]) await add(many, after(minutes));
      await add(few, after(5));
      const first = await taken(after(10), [many, few], 2);
      expect(new Set(first.map(({ scopeId }) => scopeId))).toEqual(new Set([many, few]));
    });

    it("are written with a result, once for each time they were read", async () => {
      const scopeId = await organization(db());
      const { monitors } = db().scope(scopeId);
      const monitor = await add(scopeId, now);
      const failing = { ...progress, failedChecks: 1, lastResult: result };
      const written = await monitors.write(monitor, { progress: failing, nextCheckAt: null, result });
      expect(written).toMatchObject({ progress: failing, nextCheckAt: null });
      expect(await monitors.write(monitor, { progress, nextCheckAt: null, result })).toBeNull();
      expect(await monitors.results(monitor.id, 10)).toEqual([result]);
      expect(
        await db()
          .scope(await organization(db()))
          .monitors.results(monitor.id, 10),
      ).toEqual([]);
    });

    it("keep their newest results", async () => {
      const scopeId = await organization(db());
      const { monitors } = db().scope(scopeId);
      let monitor: StoredMonitor | null = await add(scopeId, now);
      for (let made = 0; monitor && made <= monitorLimits.monitorResultsMax; made += 1) {
        const one = { ...result, reason: `check ${made}` };
        monitor = await monitors.write(monitor, { progress, nextCheckAt: null, result: one });
      }
      const reasons = (await monitors.results(monitor?.id ?? "", 1_000)).map(({ reason }) => reason);
      expect(reasons).toHaveLength(monitorLimits.monitorResultsMax);
      expect([reasons[0], reasons.at(-1)]).toEqual(["check 100", "check 1"]);
    });
  });
}
