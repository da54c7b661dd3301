import { type ReportedRun, reportedRunSchema } from "@whence/protocol";
import { checkInsTopic } from "@whence/storage";
import { describe, expect, it } from "vitest";
import { clock, organizationId, outcomes, sendEnvelope, storage, useSentryGateway } from "./sentry-gateway.ts";

useSentryGateway();

function send(checkIns: readonly unknown[], origins: readonly string[] = []): Promise<number> {
  const lines = checkIns.flatMap((checkIn) => [JSON.stringify({ type: "check_in" }), JSON.stringify(checkIn)]);
  return sendEnvelope(["{}", ...lines].join("\n"), origins, "billing");
}

/** The runs that the analyzer will get. */
async function runs(): Promise<ReportedRun[]> {
  const deliveries = await storage.queue.receive(checkInsTopic, { max: 100, waitMs: 0 });
  await Promise.all(deliveries.map((delivery) => delivery.ack()));
  return deliveries.map(({ body }) => reportedRunSchema.parse(JSON.parse(body)));
}

let ids = 0;
const checkIn = (fields: object = {}) => {
  ids += 1;
  return { check_in_id: ids.toString(16).padStart(32, "0"), monitor_slug: "invoices", status: "ok", ...fields };
};
const every = (value: number, unit: string) => ({ schedule: { type: "interval", value, unit } });

describe("a check-in", () => {
  it("is on its queue, for the service of its DSN, once 200 is answered", async () => {
    const config = { schedule: { type: "crontab", value: "0 3 * * *" }, timezone: "Europe/Berlin" };
    const limits = { checkin_margin: 4, max_runtime: 30, failure_issue_threshold: 2, recovery_threshold: 3 };
    const described = { duration: 2.5, environment: "staging", monitor_config: { ...config, ...limits } };
    expect(await send([checkIn(described)])).toBe(200);
    expect(await runs()).toEqual([
      {
        ...{ scope_id: organizationId, project_id: "4711", service: "billing", env: "staging", slug: "invoices" },
        ...{ status: "ok", run_id: expect.stringMatching(/^0+1$/), duration_ms: 2_500, at: "2026-03-01T12:00:00.000Z" },
        job: {
          schedule: { type: "crontab", crontab: "0 3 * * *", time_zone: "Europe/Berlin" },
          ...{ grace_minutes: 4, max_runtime_minutes: 30, alert_after: 2 },
        },
      },
    ]);
  });

  it("has the environment of its DSN when it names none, and no schedule when it describes none", async () => {
    await send([checkIn({ environment: "production" })]);
    expect(await runs()).toMatchObject([{ env: "PROD", job: null, duration_ms: null }]);
  });

  it.each([
    [every(5, "minute"), 5],
    [every(2, "hour"), 120],
    [every(1, "day"), 1_440],
    [every(1, "week"), 10_080],
    [every(1, "month"), 43_200],
  ])("that is due every so often has the interval in minutes: %j", async (monitor_config, minutes) => {
    await send([checkIn({ monitor_config })]);
    expect((await runs())[0]?.job?.schedule).toEqual({ type: "interval", minutes });
  });

  it.each([
    every(1, "year"),
    every(0, "minute"),
    every(1, "blink"),
    { ...every(1, "day"), checkin_margin: -1 },
    { schedule: "daily" },
    { schedule: { type: "lunar", value: 1 } },
  ])("counts without the schedule that no monitor can have: %j", async (monitor_config) => {
    await send([checkIn({ monitor_config })]);
    expect(await runs()).toMatchObject([{ slug: "invoices", job: null }]);
  });

  it.each([
    ["Nightly Invoices", "nightly-invoices"],
    ["billing__invoices.send", "billing_invoices.send"],
    ["-invoices-", "invoices"],
    ["x".repeat(200), "x".repeat(100)],
  ])("of %s is one of %s", async (monitor_slug, slug) => {
    await send([checkIn({ monitor_slug })]);
    expect(await runs()).toMatchObject([{ slug }]);
  });

  it("sent again is published once, and so are its beginning and its end", async () => {
    const begun = checkIn({ status: "in_progress" });
    for (const sent of [begun, begun, { ...begun, status: "error" }, { ...begun, status: "error" }]) await send([sent]);
    expect((await runs()).map(({ status }) => status)).toEqual(["in_progress", "error"]);
  });

  it("of the run in progress, which has zeros for an ID, is published each time", async () => {
    const latest = checkIn({ check_in_id: "0".repeat(32) });
    for (let sent = 0; sent < 2; sent += 1) {
      clock.now += 1;
      await send([latest]);
    }
    expect((await runs()).map(({ run_id: id }) => id)).toEqual([null, null]);
  });

  it("without a usable name or status is counted as invalid, and its envelope is taken", async () => {
    await outcomes();
    const unusable = [checkIn({ monitor_slug: "***" }), checkIn({ status: "missed" }), { status: "ok" }, "run"];
    expect(await send([...unusable, checkIn()])).toBe(200);
    expect(await outcomes()).toEqual({ invalid: 4, stored: 1 });
    expect(await runs()).toHaveLength(1);
  });

  it("is one of 10 that an envelope may have", async () => {
    await outcomes();
    await send(Array.from({ length: 11 }, () => checkIn()));
    expect(await outcomes()).toEqual({ stored: 10, over_limit: 1 });
    expect(await runs()).toHaveLength(10);
  });

  it("isn't taken by the key of a page, which everyone can read", async () => {
    await outcomes();
    expect(await send([checkIn()], ["https://shop.example"])).toBe(200);
    expect(await outcomes()).toEqual({ counted: 1 });
    expect(await runs()).toEqual([]);
  });
});
