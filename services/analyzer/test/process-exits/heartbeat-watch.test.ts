import { secondMs, type TelemetryEvent } from "@whence/protocol";
import { describe, expect, it, vi } from "vitest";
import { startExitWatch } from "../../src/process-exits/heartbeat-watch.ts";
import { silent as logger } from "../test-service.ts";
import { type Beat, exitAfterMs, memory, watchedInEachTest } from "./watched-processes.ts";

const our = watchedInEachTest();
const { at, beat, look, opened, pulse, rules, said } = our;

const mebibyte = 1_048_576;

describe("a process that stops without shutting down", () => {
  it("was likely killed when nothing was wrong with it, ran out of memory when its heap was full", async () => {
    await our.service.events.insert([
      ...[beat("flat", -600_000, memory(100)), beat("flat", -300_000, memory(104))],
      ...[
        beat("full", -600_000, memory(200), { service: "cart" }),
        beat("full", -300_000, memory(490), { service: "cart" }),
      ],
    ]);
    await look();
    expect((await opened()).toSorted((left, right) => (left.name ?? "").localeCompare(right.name ?? ""))).toEqual([
      { name: "cart", severity: "critical", kind: "out-of-memory" },
      { name: "orders", severity: "high", kind: "killed" },
    ]);
    const [incident] = await our.service.control.scope(our.scope).incidents.list({ limit: 1, service: "cart" });
    const input = await our.service.control.scope(our.scope).incidents.input(incident?.id ?? "");
    expect(input).toMatchObject({
      kind: "process-exit",
      exit: {
        kind: "out-of-memory",
        processes: [{ instance: "full", readings: [{ heapUsedBytes: 200 * mebibyte }, {}] }],
      },
    });
  });

  it("is reported with its last actions, from heartbeats and failures, and each call once with its answer", async () => {
    const call = (ms: number, answer: object) => ({
      ...{ timestamp: at(ms), category: "http", data: { method: "POST", url: "https://payments/charge", ...answer } },
    });
    const trail = (...breadcrumbs: TelemetryEvent["breadcrumbs"] & object) => ({ event: { breadcrumbs } });
    const failed = { type: "log", level: "error", message: "card refused" } as const;
    await our.service.events.insert([
      beat("x", -600_000, memory(100), trail(call(-620_000, {}))),
      said("x", -360_000, {
        event: { ...failed, breadcrumbs: [call(-620_000, { status_code: 200, duration_ms: 12.4 })] },
      }),
      beat("x", -300_000, memory(100), trail(call(-304_000, { error: "refused", error_code: "ECONNREFUSED" }))),
      beat("x", -299_000, memory(100), trail(call(-303_000, { error: "read ECONNRESET", error_code: "ECONNRESET" }))),
      said("x", -298_000, { event: { level: "error", attributes: { main_thread_blocked_ms: 1_000 } } }),
    ]);
    await look();
    const [incident] = await our.service.control.scope(our.scope).incidents.list({ limit: 1 });
    const input = await our.service.control.scope(our.scope).incidents.input(incident?.id ?? "");
    const [process] = input?.kind === "process-exit" ? input.exit.processes : [];
    expect(process).toMatchObject({ lastSentAt: at(-298_000) });
    expect(process?.breadcrumbs).toEqual([
      { at: at(-620_000), category: "http", message: "POST https://payments/charge 200 in 12 ms" },
      { at: at(-360_000), category: "log", message: "card refused" },
      { at: at(-304_000), category: "http", message: "POST https://payments/charge ECONNREFUSED refused" },
      { at: at(-303_000), category: "http", message: "POST https://payments/charge read ECONNRESET" },
    ]);
  });

  it("is reported with how many others of its service still send telemetry", async () => {
    const heard = (instance: string, ms: number, changes: Beat = {}) => [
      beat(instance, -900_000, memory(100), changes),
      beat(instance, ms, memory(100), changes),
    ];
    await our.service.events.insert([
      ...[...heard("gone", -300_000), ...heard("here", -exitAfterMs + 1), ...heard("late", -exitAfterMs)],
      ...[...heard("other", -1_000, { service: "cart" }), ...heard("done", -2_000)],
      said("done", -1_000, { event: { type: "exit" } }),
    ]);
    await look();
    const [incident] = await our.service.control.scope(our.scope).incidents.list({ limit: 1 });
    const input = await our.service.control.scope(our.scope).incidents.input(incident?.id ?? "");
    expect(input).toMatchObject({ exit: { othersReporting: 1, processes: [{ instance: "gone" }] } });
  });

  it("is described by the failures it reported when its client sends no heartbeats", async () => {
    const failed = {
      event: { type: "exception", level: "error", mechanism: { type: "manual", handled: true } },
    } as const;
    await our.service.events.insert([
      said("quiet", -600_000, { ...failed, release: "7" }),
      said("quiet", -300_000, { ...failed, release: "7" }),
    ]);
    await look();
    const [incident] = await our.service.control.scope(our.scope).incidents.list({ limit: 1 });
    const input = await our.service.control.scope(our.scope).incidents.input(incident?.id ?? "");
    const [process] = input?.kind === "process-exit" ? input.exit.processes : [];
    expect(process).toMatchObject({ pid: 1, release: "7", runtime: "node 26.0.0", readings: [] });
  });

  it("opens one incident, even when several analyzers look repeatedly, and another exit joins it", async () => {
    await our.service.events.insert([beat("one", -600_000, memory(100)), beat("one", -300_000, memory(100))]);
    await Promise.all([look(), look()]);
    await look();
    expect(await opened()).toHaveLength(1);
    await our.service.events.insert([beat("two", -500_000, memory(100)), beat("two", -250_000, memory(100))]);
    await look();
    const incidents = await our.service.control.scope(our.scope).incidents.list({ limit: 5 });
    expect(incidents.map(({ occurrences }) => occurrences?.events)).toEqual([2]);
  });

  it.each<[string, Beat]>([
    ["told its end", { event: { type: "exit" } }],
    [
      "reported the exception that ended it",
      { event: { type: "exception", level: "critical", mechanism: { type: "uncaughtException", handled: false } } },
    ],
    ["is of another environment", { env: "STAGING" }],
  ])("opens none when it %s", async (_what, last) => {
    const env = last.env === undefined ? {} : { env: last.env };
    await our.service.events.insert([beat("x", -600_000, memory(100), env), said("x", -300_000, last)]);
    await look();
    expect(await opened()).toEqual([]);
    expect(await rules()).toEqual([]);
  });

  it("opens none when it was too short-lived to be more than a job, and says so", async () => {
    await our.service.events.insert([beat("job", -310_000, memory(100)), beat("job", -300_000, memory(100))]);
    await look();
    expect([await opened(), await rules()]).toEqual([[], ["short-lived"]]);
  });

  it("opens none when the custom instructions mute its service, and says so", async () => {
    const by = { id: "usr_ada", name: "Ada" };
    const change = { text: "mute service: orders", version: 0, by, now: new Date(our.service.clock.now) };
    await our.service.control.scope(our.scope).instructions.write(change);
    await our.service.events.insert([beat("x", -600_000, memory(100)), beat("x", -300_000, memory(100))]);
    await look();
    expect([await opened(), await rules()]).toEqual([[], ["muted-service"]]);
  });

  it("opens none when another release of its service took over, and says so", async () => {
    await our.service.events.insert([
      ...[beat("old", -900_000, memory(100), { release: "1" }), beat("old", -300_000, memory(100), { release: "1" })],
      ...[beat("new", -320_000, memory(100), { release: "2" }), beat("new", -1_000, memory(100), { release: "2" })],
    ]);
    await look();
    expect([await opened(), await rules()]).toEqual([[], ["replaced-by-release"]]);
  });

  it("opens one when it was the newer release itself, which an older one can't have replaced", async () => {
    await our.service.events.insert([
      ...[beat("old", -900_000, memory(100), { release: "1" }), beat("old", -600_000, memory(100), { release: "1" })],
      ...[said("old", -590_000, { release: "1", event: { type: "exit" } })],
      ...[beat("new", -580_000, memory(100), { release: "2" }), beat("new", -300_000, memory(100), { release: "2" })],
    ]);
    await look();
    expect(await opened()).toMatchObject([{ name: "orders", kind: "killed" }]);
  });

  it("isn't considered ended for a time when no gateway took telemetry, or while the writer is behind", async () => {
    await our.service.events.insert([beat("x", -600_000, memory(100)), beat("x", -300_000, memory(100))]);
    await pulse(-299_000);
    await look();
    our.service.clock.now += 31 * secondMs;
    await look();
    expect([await opened(), await rules()]).toEqual([[], []]);
  });

  it("that sends heartbeats again is recorded as having returned", async () => {
    await our.service.events.insert([beat("x", -600_000, memory(100)), beat("x", -300_000, memory(100))]);
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const { control, events, queue, metrics, clock } = our.service;
    const ports = { control, events, queue, metrics, logger, clock: () => clock.now, relayOutbox: () => undefined };
    const watch = startExitWatch({ ...ports, exitAfterMs, ownHost: "ours" });
    const tick = () => vi.advanceTimersByTime(exitAfterMs / 5);
    tick();
    const patience = { timeout: 100_000 };
    await vi.waitFor(async () => expect(await opened()).toHaveLength(1), patience);
    await our.service.events.insert([beat("x", -1_000, memory(100))]);
    await vi.waitFor(async () => {
      tick();
      expect(await rules()).toEqual(["heard-again"]);
    }, patience);
    await watch.stop();
    vi.useRealTimers();
    expect(await our.service.control.scope(our.scope).exitedProcesses.decided(new Date(0))).toEqual(new Set());
    expect(await our.service.registry.metrics()).toContain(
      'whence_incidents_total{outcome="skipped",rule="heard-again"} 1',
    );
  });
});

