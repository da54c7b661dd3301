import { randomUUID } from "node:crypto";
import { hourMs, secondMs, type TelemetryEvent } from "@whence/protocol";
import type { StoredEvent } from "@whence/storage";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { startExitWatch } from "../../src/process-exits/heartbeat-watch.ts";
import { storedEvent } from "../stored-event.ts";
import { silent as logger, startTestService, type TestService } from "../test-service.ts";

const mebibyte = 1_048_576;
const exitAfterMs = 150_000;

let service: TestService;
let scope: string;
beforeAll(async () => {
  service = await startTestService();
  // The store uses its own clock for retention.
  service.clock.now = Date.now();
});
afterAll(() => service.close());
beforeEach(async () => {
  service.clock.now += 7 * hourMs;
  scope = `org_${randomUUID()}`;
  await pulse(-7_200 * secondMs);
});

const at = (ms: number): string => new Date(service.clock.now + ms).toISOString();

/** A gateway takes telemetry now, and has done so since then. */
const pulse = (sinceMs: number) =>
  service.control.pulses.beat({
    ...{ id: "gateway", takingSince: new Date(service.clock.now + sinceMs), now: new Date(service.clock.now) },
    forgetBefore: new Date(service.clock.now - 1),
  });

type Beat = Partial<Omit<StoredEvent, "event">> & { event?: Partial<TelemetryEvent> };

/** One event of a process, `ms` from now. */
const said = (instance: string, ms: number, { event, ...changes }: Beat = {}): StoredEvent => {
  const stored = storedEvent(scope, { instance, receivedAt: at(ms), fingerprint: "", ...changes });
  const { exceptions: _, ...rest } = stored.event;
  return {
    ...stored,
    event: {
      ...rest,
      type: "heartbeat",
      level: "info",
      timestamp: at(ms),
      mechanism: { type: "heartbeat", handled: true },
      ...event,
    },
  };
};
const memory = (mib: number, changes: object = {}) => ({
  ...{ heap_used_bytes: mib * mebibyte, heap_limit_bytes: 512 * mebibyte, rss_bytes: (mib + 60) * mebibyte },
  ...{ event_loop_delay_ms: 3, ...changes },
});
const beat = (instance: string, ms: number, attributes: object, changes: Beat = {}) =>
  said(instance, ms, { ...changes, event: { attributes: { ...attributes }, ...changes.event } });

/** What one look leads to. */
async function look(): Promise<void> {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    const { control, events, queue, metrics } = service;
    const watch = startExitWatch({
      ...{ control, events, queue, metrics, logger, exitAfterMs, ownHost: "ours" },
      ...{ clock: () => service.clock.now, relayOutbox: () => undefined },
    });
    vi.advanceTimersByTime(exitAfterMs / 5);
    await watch.stop();
  } finally {
    vi.useRealTimers();
  }
}

const opened = async () =>
  (await service.control.scope(scope).incidents.list({ limit: 50 })).map(({ trigger, service: name, severity }) => ({
    ...{ name, severity, kind: trigger.kind === "process-exit" ? trigger.exit : trigger.kind },
  }));
const rules = async () =>
  (await service.control.scope(scope).failures.list({ limit: 50 })).map(({ decision }) => decision.rule).toSorted();

