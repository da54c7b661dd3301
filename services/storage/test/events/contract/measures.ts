import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EventStore, StoredMeasure } from "../../../src/index.ts";

/** The engine drops what is older than measures are kept. */
const now = Math.floor(Date.now() / 60_000) * 60_000;
const at = (seconds: number): string => new Date(now + seconds * 1_000).toISOString();
const hour = { env: "PROD", from: at(-3_600), to: at(0) };

/** What every connection of the event store returns about what metrics count. */
export function describeMeasures(name: string, opened: () => EventStore): void {
  const scope = async (...inserts: readonly (readonly Partial<StoredMeasure>[])[]) => {
    const scopeId = `org_${randomUUID()}`;
    for (const measures of inserts) {
      await opened().insertMeasures(
        measures.map((measure) => ({
          ...{ scopeId, service: "shop", env: "PROD", release: "1.0", instance: "a", host: "web-3", kind: "route" },
          ...{ name: "GET /orders", series: "200", failed: false, counting: "total", since: at(-86_400), value: 0 },
          ...{ at: at(-60), receivedAt: at(-60), ...measure },
        })),
      );
    }
    return opened().forScope(scopeId);
  };
  const total = (seconds: number, value: number, changes: Partial<StoredMeasure> = {}): Partial<StoredMeasure> => ({
    ...{ at: at(seconds), receivedAt: at(seconds), value, ...changes },
  });
  const rates = async (...inserts: readonly (readonly Partial<StoredMeasure>[])[]) => {
    const scoped = await scope(...inserts);
    return scoped.measuredRates({ ...hour, services: ["shop"], limit: 9 });
  };

  describe(`${name}: what metrics count`, () => {
    it("is the difference of counts since a start, each once, by whichever gateway they came", async () => {
      const [one, other] = [
        [total(-600, 100), total(-480, 130)],
        [total(-540, 110), total(-60, 150)],
      ];
      const [route] = await rates([], one, other, one);
      expect(route).toEqual({
        ...{ service: "shop", kind: "route", name: "GET /orders", lastAt: at(-60) },
        ...{ earlier: 30, earlierFailed: 0, recent: 20, recentFailed: 0 },
      });
    });

    it("is all of a count that started within the span, unless it didn't start at 0", async () => {
      const [since, failed] = [at(-600), { series: "503", failed: true }];
      expect(
        await rates([total(-540, 7, { since }), total(-60, 9, { since }), total(-60, 3, { since, ...failed })]),
      ).toEqual([expect.objectContaining({ earlier: 7, recent: 5, recentFailed: 3 })]);
      expect(
        await rates([
          total(-600, 900, { since, counting: "first" }),
          total(-599, 901, { since }),
          total(-60, 905, { since }),
        ]),
      ).toEqual([expect.objectContaining({ earlier: 1, recent: 4 })]);
    });

    it("is all of a count that was exported in the millisecond in which it started", async () => {
      expect(await rates([total(-60, 7, { since: at(-60) })])).toEqual([expect.objectContaining({ recent: 7 })]);
    });

    it("is nothing of the first of other counts, and not less than nothing when one falls", async () => {
      expect(await rates([total(-540, 900, { since: null })])).toEqual([]);
      const restarts = { kind: "restarts", name: "", since: null } as const;
      expect(await rates([total(-540, 3, restarts), total(-240, 0, restarts), total(-60, 2, restarts)])).toEqual([
        expect.objectContaining({ kind: "restarts", earlier: 0, recent: 2, lastAt: at(-60) }),
      ]);
    });

    it("is the sum of counts since the export before, those within one minute, too", async () => {
      const delta = (seconds: number, value: number) => total(seconds, value, { counting: "delta", since: null });
      expect(await rates([delta(-50, 2), delta(-40, 3)], [delta(-50, 2), delta(-30, 4)])).toEqual([
        expect.objectContaining({ recent: 9 }),
      ]);
    });

    it("adds up to all of it, however the exports of several processes are shared by gateways", async () => {
      const exported = fc.record({
        process: fc.constantFrom("a", "b", "c"),
        seconds: fc.integer({ min: 1, max: 119 }),
        added: fc.nat(50),
        gateway: fc.nat(2),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(exported, { minLength: 1, maxLength: 30 }), async (exports) => {
          const state = new Map<string, { seconds: number; value: number }>();
          const byGateway: Partial<StoredMeasure>[][] = [[], [], []];
          for (const { process, seconds, added, gateway } of exports) {
            const last = state.get(process) ?? { seconds: -3_590, value: 0 };
            const next = { seconds: last.seconds + seconds, value: last.value + added };
            state.set(process, next);
            byGateway[gateway]?.push(total(next.seconds, next.value, { instance: process, since: at(-3_595) }));
          }
          const found = await rates(...byGateway.toReversed());
          const sum = exports.reduce((all, { added }) => all + added, 0);
          expect(found.reduce((all, { earlier, recent }) => all + earlier + recent, 0)).toBe(sum);
        }),
        { numRuns: 20 },
      );
    });

    it("counts as answered requests beside heartbeats", async () => {
      const scoped = await scope([
        total(-180, 100),
        total(-120, 160),
        total(-120, 5, { series: "503", failed: true, since: at(-150) }),
        total(-120, 9, { kind: "process", since: at(-150) }),
      ]);
      const answers = [{ at: at(-120), requests: 65, failed: 5 }];
      expect(await scoped.answers({ ...hour, service: "shop" })).toEqual(answers);
      const span = { ...hour, service: "shop" };
      expect(await scoped.releaseCounts(span)).toEqual([{ release: "1.0", failures: 0, requests: 65, failed: 5 }]);
      const course = await scoped.serviceCourse({ ...span, stepSeconds: 60 });
      expect(course).toMatchObject([{ at: at(-120), requests: 65, failed: 5, processes: 0 }]);
    });
  });

  describe(`${name}: queues`, () => {
    it("say how many messages wait in all series together, last and usually", async () => {
      const queue = (seconds: number, value: number, changes: Partial<StoredMeasure> = {}) =>
        total(seconds, value, { kind: "queue", name: "orders", counting: "gauge", since: null, ...changes });
      const scoped = await scope([
        ...[queue(-600, 1), queue(-600, 2, { series: "1" }), queue(-540, 5), queue(-480, 4)],
        ...[queue(-60, 50), queue(-60, 70, { series: "1" }), queue(-30, 55)],
        ...[queue(-60, 9, { name: "mail" }), queue(-600, 9, { name: "old" })],
      ]);
      expect(await scoped.measuredQueues({ ...hour, services: ["shop"], limit: 9 })).toEqual([
        { service: "shop", name: "orders", last: 125, usual: 4, lastAt: at(-60) },
        { service: "shop", name: "mail", last: 9, usual: null, lastAt: at(-60) },
      ]);
    });
  });
}
