import { describe, expect, it } from "vitest";
import type { ControlDb } from "../../../src/index.ts";
import { organization } from "./samples.ts";

/** What every control database does about usage. */
export function describeUsage(name: string, db: () => ControlDb): void {
  describe(`${name}: usage`, () => {
    it("adds up by organization and day, and adding 0 reads", async () => {
      const [mine, theirs] = [await organization(db()), await organization(db())];
      expect(await db().usage.add(mine, "2026-03-01", 0)).toBe(0);
      expect(await db().usage.add(mine, "2026-03-01", 500)).toBe(500);
      expect(await db().usage.add(mine, "2026-03-01", 1)).toBe(501);
      expect(await db().usage.add(mine, "2026-03-02", 7)).toBe(7);
      expect(await db().usage.add(theirs, "2026-03-01", 2)).toBe(2);
      expect(await db().usage.add(mine, "2026-03-01", 0)).toBe(501);
    });

    it("counts beyond 32 bits", async () => {
      const mine = await organization(db());
      await db().usage.add(mine, "2026-03-01", 3_000_000_000);
      expect(await db().usage.add(mine, "2026-03-01", 3_000_000_000)).toBe(6_000_000_000);
    });

    it("loses nothing when twenty add at once", async () => {
      const mine = await organization(db());
      await Promise.all(Array.from({ length: 20 }, () => db().usage.add(mine, "2026-03-01", 3)));
      expect(await db().usage.add(mine, "2026-03-01", 0)).toBe(60);
    });
  });
}
