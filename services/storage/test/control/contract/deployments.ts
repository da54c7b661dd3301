import { describe, expect, it } from "vitest";
import type { ControlDb, Deployment, Scope } from "../../../src/index.ts";
import { after, now, organization } from "./samples.ts";

const bounds = { holdMs: 60_000, max: 10 };
const many = 100;
const ada = { id: "usr_ada", name: "Ada" };

/** What every control database does about deployments that sources announced. */
export function describeDeployments(name: string, db: () => ControlDb): void {
  async function newScope(): Promise<{ readonly scope: Scope; readonly scopeId: string; readonly sourceId: string }> {
    const scopeId = await organization(db());
    const scope = db().scope(scopeId);
    const source = { kind: "vercel", name: "Vercel", inputs: {}, secrets: {}, by: ada, now } as const;
    return { scope, scopeId, sourceId: (await scope.alertSources.add(source)).id };
  }

  function deployment(sourceId: string, about: Partial<Deployment> = {}): Deployment {
    return {
      sourceId,
      key: "dpl_1",
      service: "orders",
      env: "PROD",
      release: "1a2b3c4",
      commit: "1a2b3c4",
      url: "https://vercel.com/1",
      liveAt: now.toISOString(),
      ...about,
    };
  }

  /** Those of one scope: the database has those of other tests. */
  async function taken(scopeId: string, at: Date) {
    return (await db().deployments.take(at, { ...bounds, max: 1_000 })).filter((one) => one.scopeId === scopeId);
  }

  describe(`${name}: deployments`, () => {
    it("are found by their source and id", async () => {
      const { scope, sourceId } = await newScope();
      await scope.deployments.watch(deployment(sourceId), after(1), many);
      expect(await scope.deployments.find({ sourceId, key: "dpl_1" })).toEqual(deployment(sourceId));
      expect(await scope.deployments.find({ sourceId, key: "dpl_2" })).toBeNull();
      expect(await (await newScope()).scope.deployments.find({ sourceId, key: "dpl_1" })).toBeNull();
    });

    it("are checked once they are due, each check by one of several processes", async () => {
      const { scope, scopeId, sourceId } = await newScope();
      await scope.deployments.watch(deployment(sourceId), after(10), many);
      expect(await taken(scopeId, after(9))).toEqual([]);
      const both = (await Promise.all([taken(scopeId, after(10)), taken(scopeId, after(10))])).flat();
      expect(both).toEqual([{ ...deployment(sourceId), scopeId, check: 1 }]);
      expect(await taken(scopeId, after(11))).toEqual([]);
      const [first] = both;
      expect(first && (await db().deployments.postpone(first, after(20)))).toBe(true);
      const [second] = await taken(scopeId, after(20));
      expect(second?.check).toBe(2);
      expect(first && (await db().deployments.end(first))).toBe(false);
      expect(second && (await db().deployments.end(second))).toBe(true);
      expect(await taken(scopeId, after(1_000_000))).toEqual([]);
    });

    it("are checked again when a check wasn't finished in time", async () => {
      const { scope, scopeId, sourceId } = await newScope();
      await scope.deployments.watch(deployment(sourceId), now, many);
      expect(await taken(scopeId, now)).toMatchObject([{ check: 1 }]);
      expect(await taken(scopeId, after(bounds.holdMs))).toMatchObject([{ check: 2 }]);
    });

    it("are checked from the start when they went live again, and not when they are announced again", async () => {
      const { scope, scopeId, sourceId } = await newScope();
      await scope.deployments.watch(deployment(sourceId), now, many);
      const [first] = await taken(scopeId, now);
      await scope.deployments.watch(deployment(sourceId), now, many);
      expect(await taken(scopeId, after(1))).toEqual([]);
      const again = deployment(sourceId, { liveAt: after(5_000).toISOString() });
      await scope.deployments.watch(again, after(10_000), many);
      expect(first && (await db().deployments.end(first))).toBe(false);
      expect(await taken(scopeId, after(10_000))).toMatchObject([{ liveAt: again.liveAt, check: 3 }]);
    });

    it("keep the latest of a source, and go with it", async () => {
      const { scope, sourceId } = await newScope();
      for (const [index, key] of ["dpl_1", "dpl_2", "dpl_3"].entries()) {
        const liveAt = after(index * 1_000).toISOString();
        await scope.deployments.watch(deployment(sourceId, { key, liveAt }), after(1), 2);
      }
      const found = async () =>
        (await Promise.all(["dpl_1", "dpl_2", "dpl_3"].map((key) => scope.deployments.find({ sourceId, key })))).map(
          (one) => one?.key ?? null,
        );
      expect(await found()).toEqual([null, "dpl_2", "dpl_3"]);
      await scope.alertSources.remove(sourceId);
      expect(await found()).toEqual([null, null, null]);
    });
  });
}
