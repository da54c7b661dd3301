import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hourMs, type Watch } from "@whence/protocol";
import { openStorage, type Storage } from "@whence/storage";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkPrediction } from "../../src/predictions/check-prediction.ts";
import type { Seen } from "../../src/predictions/look.ts";
import { at, call, failure, onRoute, reportedAt, Telemetry } from "./telemetry.ts";

let directory: string;
let storage: Storage;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "whence-predictions-"));
  storage = await openStorage({ dataDirectory: directory });
});
afterAll(async () => {
  await storage.close();
  await rm(directory, { recursive: true, force: true });
});

const stored = new Set<Telemetry>();

/** What is seen an hour after the report, when the prediction is due or, unless told, not yet. */
async function look(telemetry: Telemetry, watch: Watch, isDue = false): Promise<Seen> {
  if (!stored.has(telemetry)) await storage.events.insert(telemetry.events);
  stored.add(telemetry);
  const events = storage.events.forScope(telemetry.scopeId);
  return checkPrediction(watch, { events, from: reportedAt, to: reportedAt + hourMs, isDue });
}

const every = (step: number, from: number, to: number): number[] =>
  Array.from({ length: Math.ceil((to - from) / step) }, (_, index) => from + index * step);
const old = { release: "0.9", instance: "old" };
const other = { host: "h2", instance: "other" };
/** An hour before the report in which the failure came every five minutes. */
const failingHour = () => new Telemetry().beats(-60, 0).fails(every(5, -60, 0));

describe("that a failure continues", () => {
  const watch: Watch = { ...failure, kind: "failure-continues", release: "1.0" };

  it("is upheld by one more event in the same release, which it quotes", async () => {
    const seen = await look(failingHour().fails([30]), watch);
    expect(seen).toMatchObject({
      outcome: "upheld",
      counts: { failures: 1 },
      reason: "it occurred again, once in the same release",
    });
    expect(seen.excerpt).toContain(`${at(30)} event`);
  });

  it("isn't upheld by what was there before the report, nor by another release, another environment, another failure", async () => {
    const telemetry = failingHour().fails([10], old).fails([20], { env: "DEV" }).logs(30, {});
    expect((await look(telemetry, watch)).outcome).toBe("open");
  });

  it("is refuted when it is due and as much went on without any", async () => {
    const telemetry = failingHour().beats(0, 60);
    expect((await look(telemetry, watch)).outcome).toBe("open");
    expect(await look(telemetry, watch, true)).toMatchObject({
      outcome: "refuted",
      reason: expect.stringContaining("about 12 more were expected"),
    });
  });

  it("can't be decided when too little went on, and says so", async () => {
    const seen = await look(failingHour().beats(0, 10), watch, true);
    expect(seen).toMatchObject({ outcome: "open", reason: expect.stringContaining("too little traffic to tell") });
    const silent = await look(new Telemetry().fails([-5]), watch, true);
    expect(silent).toMatchObject({ outcome: "open", reason: expect.stringContaining("without earlier heartbeats") });
  });
});

describe("that only one release fails", () => {
  const watch: Watch = { ...failure, kind: "only-in-release", release: "1.0" };
  const both = () =>
    failingHour()
      .beats(-60, 60, old)
      .beats(0, 60)
      .fails(every(5, 0, 60));

  it("is upheld when an older one stays clean long enough, once it is due", async () => {
    expect((await look(both(), watch)).outcome).toBe("open");
    expect((await look(both(), watch, true)).outcome).toBe("upheld");
  });

  it("is refuted by one event in an older one, at once", async () => {
    const seen = await look(both().fails([40], old), watch);
    expect(seen).toMatchObject({ outcome: "refuted", counts: { failures_in_older_releases: 1 } });
    expect(seen.excerpt).toContain("release 0.9");
  });

  it("can't be decided by a newer release, nor without an older one", async () => {
    const newer = failingHour()
      .beats(0, 60)
      .beats(10, 60, { release: "1.1", instance: "new" })
      .fails([50], { release: "1.1" });
    expect(await look(newer, watch, true)).toMatchObject({
      outcome: "open",
      reason: expect.stringContaining("no older"),
    });
  });
});