describe("a process whose main thread is blocked", () => {
  const blocked = (ms: number): Beat => ({
    event: { level: "error", attributes: { ...memory(100), main_thread_blocked_ms: ms } },
  });

  it("is hung while its watchdog thread still sends heartbeats", async () => {
    await our.service.events.insert([beat("x", -600_000, memory(100)), said("x", -5_000, blocked(75_000))]);
    await look();
    expect(await opened()).toEqual([{ name: "orders", severity: "critical", kind: "hung" }]);
  });

  it("isn't hung when it was blocked for a moment, or has recovered", async () => {
    await our.service.events.insert([
      ...[beat("moment", -600_000, memory(100)), said("moment", -5_000, blocked(20_000))],
      ...[said("going", -60_000, blocked(90_000)), beat("going", -1_000, memory(100))],
    ]);
    await look();
    expect(await opened()).toEqual([]);
  });

  it("that then ends was hung, not killed", async () => {
    await our.service.events.insert([beat("x", -600_000, memory(100)), said("x", -300_000, blocked(30_000))]);
    await look();
    expect(await opened()).toEqual([{ name: "orders", severity: "critical", kind: "hung" }]);
  });
});

describe("many processes that stop at the same moment", () => {
  it("on one host are one incident that names them", async () => {
    const host = { name: "gone", pid: 1, runtime: { name: "node", version: "26" }, os: "linux", arch: "x64" };
    const there = ["orders", "cart", "stock"].flatMap((name) => [
      beat(name, -900_000, memory(100), { service: name, host }),
      beat(name, -300_000, memory(100), { service: name, host }),
    ]);
    await our.service.events.insert(there);
    await look();
    const incidents = await our.service.control.scope(our.scope).incidents.list({ limit: 5 });
    expect(incidents.map(({ trigger }) => trigger)).toMatchObject([
      { kind: "process-exit", exit: "host-lost", instances: expect.arrayContaining(["cart", "orders", "stock"]) },
    ]);
  });

  it.each([59_999, 60_000])("are finished jobs when each sent telemetry for less than a minute: %d ms", async (ms) => {
    const on = (name: string, machine: string): Beat => ({
      ...{ service: name },
      host: { name: machine, pid: 1, runtime: { name: "node", version: "26" }, os: "linux", arch: "x64" },
    });
    const jobs = [on("bills", "a"), on("mails", "a"), on("stock", "b")];
    const heard = jobs.flatMap((job, index) => [
      beat(`job${index}`, -900_000, memory(100), job),
      beat(`job${index}`, -900_000 + ms, memory(100), job),
    ]);
    await our.service.events.insert(heard);
    await look();
    expect((await opened()).map(({ kind }) => kind)).toEqual(ms < 60_000 ? [] : ["everything-lost"]);
  });

  it("across many hosts are waited for longer, and then are one incident", async () => {
    const hostOf = (name: string) => ({
      name,
      pid: 1,
      runtime: { name: "node", version: "26" },
      os: "linux",
      arch: "x64",
    });
    const names = ["orders", "cart", "stock", "mail"];
    const lived = names.flatMap((name) => [
      beat(name, -900_000, memory(100), { service: name, host: hostOf(name) }),
      beat(name, -300_000, memory(100), { service: name, host: hostOf(name) }),
    ]);
    await our.service.events.insert(lived);
    await look();
    expect(await opened()).toEqual([]);
    our.service.clock.now += 3 * exitAfterMs;
    await pulse(-7_200 * secondMs);
    await look();
    expect((await opened()).map(({ kind }) => kind)).toEqual(["everything-lost"]);
  });
});
