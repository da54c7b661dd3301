import type { ReleaseReport } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import type { ControlDb } from "../../../src/index.ts";
import { after, now, organization } from "./samples.ts";

const commit = "1a2b3c4d5e6f";
const many = 100;

function live(about: Partial<ReleaseReport> = {}): ReleaseReport {
  return { service: "orders", release: "2.0.0", env: "PROD", commit: null, url: null, ...about };
}

/** What every control database does about releases that were reported as live. */
export function describeReleases(name: string, db: () => ControlDb): void {
  const newScope = async () => db().scope(await organization(db()));

  describe(`${name}: releases`, () => {
    it("are stored with when they went live, the last one first, and read by environment", async () => {
      const { releases } = await newScope();
      const url = "https://ci.example.com/7";
      const first = live({ release: "1.0.0", commit, url });
      expect(await releases.report(first, now, many)).toEqual({ ...first, live_at: now.toISOString() });
      await releases.report(live(), after(1), many);
      await releases.report(live({ env: "STAGING" }), after(2), many);
      expect((await releases.list()).map(({ release, env }) => `${release} ${env}`)).toEqual([
        ...["2.0.0 STAGING", "2.0.0 PROD", "1.0.0 PROD"],
      ]);
      expect((await releases.list("PROD")).map(({ release }) => release)).toEqual(["2.0.0", "1.0.0"]);
    });

    it("keep the time of the first report, and take the commit and the URL of the last", async () => {
      const { releases } = await newScope();
      await releases.report(live(), now, many);
      const again = await releases.report(live({ commit }), after(60_000), many);
      expect(again).toMatchObject({ commit, live_at: now.toISOString() });
      expect(await releases.list()).toEqual([again]);
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
      await db().erasures.removeRows(await db().erasures.request({ scopeId, service: "orders", now }));
      expect((await releases.list()).map(({ service }) => service)).toEqual(["cart"]);
      await db().erasures.removeRows(await db().erasures.request({ scopeId, service: null, now }));
      expect(await releases.list()).toEqual([]);
    });
  });
}
