import { describe, expect, it } from "vitest";
import type { ControlDb, NewReleaseReport } from "../../../src/index.ts";
import { actor, after, now, organization } from "./samples.ts";

const commit = "1a2b3c4d5e6f";
const many = 100;

function live(about: Partial<NewReleaseReport> = {}): NewReleaseReport {
  return { service: "orders", release: "2.0.0", env: "PROD", commit: null, url: null, reportedBy: "key_ci", ...about };
}

/** What every control database does about releases that were reported as live. */
export function describeReleases(name: string, db: () => ControlDb): void {
  const newScope = async () => db().scope(await organization(db()));

  describe(`${name}: releases`, () => {
    it("are stored with when they went live, the last one first, and read by environment", async () => {
      const { releases } = await newScope();
      const url = "https://ci.example.com/7";
      const first = live({ release: "1.0.0", commit, url });
      const { reportedBy: reported_by, ...told } = first;
      const at = now.toISOString();
      expect(await releases.report(first, now, many)).toEqual({ ...told, reported_by, live_at: at, reported_at: at });
      await releases.report(live(), after(1), many);
      await releases.report(live({ env: "STAGING" }), after(2), many);
      expect((await releases.list()).map(({ release, env }) => `${release} ${env}`)).toEqual([
        ...["2.0.0 STAGING", "2.0.0 PROD", "1.0.0 PROD"],
      ]);
      expect((await releases.list("PROD")).map(({ release }) => release)).toEqual(["2.0.0", "1.0.0"]);
    });

    it("keep the time of the first report, and take everything else from the last", async () => {
      const { releases } = await newScope();
      await releases.report(live(), now, many);
      const again = await releases.report(live({ commit, reportedBy: "key_2" }), after(60_000), many);
      expect(again).toMatchObject({ commit, reported_by: "key_2" });
      expect(again).toMatchObject({ live_at: now.toISOString(), reported_at: after(60_000).toISOString() });
      expect(await releases.list()).toEqual([again]);
    });

    it("went live again when they are reported after another one of their service and environment", async () => {
      const { releases } = await newScope();
      const report = (about: Partial<NewReleaseReport>, seconds: number) =>
        releases.report(live(about), after(seconds * 1_000), many);
      await report({}, 0);
      await report({ release: "2.0.1", service: "cart" }, 10);
      await report({ release: "2.0.1", env: "STAGING" }, 11);
      await report({}, 20);
      await report({ release: "2.0.1" }, 30);
      await report({ commit }, 40);
      await report({}, 50);
      const ofOrders = (await releases.list("PROD")).filter(({ service }) => service === "orders");
      expect(ofOrders.map(({ release, live_at, reported_at }) => [release, live_at, reported_at])).toEqual([
        ["2.0.0", after(40_000).toISOString(), after(50_000).toISOString()],
        ["2.0.1", after(30_000).toISOString(), after(30_000).toISOString()],
        ["2.0.0", now.toISOString(), after(20_000).toISOString()],
      ]);
    });

    it("aren't live again when reports arrive twice or late", async () => {
      const { releases } = await newScope();
      await releases.report(live(), now, many);
      await releases.report(live({ release: "2.0.1" }), after(20), many);
      await releases.report(live(), now, many);
      await releases.report(live({ release: "2.0.1" }), after(10), many);
      expect((await releases.list()).map(({ release, live_at }) => [release, live_at])).toEqual([
        ["2.0.1", after(20).toISOString()],
        ["2.0.0", now.toISOString()],
      ]);
    });

    it("have the commit that a report named, by any of a release's names", async () => {
      const { releases } = await newScope();
      await releases.report(live({ commit }), now, many);
      await releases.report(live({ env: "STAGING" }), after(1), many);
      expect(await releases.commitOf("orders", ["orders@2.0.0", "2.0.0"])).toBe(commit);
      expect(await releases.commitOf("orders", ["orders@2.0.0"])).toBeNull();
      expect(await releases.commitOf("payments", ["2.0.0"])).toBeNull();
      expect(await releases.commitOf("orders", [])).toBeNull();
    });

    it("belong to one scope", async () => {
      const [mine, theirs] = [await newScope(), await newScope()];
      await mine.releases.report(live({ commit }), now, many);
      expect(await theirs.releases.list()).toEqual([]);
      expect(await theirs.releases.commitOf("orders", ["2.0.0"])).toBeNull();
      expect(await theirs.releases.remove("orders", "2.0.0")).toBe(false);
      expect(await mine.releases.remove("orders", "2.0.0")).toBe(true);
      expect(await mine.releases.list()).toEqual([]);
    });

    it.each([
      [2, ["3", "2"]],
      [3, ["3", "2", "1"]],
    ])("are the %i of a scope that went live last", async (keptMax, kept) => {
      const [{ releases }, other] = [await newScope(), await newScope()];
      await other.releases.report(live(), now, keptMax);
      for (const release of [1, 2, 3]) {
        await releases.report(live({ release: String(release) }), after(release), keptMax);
      }
      expect((await releases.list()).map(({ release }) => release)).toEqual(kept);
      expect(await other.releases.list()).toHaveLength(1);
    });

    it("are listed by when they last went live, for what removes the old ones", async () => {
      const scopeId = await organization(db());
      const { releases } = db().scope(scopeId);
      await releases.report(live({ release: "old" }), now, many);
      await releases.report(live({ release: "new" }), now, many);
      await releases.report(live({ release: "new", env: "STAGING" }), after(1_000), many);
      const old = (await db().reportedReleases.liveBefore(after(1_000))).filter((one) => one.scopeId === scopeId);
      expect(old).toEqual([{ scopeId, service: "orders", release: "old" }]);
    });

    it("are erased with their service, and with everything the scope has", async () => {
      const scopeId = await organization(db());
      const { releases } = db().scope(scopeId);
      await releases.report(live(), now, many);
      await releases.report(live({ service: "cart" }), now, many);
      await db().erasures.removeRows(await db().erasures.request({ scopeId, service: "orders", now }), actor);
      expect((await releases.list()).map(({ service }) => service)).toEqual(["cart"]);
      await db().erasures.removeRows(await db().erasures.request({ scopeId, service: null, now }), actor);
      expect(await releases.list()).toEqual([]);
    });
  });
}
