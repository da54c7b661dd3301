import { randomUUID } from "node:crypto";
import { monitorLimits } from "@whence/protocol";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { signInMember } from "../test-service.ts";
import { type Monitored, startMonitored } from "./monitored.ts";

let started: Awaited<ReturnType<typeof startMonitored>>;
let acme: Monitored;

beforeAll(async () => {
  started = await startMonitored();
});
beforeEach(async () => {
  started.service.clock.now = Date.parse("2026-03-01T12:00:00.000Z");
  acme = await started.fresh();
});
afterAll(() => started.service.close());

const backup = { kind: "check-in", slug: "nightly-backup", schedule: { type: "crontab", crontab: "0 3 * * *" } };
const nightly = { name: "Nightly backup", service: "backup", check: backup };
/** Every 10 minutes, with 5 minutes of grace. */
const sync = { name: "Sync", check: { kind: "check-in", slug: "sync", schedule: { type: "interval", minutes: 10 } } };

const report = (key: string, status?: string, slug = "sync", method: "GET" | "POST" = "POST") =>
  acme.ask(method, `/api/check-ins/${slug}?key=${key}${status === undefined ? "" : `&status=${status}`}`);

describe("a check-in monitor", () => {
  it("has an address and a key of its own, which is shown once", async () => {
    const { monitor, key } = await acme.create(nightly);
    expect(key).toMatch(/^whm_[0-9A-Za-z]{49}$/);
    expect(monitor).toMatchObject({
      ...{ state: "waiting", severity: "high", alert_after: 1, last_result: null, incident_id: null },
      check: { ...backup, schedule: { ...backup.schedule, time_zone: "UTC" }, grace_minutes: 5 },
      check_in: { url: "https://whence.example.com/api/check-ins/nightly-backup" },
    });
    expect(JSON.stringify((await acme.ask("GET", "")).body)).not.toContain("whm_");
  });

  it("is due at the times of its time zone", async () => {
    const in_berlin = { ...backup, schedule: { ...backup.schedule, time_zone: "Europe/Berlin" } };
    const { monitor } = await acme.create({ ...nightly, check: in_berlin });
    expect(monitor.check_in?.expected_at).toBe("2026-03-02T02:00:00.000Z");
    // On 29 March the clocks go from 2:00 to 3:00.
    started.service.clock.now = Date.parse("2026-03-28T12:00:00.000Z");
    const again = await acme.create({ ...nightly, check: in_berlin });
    expect(again.monitor.check_in?.expected_at).toBe("2026-03-29T01:00:00.000Z");
  });

  it.each(["GET", "POST"] as const)("takes a check-in by %s, and waits for the next run", async (method) => {
    const { monitor, key } = await acme.create(sync);
    await acme.pass(9);
    const { status, body } = await report(key, undefined, "sync", method);
    expect([status, body]).toEqual([200, { state: "passing", expected_at: "2026-03-01T12:19:00.000Z" }]);
    expect(await acme.results(monitor.id)).toMatchObject([{ outcome: "passed", reason: "succeeded" }]);
    await acme.pass(14);
    expect(await acme.read(monitor.id)).toMatchObject({ state: "passing", failing_since: null });
  });

  it("measures a run from its beginning to its end", async () => {
    const { monitor, key } = await acme.create(sync);
    await report(key, "in_progress");
    expect((await acme.read(monitor.id)).check_in?.running_since).toBe("2026-03-01T12:00:00.000Z");
    await acme.pass(3);
    await report(key, "ok");
    expect(await acme.results(monitor.id)).toMatchObject([
      { outcome: "passed", duration_ms: 180_000 },
      { outcome: "started", duration_ms: null },
    ]);
    expect((await acme.read(monitor.id)).check_in?.running_since).toBeNull();
  });

  it("counts a run that is a moment early as the one that is due", async () => {
    const { monitor, key } = await acme.create(nightly);
    await acme.pass(15 * 60 - 0.5);
    await report(key, "ok", "nightly-backup");
    expect((await acme.read(monitor.id)).check_in?.expected_at).toBe("2026-03-03T03:00:00.000Z");
  });

  it("opens an incident for a run that is missed, not before its grace has passed", async () => {
    const { monitor } = await acme.create(nightly);
    await acme.pass(15 * 60 + 4.9);
    expect(await acme.incidents()).toEqual([]);
    await acme.pass(0.1);
    const [incident, ...others] = await acme.incidents();
    expect(others).toEqual([]);
    expect(incident).toMatchObject({
      title:
        "Nightly backup: nightly-backup did not check in within 5 minutes of 2026-03-02 03:00 UTC, when its run was due",
      ...{ service: "backup", severity: "high", status: "queued" },
      trigger: { kind: "alert", source: "monitor", sender: "Whence", source_id: monitor.id },
      decision: { rule: "alert", reason: "the monitor Nightly backup alerted" },
    });
    expect(await acme.read(monitor.id)).toMatchObject({
      ...{ state: "alerting", incident_id: incident?.id, failing_since: "2026-03-02T03:05:00.000Z" },
      check_in: { expected_at: "2026-03-03T03:00:00.000Z" },
    });
  });

  it("opens an incident for a run that fails, and one that takes too long", async () => {
    const { key } = await acme.create(sync);
    await report(key, "error");
    const slow = { ...sync, name: "Slow", check: { ...sync.check, slug: "slow", max_runtime_minutes: 2 } };
    const { key: slowKey } = await acme.create(slow);
    await report(slowKey, "in_progress", "slow");
    await acme.pass(1.9);
    expect((await acme.incidents()).map(({ title }) => title)).toEqual(["Sync: sync reported an error"]);
    await acme.pass(0.1);
    expect((await acme.incidents()).map(({ title }) => title)).toContain(
      "Slow: slow has been running longer than 2 minutes, since 2026-03-01 12:00 UTC",
    );
  });

  it("opens its incident a minute later when that fails, however far its next run is", async () => {
    const { monitor } = await acme.create(nightly);
    const { control } = acme.service;
    const scope: typeof control.scope = (id) => {
      const whole = control.scope(id);
      return { ...whole, alerts: { ...whole.alerts, open: () => Promise.reject(new Error("the database is gone")) } };
    };
    await acme.pass(15 * 60 + 5, 1, { control: { ...control, scope } });
    expect(await acme.incidents()).toEqual([]);
    await acme.pass(1);
    expect(await acme.incidents()).toMatchObject([{ title: expect.stringContaining("did not check in within") }]);
    expect(await acme.read(monitor.id)).toMatchObject({
      ...{ state: "alerting", next_check_at: "2026-03-03T03:05:00.000Z" },
      last_result: { outcome: "failed" },
    });
    expect(await acme.results(monitor.id)).toHaveLength(1);
  });

  it("ends its alert when it is deleted, which stays with its incident", async () => {
    const { monitor, key } = await acme.create(sync);
    await report(key, "error");
    const [incident] = await acme.incidents();
    await acme.ask("DELETE", `/${monitor.id}`);
    const links = (await acme.ask("GET", `/api/incidents/${incident?.id}/links`)).body;
    expect(links.alerts).toMatchObject([{ resolved_at: "2026-03-01T12:00:00.000Z" }]);
  });

  it("opens one incident, even when several analyzers look", async () => {
    await acme.create(sync);
    await acme.pass(15, 4);
    expect(await acme.incidents()).toHaveLength(1);
  });

  it("opens one incident while it keeps failing", async () => {
    const { monitor } = await acme.create(sync);
    for (let runs = 0; runs < 5; runs += 1) await acme.pass(15);
    expect(await acme.incidents()).toHaveLength(1);
    expect((await acme.results(monitor.id)).map(({ outcome }) => outcome)).toEqual(Array(5).fill("failed"));
  });

  it("recovers with the next run that succeeds: its alert ends, and its incident stays open", async () => {
    const { monitor, key } = await acme.create(sync);
    await report(key, "error");
    const [incident] = await acme.incidents();
    await acme.pass(2);
    await report(key, "ok");
    expect(await acme.read(monitor.id)).toMatchObject({ state: "passing", failing_since: null });
    const links = (await acme.ask("GET", `/api/incidents/${incident?.id}/links`)).body;
    expect(links.alerts).toMatchObject([{ source: "Sync", resolved_at: "2026-03-01T12:02:00.000Z" }]);
    expect((await acme.incidents())[0]?.lifecycle.state).toBe("open");
  });

  it("belongs to the same incident when it fails again within an hour, and to another one after that", async () => {
    const { key } = await acme.create(sync);
    await report(key, "error");
    for (const [minutes, opened] of [
      [59.9, 1],
      [60, 2],
    ] as const) {
      await report(key, "ok");
      started.service.clock.now += minutes * 60_000;
      await report(key, "error");
      expect(await acme.incidents()).toHaveLength(opened);
    }
  });

  it("alerts only after as many failures in a row as its owner chose", async () => {
    const { monitor, key } = await acme.create({ ...sync, alert_after: 2 });
    await report(key, "error");
    expect(await acme.read(monitor.id)).toMatchObject({ state: "failing" });
    expect(await acme.incidents()).toEqual([]);
    await report(key, "ok");
    await report(key, "error");
    expect(await acme.incidents()).toEqual([]);
    await report(key, "error");
    expect(await acme.incidents()).toHaveLength(1);
  });

  it("takes what passed while no analyzer ran for unknown, and misses nothing twice", async () => {
    const { monitor } = await acme.create(sync);
    await acme.pass(6 * 60);
    expect(await acme.incidents()).toEqual([]);
    expect(await acme.results(monitor.id)).toMatchObject([
      { outcome: "not-checked", reason: "Whence wasn't running when the check-in was due" },
    ]);
    await acme.pass(14.9);
    expect(await acme.incidents()).toEqual([]);
    await acme.pass(0.1);
    expect(await acme.incidents()).toHaveLength(1);
  });

  it("records nothing and misses nothing while it is paused", async () => {
    const { monitor, key } = await acme.create(sync);
    await report(key, "error");
    expect((await acme.ask("POST", `/${monitor.id}/pause`)).body).toMatchObject({
      state: "paused",
      next_check_at: null,
    });
    await acme.pass(60);
    expect((await report(key, "error")).body).toEqual({ state: "paused", expected_at: null });
    expect(await acme.results(monitor.id)).toHaveLength(1);
    const resumed = (await acme.ask("POST", `/${monitor.id}/resume`)).body;
    expect(resumed).toMatchObject({ next_check_at: "2026-03-01T13:15:00.000Z" });
  });

  it("has a new key once it is replaced, and the old one stops working", async () => {
    const { monitor, key } = await acme.create(sync);
    const { body } = await acme.ask("POST", `/${monitor.id}/key`);
    expect((await report(key)).status).toBe(404);
    expect((await report(body.check_in_key)).status).toBe(200);
  });

  it("isn't found by another name, without its key, or once it is deleted", async () => {
    const { monitor, key } = await acme.create(sync);
    for (const asked of [report(key, "ok", "other"), report("whm_unknown"), report("")]) {
      expect(await asked).toMatchObject({ status: 404, body: { code: "WHENCE_ERR_CHECK_IN_UNKNOWN" } });
    }
    expect((await acme.ask("DELETE", `/${monitor.id}`)).status).toBe(200);
    expect((await report(key)).status).toBe(404);
    expect((await acme.ask("GET", `/${monitor.id}`)).body).toMatchObject({ code: "WHENCE_ERR_MONITOR_UNKNOWN" });
  });

  it.each([
    [{ type: "crontab", crontab: "0 3 * *" }, "crontab", /five fields/],
    [{ type: "crontab", crontab: "0 0 3 * * *" }, "crontab", /five fields/],
    [{ type: "crontab", crontab: "0 0 31 2 *" }, "crontab", /never comes/],
    [{ type: "crontab", crontab: "0 3 * * *", time_zone: "Europe/Atlantis" }, "time_zone", /no such time zone/],
    [{ type: "interval", minutes: 0 }, "minutes", /./],
  ])("refuses the schedule %o", async (schedule, setting, why) => {
    const { status, body } = await acme.ask("POST", "", { ...nightly, check: { ...backup, schedule } });
    expect(status).toBe(422);
    expect(body.detail[0].loc.at(-1)).toBe(setting);
    expect(body.detail[0].msg).toMatch(why);
  });

  it("can be read by members, and changed by owners only", async () => {
    const { monitor } = await acme.create(sync);
    const member = await signInMember(acme.service, acme.acme.id, `second@${randomUUID()}.example`, "member");
    expect((await acme.ask("GET", `/${monitor.id}`, undefined, member)).body.name).toBe("Sync");
    for (const [method, path] of [
      ["POST", ""],
      ["PUT", `/${monitor.id}`],
      ["POST", `/${monitor.id}/pause`],
      ["POST", `/${monitor.id}/test`],
      ["DELETE", `/${monitor.id}`],
    ] as const) {
      expect((await acme.ask(method, path, sync, member)).status).toBe(403);
    }
  });

  it("keeps the newest 100 results", async () => {
    const { monitor, key } = await acme.create({ ...sync, alert_after: 60 });
    await report(key, "error");
    // A key takes 60 check-ins a minute.
    for (let keys = 0; keys < 2; keys += 1) {
      const { body } = await acme.ask("POST", `/${monitor.id}/key`);
      for (let runs = 0; runs < monitorLimits.monitorResultsMax / 2; runs += 1) await report(body.check_in_key, "ok");
    }
    const results = await acme.results(monitor.id);
    expect(results).toHaveLength(monitorLimits.monitorResultsMax);
    expect(results.every(({ outcome }) => outcome === "passed")).toBe(true);
  });

  it("can be created 50 times", async () => {
    for (let made = 0; made < monitorLimits.monitorsMax; made += 1) await acme.create(sync);
    expect((await acme.ask("POST", "", sync)).body).toMatchObject({ code: "WHENCE_ERR_MONITORS_FULL" });
  });
});
