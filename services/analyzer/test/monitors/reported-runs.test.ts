import { type Monitor, monitorLimits, type ReportedRun } from "@whence/protocol";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { runHandler } from "../../src/monitors/record-run.ts";
import { silent } from "../test-service.ts";
import { loopback, type Monitored, startMonitored } from "./monitored.ts";

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

type Described = Partial<Omit<ReportedRun, "at">> & { readonly at?: number };

/** Every 10 minutes, with 2 minutes of grace. */
const job: NonNullable<ReportedRun["job"]> = {
  ...{ schedule: { type: "interval", minutes: 10 }, grace_minutes: 2, max_runtime_minutes: null, alert_after: 1 },
};

/** Hands a run to several analyzers at the same time, one by default; returns in how many ms it is to come again. */
async function report(run: Described, analyzers = 1, attempt = 1): Promise<number | undefined> {
  const { service } = acme;
  const { control, events, queue, metrics, clock } = service;
  const context = { control, events, queue, metrics, mayReach: loopback, logger: silent, relayOutbox: () => undefined };
  const message: ReportedRun = {
    ...{ scope_id: acme.acme.id, project_id: "4711", service: "billing", env: "PROD", slug: "invoices", status: "ok" },
    ...{ run_id: null, duration_ms: null, job },
    ...run,
    at: new Date(run.at ?? clock.now).toISOString(),
  };
  const handle = runHandler({ ...context, clock: () => clock.now });
  const handled = await Promise.all(Array.from({ length: analyzers }, () => handle(message, { number: attempt })));
  return handled[0]?.againInMs;
}

const monitors = async (): Promise<readonly Monitor[]> => (await acme.ask("GET", "")).body.monitors;

async function only(): Promise<Monitor> {
  const [monitor, ...others] = await monitors();
  expect(others).toEqual([]);
  if (!monitor) throw new Error("there is no monitor");
  return monitor;
}

/** What the analyzers counted since the last look. */
async function outcomes(): Promise<Record<string, number>> {
  const { values } = await acme.service.metrics.reportedRuns.get();
  acme.service.metrics.reportedRuns.reset();
  return Object.fromEntries(
    values.filter(({ value }) => value > 0).map(({ labels, value }) => [labels.outcome, value]),
  );
}

/** Says that a gateway has taken check-ins since a moment, up to now. */
async function gatewayListens(since: number): Promise<void> {
  const { control, clock } = acme.service;
  const now = new Date(clock.now);
  await control.pulses.beat({ id: "gateway", takingSince: new Date(since), now, forgetBefore: new Date(since) });
}

