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
  it("is part of its own request, or of none", () => {
    const seen = new SeenHits(order, "1-0", 0);
    const context = request();
    seen.keep(hit(1), context);
    seen.keep(hit(2), undefined);
    expect(
      seen
        .of(context)()
        .hits.map(({ nth }) => nth),
    ).toEqual([1]);
    expect(
      seen
        .of(undefined)()
        .hits.map(({ nth }) => nth),
    ).toEqual([2]);
  });

  it("isn't part of a failure outside of any request once its own request is gone", async () => {
    const seen = new SeenHits(order, "1-0", 0);
    (() => seen.keep(hit(1), request()))();
    await collect();
    expect(seen.of(undefined)().hits).toEqual([]);
  });
});