describe("that another release ends it", () => {
  const watch: Watch = { ...failure, kind: "stops-with-release", release: "1.0" };
  const next = { release: "1.1", instance: "next" };

  it("is upheld when another one took over and stays clean", async () => {
    expect((await look(failingHour().beats(0, 10).beats(10, 60, next), watch)).outcome).toBe("upheld");
  });

  it("waits while the suspected one still runs", async () => {
    expect((await look(failingHour().beats(0, 60).beats(10, 60, next), watch)).outcome).toBe("open");
  });

  it("is refuted by an older release that fails, and not by a newer one", async () => {
    const older = failingHour().beats(-30, -20, old).beats(0, 60, old).fails([50], old);
    expect((await look(older, watch)).outcome).toBe("refuted");
    const newer = await look(failingHour().beats(0, 60, next).fails([50], next), watch, true);
    expect(newer).toMatchObject({ outcome: "open", reason: expect.stringContaining("newer release fails too") });
  });
});

describe("that each event has a failed call before it", () => {
  const watch: Watch = { ...failure, kind: "only-with-failed-call", upstream: "prices:8080" };
  const failing = (minutes: readonly number[]) =>
    minutes.reduce(
      (telemetry, minute) => telemetry.fails([minute], {}, call(minute, "prices:8080", 503)),
      new Telemetry(),
    );

  it("is upheld by three events that have one, once it is due, and can't be decided by two", async () => {
    expect((await look(failing([5, 6, 7]), watch)).outcome).toBe("open");
    expect((await look(failing([5, 6, 7]), watch, true)).outcome).toBe("upheld");
    expect(await look(failing([5, 6]), watch, true)).toMatchObject({
      outcome: "open",
      reason: expect.stringContaining("2 times, and 3 times are needed"),
    });
  });

  it("is refuted by two events without one: none, a successful one, one to another host, one from long before", async () => {
    const cases = [{}, call(20, "prices:8080", 200), call(20, "stock:8080", 503), call(18, "prices:8080", 503)];
    for (const changes of cases) {
      const telemetry = failing([5]).fails([20], {}, changes).fails([20], {}, changes);
      expect((await look(telemetry, watch)).outcome).toBe("refuted");
    }
  });

  it("tolerates one stray event among many", async () => {
    const telemetry = failing(every(2, 0, 40)).fails([50]);
    expect((await look(telemetry, watch, true)).outcome).toBe("upheld");
  });
});

describe("that it ends when an upstream recovers", () => {
  const watch: Watch = { ...failure, kind: "stops-with-recovery", upstream: "prices:8080" };
  const outage = () =>
    failingHour()
      .beats(0, 60)
      .fails([2], {}, call(2, "prices:8080", 503));

  it("is upheld when it stays away from five minutes after the first successful call", async () => {
    const telemetry = outage()
      .fails([6])
      .logs(4, call(4, "prices:8080", 200));
    expect(await look(telemetry, watch)).toMatchObject({ outcome: "upheld", counts: { failures_after_recovery: 0 } });
  });

  it("is refuted when the failure continues after that", async () => {
    const telemetry = outage()
      .logs(4, call(4, "prices:8080", 200))
      .fails([30, 40], {}, call(30, "prices:8080", 200));
    expect(await look(telemetry, watch)).toMatchObject({ outcome: "refuted", counts: { failures_after_recovery: 2 } });
  });

  it("waits while calls fail again, and while none is known to have succeeded", async () => {
    const again = outage()
      .logs(4, call(4, "prices:8080", 200))
      .fails([50], {}, call(50, "prices:8080", 503));
    expect((await look(again, watch)).outcome).toBe("open");
    expect(await look(outage(), watch, true)).toMatchObject({
      outcome: "open",
      reason: "no call to prices:8080 is known to have succeeded since",
    });
  });
});

describe("that it occurs on one route only", () => {
  const watch: Watch = { ...failure, kind: "only-on-route", route: "/orders/:id" };
  const here = (count: number) => new Telemetry().fails(every(5, 0, count * 5), {}, onRoute("/orders/:id"));

  it("is upheld by three events there once it is due, and can't be decided by two", async () => {
    expect((await look(here(3), watch)).outcome).toBe("open");
    expect((await look(here(3), watch, true)).outcome).toBe("upheld");
    expect((await look(here(2), watch, true)).outcome).toBe("open");
  });

  it("is refuted by one event elsewhere, and not by one outside requests", async () => {
    expect((await look(here(3).fails([30]), watch, true)).outcome).toBe("upheld");
    const seen = await look(here(3).fails([30], {}, onRoute("/carts")), watch);
    expect(seen).toMatchObject({ outcome: "refuted", excerpt: expect.stringContaining("route /carts") });
  });
});