describe("a run that a client of Sentry's reports", () => {
  it("makes the monitor that it describes, for its service and environment, and counts for it", async () => {
    await report({ duration_ms: 1_500 });
    const monitor = await only();
    expect(monitor).toMatchObject({
      ...{ name: "invoices", service: "billing", env: "PROD", severity: "high", state: "passing" },
      check: { kind: "check-in", slug: "invoices", schedule: job.schedule, grace_minutes: 2 },
      ...{ created_by: { name: "Sentry client" }, next_check_at: "2026-03-01T12:12:00.000Z" },
    });
    expect(await acme.results(monitor.id)).toMatchObject([{ outcome: "passed", duration_ms: 1_500 }]);
  });

  it("makes one monitor when several analyzers handle it", async () => {
    await report({}, 4);
    await only();
  });

  it("has a monitor of its own in each service and environment", async () => {
    await report({});
    await report({ env: "staging" });
    await report({ service: "shop" });
    expect((await monitors()).map(({ service, env }) => [service, env])).toEqual([
      ["billing", "PROD"],
      ["billing", "staging"],
      ["shop", "PROD"],
    ]);
  });

  it("opens an incident when it failed, and ends the alert when the next one succeeds", async () => {
    await report({ status: "error" });
    const [incident] = await acme.incidents();
    expect(incident?.title).toBe("invoices: invoices reported an error");
    await report({ at: acme.service.clock.now + 1 });
    expect(await only()).toMatchObject({ state: "passing", incident_id: incident?.id });
  });

  it("is measured from its beginning when its client doesn't say how long it took", async () => {
    await report({ status: "in_progress" });
    await report({ at: acme.service.clock.now + 90_000 });
    const { id } = await only();
    expect((await acme.results(id))[0]).toMatchObject({ outcome: "passed", duration_ms: 90_000 });
  });

  it("counts for the monitor that an owner made, whose settings stay", async () => {
    const schedule = { type: "crontab", crontab: "0 3 * * *" };
    const { monitor } = await acme.create({
      name: "Invoices",
      check: { kind: "check-in", slug: "invoices", schedule },
    });
    await report({});
    expect(await only()).toMatchObject({ ...{ id: monitor.id, state: "passing", service: null }, check: { schedule } });
  });

  it("changes the schedule of its client's monitor, and nothing that an owner decides", async () => {
    await report({});
    const made = await only();
    const { name: _, check, ...settings } = made;
    await acme.ask("PUT", `/${made.id}`, { ...settings, name: "Invoices", severity: "critical", check });
    await report({ job: { ...job, grace_minutes: 7, alert_after: 3 }, at: acme.service.clock.now + 1 });
    expect(await only()).toMatchObject({
      ...{ name: "Invoices", severity: "critical", alert_after: 3 },
      check: { grace_minutes: 7, schedule: job.schedule },
    });
  });

  it.each<[string, (made: Monitor) => object]>([
    ["service", () => ({ service: "shop" })],
    ["environment", () => ({ env: null })],
    ["slug", ({ check }) => ({ check: { ...check, slug: "bills" } })],
  ])("keeps finding its client's monitor, whose %s no owner changes", async (_, change) => {
    await report({});
    const made = await only();
    const { body, status } = await acme.ask("PUT", `/${made.id}`, { ...made, ...change(made) });
    expect([status, body.detail[0].msg]).toEqual([422, expect.stringContaining("change it in the program")]);
    await report({ status: "error", at: acme.service.clock.now + 1 });
    expect(await only()).toMatchObject({ id: made.id, state: "alerting" });
  });

  it("counts when it waited in the queue while its deadline was looked at", async () => {
    await report({});
    const { id } = await only();
    const { monitors } = acme.service.control.scope(acme.acme.id);
    const stored = await monitors.find(id);
    if (!stored?.progress.lastResult) throw new Error("the run wasn't recorded");
    const { clock } = acme.service;
    const at = new Date(clock.now + 60_000).toISOString();
    const lastResult = { ...stored.progress.lastResult, outcome: "not-checked" as const, at };
    const { nextCheckAt } = stored;
    expect(await monitors.write(stored, { progress: { ...stored.progress, lastResult }, nextCheckAt })).not.toBeNull();
    await report({ status: "error", at: clock.now + 30_000 });
    expect(await only()).toMatchObject({ state: "alerting", last_result: { reason: "reported an error" } });
  });

  it("waits for its beginning when its end, which describes no job, comes first", async () => {
    await outcomes();
    const end = { status: "error", run_id: "run-1", job: null } as const;
    expect(await report(end)).toBe(2_000);
    expect(await report({ status: "in_progress", run_id: "run-1" })).toBeUndefined();
    expect(await report(end, 1, 2)).toBeUndefined();
    expect(await only()).toMatchObject({ state: "alerting", last_result: { reason: "reported an error" } });
    expect(await outcomes()).toEqual({ recorded: 2 });
  });

  it("waits for its beginning four times, not five", async () => {
    const end = { status: "error", run_id: "run-1", job: null } as const;
    expect([await report(end, 1, 4), await report(end, 1, 5)]).toEqual([2_000, undefined]);
  });

  it("counts for nothing without a monitor when it describes none", async () => {
    await outcomes();
    await report({ job: null });
    await report({ job: { ...job, schedule: { type: "crontab", crontab: "0 0 31 2 *", time_zone: "UTC" } } });
    expect(await monitors()).toEqual([]);
    expect(await outcomes()).toEqual({ unknown: 1, unusable: 1 });
  });

  it("counts for nothing while its monitor is paused", async () => {
    await report({});
    const { id } = await only();
    await acme.ask("POST", `/${id}/pause`);
    await outcomes();
    await report({ status: "error" });
    expect(await outcomes()).toEqual({ paused: 1 });
    expect(await only()).toMatchObject({ state: "paused" });
  });

  it("counts once when it is delivered again, and not at all after a newer one", async () => {
    await report({ at: acme.service.clock.now + 2_000 });
    await outcomes();
    await report({ at: acme.service.clock.now + 2_000 });
    await report({ status: "in_progress", at: acme.service.clock.now + 1_000 });
    expect(await outcomes()).toEqual({ overtaken: 2 });
    expect((await only()).check_in?.running_since).toBeNull();
  });

  it("that failed alerts, though the next one had begun when its report was handled", async () => {
    const { now } = acme.service.clock;
    await report({ status: "in_progress", at: now + 2_000 });
    await report({ status: "error", at: now + 1_000 });
    expect(await only()).toMatchObject({
      ...{ state: "alerting", last_result: { reason: "reported an error" } },
      check_in: { running_since: "2026-03-01T12:00:02.000Z" },
    });
  });

  it.each(["in_progress", "error"] as const)(
    "has ended, whichever of its two reports is taken first: %s",
    async (first) => {
      const { now } = acme.service.clock;
      const second = first === "error" ? "in_progress" : "error";
      await report({ run_id: "a", status: first, at: now });
      await report({ run_id: "a", status: second, at: now + 1 });
      await report({ run_id: "a", status: second, at: now + 2 });
      expect(await only()).toMatchObject({ state: "alerting", check_in: { running_since: null } });
      expect(await acme.results((await only()).id)).toHaveLength(first === "error" ? 1 : 2);
    },
  );

  it("continues when another one that began earlier ends, and then ends too", async () => {
    const { now } = acme.service.clock;
    for (const [index, [run_id, status]] of (
      [
        ["a", "in_progress"],
        ["b", "in_progress"],
        ["a", "ok"],
      ] as const
    ).entries())
      await report({ run_id, status, at: now + index });
    expect((await only()).check_in?.running_since).toBe("2026-03-01T12:00:00.001Z");
    await report({ run_id: "b", status: "error", at: now + 3 });
    expect(await only()).toMatchObject({ state: "alerting", check_in: { running_since: null } });
  });

  it("makes no monitor beyond those that an organization may have", async () => {
    const { monitorsMax } = monitorLimits;
    for (let made = 0; made < monitorsMax; made += 1) await report({ slug: `job-${made}` });
    expect(await monitors()).toHaveLength(monitorsMax);
    await outcomes();
    await report({ slug: "one-more" });
    await report({ slug: "job-0", at: acme.service.clock.now + 1 });
    expect(await outcomes()).toEqual({ full: 1, recorded: 1 });
    expect(await monitors()).toHaveLength(monitorsMax);
  });
});

