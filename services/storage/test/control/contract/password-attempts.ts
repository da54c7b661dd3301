import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { ControlDb } from "../../../src/index.ts";
import { after, now } from "./samples.ts";

const forgetAfterMs = 60_000;
/** Two attempts are free, then each has to wait for a second longer. */
const delayMs = (attempts: number): number => Math.max(0, attempts - 1) * 1_000;

/** What every control database does about attempts at passwords. */
export function describePasswordAttempts(name: string, db: () => ControlDb): void {
  describe(`${name}: attempts at a password`, () => {
    const take = (aim: string, at: Date) => db().passwordAttempts.take({ aim, now: at, forgetAfterMs, delayMs });

    it("are counted one after the other when they come at once, and refused ones aren't", async () => {
      const aim = randomUUID();
      const taken = await Promise.all(Array.from({ length: 10 }, () => take(aim, now)));
      expect(taken.filter((freeAt) => freeAt === null)).toHaveLength(2);
      expect(taken.find((freeAt) => freeAt !== null)).toEqual(after(1_000));
      expect(await take(aim, after(999))).toEqual(after(1_000));
      expect(await take(aim, after(1_000))).toBeNull();
      expect(await take(aim, after(1_000))).toEqual(after(3_000));
      expect(await take(randomUUID(), now)).toBeNull();
    });

    it("are forgotten some time after the last, and once the password was right", async () => {
      const [old, right] = [randomUUID(), randomUUID()];
      for (const aim of [old, right]) await take(aim, now);
      for (const aim of [old, right]) await take(aim, now);
      await db().passwordAttempts.forget(right);
      expect(await take(right, now)).toBeNull();
      expect(await take(right, now)).toBeNull();
      expect(await take(old, after(forgetAfterMs))).toBeNull();
      expect(await take(old, after(forgetAfterMs))).toBeNull();
    });
  });
}
