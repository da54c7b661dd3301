import { hourMs } from "@whence/protocol";
import type { ProcessLife } from "@whence/storage";
import { describe, expect, it } from "vitest";
import { exitClusters, exitTimes, isSuspicious, shapesOf } from "../../src/process-exits/missing-heartbeats.ts";

const now = Date.parse("2026-03-01T12:00:00.000Z");
const times = exitTimes(150_000);
const spread = times.spreadMs;

/** A process whose last telemetry is `msAgo` old. */
const life = (instance: string, agoMs: number, changes: Partial<ProcessLife> = {}): ProcessLife => ({
  ...{ instance, service: "orders", host: "a", ended: false },
  firstSeenAt: new Date(now - agoMs - hourMs).toISOString(),
  lastSeenAt: new Date(now - agoMs).toISOString(),
  ...changes,
});

const clusters = (lives: readonly ProcessLife[], changes: { since?: number; patience?: number } = {}) =>
  exitClusters(lives, { now, since: 0, patience: 1, ...changes }, times).map((cluster) =>
    cluster.map(({ instance }) => instance),
  );

describe("a process exit", () => {
  it("is noticed once no process that ended at the same moment can still report, and not a millisecond before", () => {
    expect(clusters([life("x", 150_000 + spread - 1)])).toEqual([]);
    expect(clusters([life("x", 150_000 + spread)])).toEqual([["x"]]);
  });

  it("doesn't include a process that reported its exit", () => {
    expect(clusters([life("x", 900_000, { ended: true })])).toEqual([]);
  });

  it("that began before telemetry was taken is ignored", () => {
    expect(clusters([life("x", 900_000)], { since: now - 899_999 })).toEqual([]);
    expect(clusters([life("x", 900_000)], { since: now - 900_000 })).toEqual([["x"]]);
  });

  it("groups processes that stopped within one spread of heartbeats, and later ones separately", () => {
    const fell = [life("c", 600_000 - spread - 1), life("a", 600_000), life("b", 600_000 - spread)];
    expect(clusters(fell)).toEqual([["a", "b"], ["c"]]);
  });

  it("is waited for longer while the problem may be on our side", () => {
    expect(clusters([life("x", 3 * 150_000 + spread - 1)], { patience: 3 })).toEqual([]);
    expect(clusters([life("x", 3 * 150_000 + spread)], { patience: 3 })).toEqual([["x"]]);
  });

  it("of most processes of several organizations is suspicious, but not of one organization's", () => {
    const stopped = (name: string) => [life(`${name}1`, 200_000), life(`${name}2`, 200_000)];
    const suspicious = (...scopes: ProcessLife[][]) => isSuspicious(scopes, { now, since: 0 }, times);
    expect(suspicious(stopped("a"), stopped("b"))).toBe(true);
    expect(suspicious([...stopped("a"), ...stopped("c")])).toBe(false);
    expect(suspicious(stopped("a"), [life("b", 200_000)])).toBe(false);
    const alive = Array.from({ length: 5 }, (_, index) => life(`alive${index}`, 1_000));
    expect(suspicious(stopped("a"), stopped("b"), alive)).toBe(false);
  });
});

describe("processes that stopped together", () => {
  const shapes = (cluster: readonly ProcessLife[], others: readonly ProcessLife[] = [], apart: string[] = []) =>
    shapesOf(cluster, [...cluster, ...others], { apart: new Set(apart), ownHost: "ours" }).map(({ shared, lives }) => [
      shared,
      ...lives.map(({ instance }) => instance),
    ]);

  it("aren't those of a lost host when their clients name none", () => {
    const unnamed = [life("x", 900_000, { host: "" }), life("y", 900_000, { host: "" })];
    expect(shapes(unnamed)).toEqual([
      [null, "x"],
      [null, "y"],
    ]);
  });

  it("on one host, with no process left there, are a lost host", () => {
    const cluster = [
      life("x", 300_000),
      life("y", 290_000, { service: "payments" }),
      life("z", 290_000, { host: "b" }),
    ];
    expect(shapes(cluster)).toEqual([
      ["host-lost", "x", "y"],
      [null, "z"],
    ]);
    expect(shapes(cluster, [life("alive", 1_000)])).toEqual([
      [null, "x"],
      [null, "y"],
      [null, "z"],
    ]);
  });

  it("on the host we run on aren't, because we are still running", () => {
    const cluster = [life("x", 300_000, { host: "ours" }), life("y", 300_000, { host: "ours" })];
    expect(shapes(cluster)).toEqual([
      [null, "x"],
      [null, "y"],
    ]);
  });

  it("are separate when their own readings explain their end", () => {
    const cluster = [life("x", 300_000), life("y", 300_000), life("z", 300_000)];
    expect(shapes(cluster, [], ["z"])).toEqual([
      ["host-lost", "x", "y"],
      [null, "z"],
    ]);
    expect(shapes(cluster, [], ["y", "z"])).toEqual([
      [null, "y"],
      [null, "z"],
      [null, "x"],
    ]);
  });

  it("across services and hosts are one shape when they are most of what runs", () => {
    const cluster = ["orders", "payments", "stock"].map((service, index) =>
      life(service, 300_000, { service, host: `h${index}` }),
    );
    expect(shapes(cluster)).toEqual([["everything-lost", "orders", "payments", "stock"]]);
    const alive = Array.from({ length: 4 }, (_, index) => life(`alive${index}`, 1_000, { host: "z" }));
    expect(shapes(cluster, alive)).toEqual([
      [null, "orders"],
      [null, "payments"],
      [null, "stock"],
    ]);
  });
});