describe("that it occurs on one host only", () => {
  const watch: Watch = { ...failure, kind: "only-on-host", host: "h1" };
  const both = () =>
    failingHour()
      .beats(0, 60)
      .fails(every(5, 0, 60))
      .beats(-60, 60, other);

  it("is upheld when another host stays clean, and refuted by one event there", async () => {
    expect((await look(both(), watch)).outcome).toBe("open");
    expect((await look(both(), watch, true)).outcome).toBe("upheld");
    expect((await look(both().fails([10], other), watch)).outcome).toBe("refuted");
  });

  it("can't be decided when there is no other host", async () => {
    expect(await look(failingHour().beats(0, 60), watch, true)).toMatchObject({
      outcome: "open",
      reason: "the service runs on no other host to compare with",
    });
  });
});

describe("that a restart doesn't help", () => {
  const watch: Watch = { ...failure, kind: "restart-keeps", release: "1.0" };
  const restarted = { instance: "restarted" };

  it("is upheld by a process that was started since and fails", async () => {
    expect((await look(failingHour().beats(5, 60, restarted).fails([6], restarted), watch)).outcome).toBe("upheld");
  });

  it("isn't upheld by a process that ran before", async () => {
    expect(await look(failingHour().beats(0, 60).fails([6]), watch, true)).toMatchObject({
      outcome: "open",
      reason: "no process of this release has started since",
    });
  });

  it("is refuted when such processes run as long without failing, once it is due", async () => {
    const telemetry = failingHour().beats(5, 60, restarted);
    expect((await look(telemetry, watch)).outcome).toBe("open");
    expect((await look(telemetry, watch, true)).outcome).toBe("refuted");
  });
});

describe("that a restart clears it", () => {
  const watch: Watch = { ...failure, kind: "restart-clears", instance: "i1" };
  /** A process that ran clean for 40 minutes before the report. */
  const ended = () => new Telemetry().beats(-40, 0).fails([-0.5]);
  const restarted = { instance: "restarted" };

  it("is upheld when a new process stays clean half as long as the first one did, and not before", async () => {
    expect((await look(ended().beats(5, 26, restarted), watch)).outcome).toBe("upheld");
    expect((await look(ended().beats(5, 20, restarted), watch)).outcome).toBe("open");
  });

  it("is refuted when one fails within a quarter of that", async () => {
    const seen = await look(ended().beats(5, 30, restarted).fails([10], restarted), watch);
    expect(seen).toMatchObject({ outcome: "refuted", reason: expect.stringContaining("failed 300 s after its start") });
  });

  it("waits for a restart, and stays open for a process that never sent telemetry", async () => {
    expect(await look(ended(), watch)).toMatchObject({ outcome: "open", reason: "no process has started since" });
    expect(await look(new Telemetry().beats(5, 50, restarted), watch, true)).toMatchObject({ outcome: "open" });
  });
});

describe("that memory climbs", () => {
  const watch: Watch = { ...failure, kind: "memory-climbs" };

  it("is upheld when that of one process does, over 15 heartbeats and not over 14", async () => {
    const climb = (to: number) => new Telemetry().beats(0, to, {}, (minute) => 100_000_000 + minute * 5_000_000);
    expect(await look(climb(15), watch)).toMatchObject({ outcome: "upheld", excerpt: expect.stringContaining("MiB") });
    expect((await look(climb(14), watch)).outcome).toBe("open");
  });

  it("is refuted when it goes up and down, once it is due", async () => {
    const wave = new Telemetry().beats(0, 60, {}, (minute) => 100_000_000 + (minute % 5) * 10_000_000);
    expect((await look(wave, watch)).outcome).toBe("open");
    expect((await look(wave, watch, true)).outcome).toBe("refuted");
    expect(await look(new Telemetry().fails([5]), watch, true)).toMatchObject({
      outcome: "open",
      reason: expect.stringContaining("too little traffic"),
    });
  });
});

describe("a check", () => {
  it("ignores other scopes, and anything after its end", async () => {
    const watch: Watch = { ...failure, kind: "failure-continues", release: "1.0" };
    await storage.events.insert(failingHour().fails([10]).events);
    expect((await look(failingHour().fails([60]), watch)).outcome).toBe("open");
  });
});
