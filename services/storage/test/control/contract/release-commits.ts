import { describe, expect, it } from "vitest";
import type { ControlDb, ReleaseCommit } from "../../../src/index.ts";
import { actor, after, now, organization } from "./samples.ts";

const many = 100;

function commit(digit: string, paths: readonly string[] | null = ["src/a.ts"]): ReleaseCommit {
  return { id: digit.repeat(40), author: "Ada Lovelace", subject: "rename amount", at: now.toISOString(), paths };
}

/** What every control database does about commits that build tools set. */
export function describeReleaseCommits(name: string, db: () => ControlDb): void {
  const newScope = async () => db().scope(await organization(db()));
  const [one, two] = [commit("1"), commit("2", null)];

  describe(`${name}: commits of releases`, () => {
    it("are those of each service that has the release, by any of its names", async () => {
      const { releaseCommits } = await newScope();
      await releaseCommits.announce("1.0.0", ["orders", "cart"], now, many);
      await releaseCommits.announce("2.0.0", ["mail"], now, many);
      expect(await releaseCommits.services("1.0.0")).toEqual(["cart", "orders"]);
      expect(await releaseCommits.services("3.0.0")).toEqual([]);
      expect(await releaseCommits.of("orders", ["1.0.0"])).toEqual([]);
      expect(await releaseCommits.set("1.0.0", [two, one], now)).toEqual(["cart", "orders"]);
      expect(await releaseCommits.of("orders", ["orders@1.0.0", "1.0.0"])).toEqual([two, one]);
      expect(await releaseCommits.of("cart", ["1.0.0"])).toEqual([two, one]);
      expect(await releaseCommits.of("mail", ["1.0.0", "2.0.0"])).toEqual([]);
      expect(await releaseCommits.of("orders", [])).toEqual([]);
    });

    it("belong to nothing while no service has the release", async () => {
      const { releaseCommits } = await newScope();
      await releaseCommits.announce("1.0.0", [], now, many);
      expect(await releaseCommits.set("1.0.0", [one], now)).toEqual([]);
    });

    it("stay when the release is announced again, and are replaced when they are set again", async () => {
      const { releaseCommits } = await newScope();
      await releaseCommits.announce("1.0.0", ["orders"], now, many);
      await releaseCommits.set("1.0.0", [one], now);
      await releaseCommits.announce("1.0.0", ["orders"], after(1), many);
      expect(await releaseCommits.of("orders", ["1.0.0"])).toEqual([one]);
      await releaseCommits.set("1.0.0", [two], after(2));
      expect(await releaseCommits.of("orders", ["1.0.0"])).toEqual([two]);
    });

    it("name the release before: the last one with commits of a service that has the release", async () => {
      const { releaseCommits } = await newScope();
      await releaseCommits.announce("3.0.0", ["orders"], after(5), many);
      expect(await releaseCommits.before("3.0.0")).toBeNull();
      await releaseCommits.announce("1.0.0", ["orders"], now, many);
      await releaseCommits.announce("other", ["mail"], now, many);
      await releaseCommits.announce("without", ["orders"], after(4), many);
      await releaseCommits.set("1.0.0", [one], after(1));
      await releaseCommits.set("other", [two], after(3));
      const before = { release: "1.0.0", setAt: after(1).toISOString(), commit: one.id };
      expect(await releaseCommits.before("3.0.0")).toEqual(before);
      await releaseCommits.set("3.0.0", [two, one], after(6));
      expect(await releaseCommits.before("3.0.0")).toEqual(before);
      expect(await releaseCommits.before("unknown")).toBeNull();
    });

    it("name the release before by when commits were set, even if an older release is announced again", async () => {
      const { releaseCommits } = await newScope();
      for (const [release, commits, at] of [
        ["1.0.0", [one], 1],
        ["1.1.0", [two], 2],
      ] as const) {
        await releaseCommits.announce(release, ["orders"], after(at), many);
        await releaseCommits.set(release, commits, after(at));
      }
      await releaseCommits.announce("1.0.0", ["orders"], after(3), many);
      await releaseCommits.announce("1.2.0", ["orders"], after(4), many);
      const before = { release: "1.1.0", setAt: after(2).toISOString(), commit: two.id };
      expect(await releaseCommits.before("1.2.0")).toEqual(before);
    });

    it("belong to one scope, and are removed with their release", async () => {
      const [mine, theirs] = [await newScope(), await newScope()];
      await mine.releaseCommits.announce("1.0.0", ["orders"], now, many);
      await mine.releaseCommits.set("1.0.0", [one], now);
      expect(await theirs.releaseCommits.set("1.0.0", [two], now)).toEqual([]);
      expect(await theirs.releaseCommits.of("orders", ["1.0.0"])).toEqual([]);
      expect(await theirs.releases.remove("orders", "1.0.0")).toBe(false);
      expect(await mine.releaseCommits.of("orders", ["1.0.0"])).toEqual([one]);
      expect(await mine.releases.remove("orders", "1.0.0")).toBe(true);
      expect(await mine.releaseCommits.of("orders", ["1.0.0"])).toEqual([]);
    });

    it.each([
      [2, [[], [two], [two]]],
      [3, [[one], [two], [two]]],
    ])("are kept of the %i releases of a scope that were announced last", async (keptMax, kept) => {
      const [{ releaseCommits }, other] = [await newScope(), await newScope()];
      await other.releaseCommits.announce("1", ["orders"], now, keptMax);
      await other.releaseCommits.set("1", [one], now);
      for (const release of ["1", "2", "3"]) {
        await releaseCommits.announce(release, ["orders"], after(Number(release)), keptMax);
        await releaseCommits.set(release, [release === "1" ? one : two], after(Number(release)));
      }
      const stored = await Promise.all(["1", "2", "3"].map((release) => releaseCommits.of("orders", [release])));
      expect(stored).toEqual(kept);
      expect(await other.releaseCommits.of("orders", ["1"])).toEqual([one]);
    });

    it("make their release known to what removes old ones, and are erased with their service", async () => {
      const scopeId = await organization(db());
      const { releaseCommits, releases } = db().scope(scopeId);
      await releaseCommits.announce("old", ["orders"], now, many);
      await releaseCommits.announce("live", ["orders"], now, many);
      const live = { service: "orders", release: "live", env: "PROD", commit: null, url: null, reportedBy: "key_ci" };
      await releases.report(live, after(1_000), many);
      await releaseCommits.announce("new", ["orders"], after(1_000), many);
      const old = (await db().reportedReleases.liveBefore(after(1_000))).filter((one) => one.scopeId === scopeId);
      expect(old).toEqual([{ scopeId, service: "orders", release: "old" }]);
      await db().erasures.removeRows(await db().erasures.request({ scopeId, service: "orders", now }), actor);
      expect(await releaseCommits.set("old", [one], now)).toEqual([]);
    });
  });
}
