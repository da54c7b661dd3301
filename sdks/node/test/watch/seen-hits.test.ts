import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { WatchOrder } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import type { RequestContext } from "../../src/core/request-context.ts";
import { type ReadHit, SeenHits } from "../../src/watch/seen-hits.ts";

const place = { file: "src/plan.js", line: 3, function: "planOf", starts: 2, sha256: "a".repeat(64) };
const order: WatchOrder = {
  ...{ id: "wat_1", organization: "org_1", service: "shop", env: "PROD", release: "7", places: [place] },
  ...{ issued_at: "2026-03-01T12:00:00.000Z", expires_at: "2026-03-01T13:00:00.000Z" },
};
const hit = (nth: number): ReadHit => ({
  ...{ file: place.file, line: 3, function: "planOf", starts: 2, kind: "reached", nth, callers: [], values: [], at: 0 },
});
const request = () => ({ startedAt: 1 }) as RequestContext;

/** Collects what nothing refers to any longer. */
async function collect(): Promise<void> {
  setFlagsFromString("--expose-gc");
  const gc: () => void = runInNewContext("gc");
  await setImmediate();
  gc();
}

describe("what was seen at places", () => {
  const numbers = (seen: SeenHits, context?: RequestContext) =>
    seen
      .of(context, 1)?.()
      .hits.map(({ nth }) => nth);

  const completeness = (seen: SeenHits, context?: RequestContext) =>
    seen
      .of(context, 1)?.()
      .places.map((one) => one.is_complete);

  it("is part of its own request alone", () => {
    const seen = new SeenHits(order, "1-0", 0);
    const [first, second, other] = [request(), request(), request()];
    for (const context of [first, second, other]) seen.begin(context);
    seen.keep(hit(1), first);
    seen.keep(hit(2), second);
    expect([first, second, other, undefined].map((context) => numbers(seen, context))).toEqual([
      [1],
      [2],
      undefined,
      undefined,
    ]);
  });

  it("tells nothing of a job within a request, nor of that request once a stop was in its job", () => {
    const seen = new SeenHits(order, "1-0", 0);
    const outer = request();
    const job = { ...request(), within: new WeakRef(outer) };
    for (const context of [outer, job]) seen.begin(context);
    seen.keep(hit(1), outer);
    expect(numbers(seen, outer)).toEqual([1]);
    seen.pass(job, [0]);
    expect([outer, job].map((context) => numbers(seen, context))).toEqual([undefined, undefined]);
  });

  it("isn't part of a request that stops may have been missed in", () => {
    const seen = new SeenHits(order, "1-0", 0);
    const [before, within, later] = [request(), request(), request()];
    seen.begin(within);
    for (const context of [before, within]) seen.keep(hit(1), context);
    expect([before, within].map((context) => numbers(seen, context))).toEqual([undefined, [1]]);
    seen.miss();
    seen.begin(later);
    seen.keep(hit(2), later);
    expect([within, later].map((context) => numbers(seen, context))).toEqual([undefined, [2]]);
  });

  it("isn't whole at a place where a stop was outside of requests, which may be any request's", () => {
    const seen = new SeenHits({ ...order, places: [place, place] }, "1-0", 0);
    for (const index of [0, 1]) seen.watched(index);
    const context = request();
    seen.begin(context);
    seen.keep(hit(1), context);
    seen.pass(undefined, [1]);
    expect(numbers(seen, context)).toEqual([1]);
    expect(completeness(seen, context)).toEqual([true, false]);
  });

  it("is whole in a request that begins after a stop outside of requests", () => {
    const seen = new SeenHits({ ...order, places: [place, place] }, "1-0", 0);
    for (const index of [0, 1]) seen.watched(index);
    const [during, after] = [request(), request()];
    seen.begin(during);
    seen.pass(undefined, [1]);
    seen.begin(after);
    for (const context of [during, after]) seen.keep(hit(2), context);
    expect([during, after].map((context) => completeness(seen, context))).toEqual([
      [true, false],
      [true, true],
    ]);
    seen.pass(undefined, [0]);
    expect([during, after].map((context) => completeness(seen, context))).toEqual([
      [false, false],
      [false, true],
    ]);
  });

  it("isn't whole at a place that was left after twenty stops", () => {
    const seen = new SeenHits(order, "1-0", 0);
    seen.watched(0);
    const [context, later] = [request(), request()];
    seen.begin(context);
    seen.keep(hit(1), context);
    for (let stop = 1; stop < 20; stop += 1) expect(seen.count(0)).toBe(false);
    expect(completeness(seen, context)).toEqual([true]);
    expect(seen.count(0)).toBe(true);
    seen.begin(later);
    seen.keep(hit(2), later);
    expect([context, later].map((one) => completeness(seen, one))).toEqual([[false], [false]]);
  });

  it("doesn't keep its request alive", async () => {
    const seen = new SeenHits(order, "1-0", 0);
    const ended = (() => {
      const context = request();
      seen.begin(context);
      seen.keep(hit(1), context);
      return new WeakRef(context);
    })();
    await collect();
    expect([ended.deref(), numbers(seen, request())]).toEqual([undefined, undefined]);
  });
});