describe("a process that stops without shutting down", () => {
  it("was likely killed when nothing was wrong with it, ran out of memory when its heap was full", async () => {
    await service.events.insert([
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
    const [incident] = await service.control.scope(scope).incidents.list({ limit: 1, service: "cart" });
    const input = await service.control.scope(scope).incidents.input(incident?.id ?? "");
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
    await service.events.insert([
      beat("x", -600_000, memory(100), trail(call(-620_000, {}))),
      said("x", -360_000, {
        event: { ...failed, breadcrumbs: [call(-620_000, { status_code: 200, duration_ms: 12.4 })] },
      }),
      beat("x", -300_000, memory(100), trail(call(-304_000, { error: "refused", error_code: "ECONNREFUSED" }))),
      beat("x", -299_000, memory(100), trail(call(-303_000, { error: "read ECONNRESET", error_code: "ECONNRESET" }))),
      said("x", -298_000, { event: { level: "error", attributes: { main_thread_blocked_ms: 1_000 } } }),
    ]);
    await look();
    const [incident] = await service.control.scope(scope).incidents.list({ limit: 1 });
    const input = await service.control.scope(scope).incidents.input(incident?.id ?? "");
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
    await service.events.insert([
      ...[...heard("gone", -300_000), ...heard("here", -exitAfterMs + 1), ...heard("late", -exitAfterMs)],
      ...[...heard("other", -1_000, { service: "cart" }), ...heard("done", -2_000)],
      said("done", -1_000, { event: { type: "exit" } }),
    ]);
    await look();
    const [incident] = await service.control.scope(scope).incidents.list({ limit: 1 });
    const input = await service.control.scope(scope).incidents.input(incident?.id ?? "");
    expect(input).toMatchObject({ exit: { othersReporting: 1, processes: [{ instance: "gone" }] } });
  });

  it("is described by the failures it reported when its client sends no heartbeats", async () => {
    const failed = {
      event: { type: "exception", level: "error", mechanism: { type: "manual", handled: true } },
    } as const;
    await service.events.insert([
      said("quiet", -600_000, { ...failed, release: "7" }),
      said("quiet", -300_000, { ...failed, release: "7" }),
    ]);
    await look();
    const [incident] = await service.control.scope(scope).incidents.list({ limit: 1 });
    const input = await service.control.scope(scope).incidents.input(incident?.id ?? "");
    const [process] = input?.kind === "process-exit" ? input.exit.processes : [];
    expect(process).toMatchObject({ pid: 1, release: "7", runtime: "node 26.0.0", readings: [] });
  });

  it("opens one incident however many analyzers look for it, and how often, and another exit joins it", async () => {
    await service.events.insert([beat("one", -600_000, memory(100)), beat("one", -300_000, memory(100))]);
    await Promise.all([look(), look()]);
    await look();
    expect(await opened()).toHaveLength(1);
    await service.events.insert([beat("two", -500_000, memory(100)), beat("two", -250_000, memory(100))]);
    await look();
    const incidents = await service.control.scope(scope).incidents.list({ limit: 5 });
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
    await service.events.insert([beat("x", -600_000, memory(100), env), said("x", -300_000, last)]);
    await look();
    expect(await opened()).toEqual([]);
    expect(await rules()).toEqual([]);
  });

  it("opens none when it was too short-lived to be more than a job, and says so", async () => {
    await service.events.insert([beat("job", -310_000, memory(100)), beat("job", -300_000, memory(100))]);
    await look();
    expect([await opened(), await rules()]).toEqual([[], ["short-lived"]]);
  });

  it("opens none when the custom instructions mute its service, and says so", async () => {
    const by = { id: "usr_ada", name: "Ada" };
    const change = { text: "mute service: orders", version: 0, by, now: new Date(service.clock.now) };
    await service.control.scope(scope).instructions.write(change);
    await service.events.insert([beat("x", -600_000, memory(100)), beat("x", -300_000, memory(100))]);
    await look();
    expect([await opened(), await rules()]).toEqual([[], ["muted-service"]]);
  });

  it("opens none when another release of its service took over, and says so", async () => {
    await service.events.insert([
      ...[beat("old", -900_000, memory(100), { release: "1" }), beat("old", -300_000, memory(100), { release: "1" })],
      ...[beat("new", -320_000, memory(100), { release: "2" }), beat("new", -1_000, memory(100), { release: "2" })],
    ]);
    await look();
    expect([await opened(), await rules()]).toEqual([[], ["replaced-by-release"]]);
  });

  it("opens one when it was the newer release itself, which an older one can't have replaced", async () => {
    await service.events.insert([
      ...[beat("old", -900_000, memory(100), { release: "1" }), beat("old", -600_000, memory(100), { release: "1" })],
      ...[said("old", -590_000, { release: "1", event: { type: "exit" } })],
      ...[beat("new", -580_000, memory(100), { release: "2" }), beat("new", -300_000, memory(100), { release: "2" })],
    ]);
    await look();
    expect(await opened()).toMatchObject([{ name: "orders", kind: "killed" }]);
  });

  it("isn't considered ended for a time when no gateway took telemetry, or while the writer is behind", async () => {
    await service.events.insert([beat("x", -600_000, memory(100)), beat("x", -300_000, memory(100))]);
    await pulse(-299_000);
    await look();
    service.clock.now += 31 * secondMs;
    await look();
    expect([await opened(), await rules()]).toEqual([[], []]);
  });

  it("that sends heartbeats again is recorded as having returned", async () => {
    await service.events.insert([beat("x", -600_000, memory(100)), beat("x", -300_000, memory(100))]);
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const { control, events, queue, metrics, clock } = service;
    const ports = { control, events, queue, metrics, logger, clock: () => clock.now, relayOutbox: () => undefined };
    const watch = startExitWatch({ ...ports, exitAfterMs, ownHost: "ours" });
    const tick = () => vi.advanceTimersByTime(exitAfterMs / 5);
    tick();
    const patience = { timeout: 100_000 };
    await vi.waitFor(async () => expect(await opened()).toHaveLength(1), patience);
    await service.events.insert([beat("x", -1_000, memory(100))]);
    await vi.waitFor(async () => {
      tick();
      expect(await rules()).toEqual(["heard-again"]);
    }, patience);
    await watch.stop();
    vi.useRealTimers();
    expect(await service.control.scope(scope).exitedProcesses.decided(new Date(0))).toEqual(new Set());
    expect(await service.registry.metrics()).toContain(
      'whence_incidents_total{outcome="skipped",rule="heard-again"} 1',
    );
  });
});

describe("a service in a crash loop", () => {
  const minute = 60 * secondMs;
  /** A process that sent telemetry for 20 seconds from then on. */
  const round = (instance: string, ms: number, changes: Beat = {}, mib = 100) => [
    beat(instance, ms, memory(100), changes),
    beat(instance, ms + 20 * secondMs, memory(mib), changes),
  ];
  const onHost = (name: string): Beat => ({
    host: { name, pid: 1, runtime: { name: "node", version: "26" }, os: "linux", arch: "x64" },
  });
  const looked = async (...rounds: StoredEvent[][]) => {
    await service.events.insert(rounds.flat());
    await look();
    return [(await opened()).map(({ kind }) => kind), await rules()];
  };
  const reported = async () => {
    const [incident] = await service.control.scope(scope).incidents.list({ limit: 1 });
    const input = await service.control.scope(scope).incidents.input(incident?.id ?? "");
    return { title: incident?.title, ...(input?.kind === "process-exit" ? input.exit : undefined) };
  };

  it("is one incident with every round from the third one on, and later rounds join it", async () => {
    const two = [round("a", -10 * minute), round("b", -9 * minute)];
    expect(await looked(...two)).toEqual([[], ["short-lived"]]);
    expect(await looked(round("c", -6 * minute))).toEqual([["killed"], ["new-failure", "short-lived"]]);
    expect(await reported()).toMatchObject({
      title: "orders keeps stopping and restarting",
      processes: [{ instance: "a" }, { instance: "b" }, { instance: "c", readings: [{}, {}] }],
    });
    service.clock.now += 2 * minute;
    await pulse(-7_200 * secondMs);
    await look();
    expect(await looked(round("d", -5 * minute))).toEqual([["killed"], ["known-failure", "short-lived"]]);
  });

  it("ran out of memory when one of the rounds says so", async () => {
    const rounds = [round("a", -10 * minute), round("b", -8 * minute, {}, 490), round("c", -6 * minute)];
    const [kinds] = await looked(...rounds);
    expect(kinds).toEqual(["out-of-memory"]);
  });

  it("isn't one when its rounds are further apart than a quarter of an hour", async () => {
    const from = (ms: number) => [round("a", ms), round("b", -9 * minute), round("c", -6 * minute)];
    const quarter = -6 * minute + 20 * secondMs - 15 * minute;
    expect(await looked(...from(quarter - 1))).toEqual([[], ["short-lived"]]);
    scope = `org_${randomUUID()}`;
    expect((await looked(...from(quarter)))[0]).toEqual(["killed"]);
  });

  it("isn't one when one of three lived for a minute, which gets its own incident", async () => {
    const longer = [beat("b", -9 * minute, memory(100)), beat("b", -8 * minute, memory(100))];
    await looked(round("a", -10 * minute), longer, round("c", -6 * minute));
    expect(await reported()).toMatchObject({ title: "orders stopped without shutting down: likely killed" });
  });

  it.each<[string, () => StoredEvent[][]]>([
    [
      "jobs end in order",
      () => ["a", "b", "c"].map((id, index) => [beat(id, -(10 - 2 * index) * minute, {}), exit(id, index)]),
    ],
    ["one of the three ended in order", () => [round("a", -10 * minute), told("b", "exit"), round("c", -6 * minute)]],
    [
      "one of the three reported what ended it",
      () => [round("a", -10 * minute), told("b", "exception"), round("c", -6 * minute)],
    ],
    ["replicas start together", () => ["a", "b", "c"].map((id) => round(id, -10 * minute, onHost(id)))],
    [
      "a batch of jobs starts within one delivery, and each is heard once",
      () => ["a", "b", "c"].map((id, index) => [beat(id, -10 * minute + 4_999 * index, memory(100))]),
    ],
    [
      "jobs run on a machine of their own each",
      () => ["a", "b", "c"].map((id, index) => round(id, -(10 - 2 * index) * minute, onHost(id))),
    ],
    [
      "another release is started meanwhile",
      () => [
        ...[round("a", -10 * minute, { release: "1" }), round("b", -8 * minute, { release: "1" })],
        ...[round("c", -6 * minute, { release: "1" }), [beat("new", -7 * minute, memory(1), { release: "2" })]],
        [beat("new", -1_000, memory(1), { release: "2" })],
      ],
    ],
    [
      "each round is another release",
      () => ["1", "2", "3"].map((release, index) => round(release, -(10 - 2 * index) * minute, { release })),
    ],
  ])("isn't one when %s", async (_what, rounds) => {
    expect((await looked(...rounds()))[0]).toEqual([]);
  });

  it("is one, also with a machine for each process, when the service is known to live longer; its older release may go on", async () => {
    const old = { ...onHost("old"), release: "1" };
    const rounds = ["a", "b", "c"].map((id, index) =>
      round(id, -(10 - 2 * index) * minute, { ...onHost(id), release: "2" }),
    );
    const alive = [beat("old", -12 * minute, memory(100), old), beat("old", -1_000, memory(100), old)];
    const next = [beat("d", -5_000, memory(100), { ...onHost("d"), release: "2" })];
    expect((await looked(alive, ...rounds, next))[0]).toEqual(["killed"]);
    expect(await reported()).toMatchObject({ othersReporting: 1 });
  });

  const exit = (instance: string, index: number) =>
    said(instance, -(10 - 2 * index) * minute + 20 * secondMs, { event: { type: "exit" } });
  const told = (instance: string, type: "exit" | "exception") => [
    beat(instance, -8 * minute, memory(100)),
    said(instance, -8 * minute + 20 * secondMs, {
      event: { type, level: "critical", mechanism: { type: "uncaughtException", handled: false } },
    }),
  ];
});

describe("a process whose main thread is blocked", () => {
  const blocked = (ms: number): Beat => ({
    event: { level: "error", attributes: { ...memory(100), main_thread_blocked_ms: ms } },
  });

  it("is hung while its watchdog thread still sends heartbeats", async () => {
    await service.events.insert([beat("x", -600_000, memory(100)), said("x", -5_000, blocked(75_000))]);
    await look();
    expect(await opened()).toEqual([{ name: "orders", severity: "critical", kind: "hung" }]);
  });

  it("isn't hung when it was blocked for a moment, or has recovered", async () => {
    await service.events.insert([
      ...[beat("moment", -600_000, memory(100)), said("moment", -5_000, blocked(20_000))],
      ...[said("going", -60_000, blocked(90_000)), beat("going", -1_000, memory(100))],
    ]);
    await look();
    expect(await opened()).toEqual([]);
  });

  it("that then ends was hung, not killed", async () => {
    await service.events.insert([beat("x", -600_000, memory(100)), said("x", -300_000, blocked(30_000))]);
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
    await service.events.insert(there);
    await look();
    const incidents = await service.control.scope(scope).incidents.list({ limit: 5 });
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
    await service.events.insert(heard);
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
    await service.events.insert(lived);
    await look();
    expect(await opened()).toEqual([]);
    service.clock.now += 3 * exitAfterMs;
    await pulse(-7_200 * secondMs);
    await look();
    expect((await opened()).map(({ kind }) => kind)).toEqual(["everything-lost"]);
  });
});