describe("a run that isn't reported", () => {
  it("opens an incident once its grace has passed", async () => {
    await report({});
    const { now } = acme.service.clock;
    for (const [minutes, opened] of [
      [11.9, 0],
      [0.1, 1],
    ] as const) {
      acme.service.clock.now += minutes * 60_000;
      await gatewayListens(now);
      await acme.pass(0);
      expect(await acme.incidents()).toHaveLength(opened);
    }
    expect((await acme.incidents()).map(({ title }) => title)).toEqual([
      "invoices: invoices did not check in within 2 minutes of 2026-03-01 12:10 UTC, when its run was due",
    ]);
  });

  it("says nothing while no gateway took check-ins when it was due", async () => {
    await report({});
    acme.service.clock.now += 13 * 60_000;
    await gatewayListens(acme.service.clock.now);
    await acme.pass(0);
    expect(await acme.incidents()).toEqual([]);
    expect((await only()).last_result).toMatchObject({
      ...{ outcome: "not-checked", reason: "Whence took no check-ins when the check-in was due" },
    });
  });

  it("ends its alert when it comes late after all", async () => {
    await report({});
    const { now } = acme.service.clock;
    acme.service.clock.now += 12 * 60_000;
    await gatewayListens(now);
    await acme.pass(0);
    expect(await only()).toMatchObject({ state: "alerting" });
    await report({ at: now + 11 * 60_000 });
    expect(await only()).toMatchObject({ state: "passing" });
  });
});
