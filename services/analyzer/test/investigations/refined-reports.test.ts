import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { type Incident, incidentSchema, notificationRuleChoiceSchema, reportVersionsSchema } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { failureHandler } from "../../src/incidents/decide-failures.ts";
import { failedAttemptsMax } from "../../src/investigations/investigation-context.ts";
import { investigationHandler } from "../../src/investigations/investigations.ts";
import { refineAfterMs } from "../../src/investigations/refinement/schedule.ts";
import { reportWith } from "../ended-report.ts";
import {
  answered,
  type FailureEvent,
  failureEvent,
  failureOf,
  incidentsOf,
  running,
} from "../incidents/reported-failures.ts";
import {
  makeOrganization,
  silent,
  startTestService,
  type TestOrganization,
  type TestService,
} from "../test-service.ts";

let service: TestService;
let base: string;
let decide: ReturnType<typeof failureHandler>;
let investigateNow: ReturnType<typeof investigationHandler>;

beforeAll(async () => {
  service = await startTestService();
  base = await service.app.listen({ port: 0, host: "127.0.0.1" });
  const { control, events, metrics, clock } = service;
  const context = { control, events, metrics, clock: () => clock.now, logger: silent };
  decide = failureHandler({ ...context, relayOutbox: () => undefined });
  investigateNow = investigationHandler(context);
});
afterAll(() => service.close());

const [relatedMs = 0, minuteMs = 0] = refineAfterMs;
const bounds = { max: 100, holdMs: 300_000 };
const organization = () => makeOrganization(service, randomUUID());

async function receive({ id }: TestOrganization, one: FailureEvent): Promise<void> {
  const stored = failureEvent(service, id, { ago: 100, ...one });
  await service.events.insert([stored]);
  await decide({ scope_id: id, failures: [failureOf(stored)] }, { number: 1 });
}

/** Requests what is due, and handles everything that was requested for the organization; returns how much. */
async function work({ id }: TestOrganization, number = 1): Promise<number> {
  await service.control.refinements.askDue(new Date(service.clock.now), bounds);
  const asked = (await service.control.outbox.pending(1_000)).filter(({ body }) => body.includes(id));
  await service.control.outbox.remove(asked.map((one) => one.id));
  const { signal } = new AbortController();
  for (const { body } of asked) await investigateNow(JSON.parse(body), { id: "m1", number, signal });
  return asked.length;
}

async function only(acme: TestOrganization): Promise<Incident> {
  const [incident, ...others] = await incidentsOf(service, acme);
  expect(others).toEqual([]);
  return incidentSchema.parse(incident);
}

async function versionsOf(
  acme: TestOrganization,
): Promise<{ version: number; causes: (string | null | undefined)[] }[]> {
  const { id } = await only(acme);
  const url = `/api/incidents/${id}/reports`;
  const answer = await service.app.inject({ url, headers: { "x-api-key": acme.key } });
  return reportVersionsSchema
    .parse(answer.json())
    .reports.map(({ version, report }) => ({ version, causes: report.candidates.map((one) => one.service) }));
}

const trace = () => randomUUID();

describe("a report", () => {
  it("is available at once, even after failed calls, and says until when it is refined", async () => {
    const acme = await organization();
    await receive(acme, { service: "orders", trace: trace(), called: "payments" });
    const receivedAt = service.clock.now - 100;
    await work(acme);
    const { status, report, refinement } = await only(acme);
    expect(status).toBe("completed");
    expect(report?.root_cause.statement).not.toBe("");
    expect(refinement).toEqual({
      ...{ version: 1, refining: true, refined_at: null },
      refined_until: new Date(receivedAt + minuteMs).toISOString(),
    });
  });

  it("gets a second version once a neighbor reports its failure, and keeps the first", async () => {
    const acme = await organization();
    const one = trace();
    await receive(acme, { service: "orders", trace: one, called: "payments", line: 4 });
    await work(acme);
    const before = await only(acme);
    // Only stored, not decided about, so the incident keeps its name.
    await service.events.insert([
      failureEvent(service, acme.id, { service: "payments", trace: one, ago: 120, line: 9 }),
    ]);
    service.clock.now += relatedMs;
    expect(await work(acme)).toBe(1);
    const after = await only(acme);
    expect(after.refinement).toMatchObject({
      ...{ version: 2, refining: true, refined_at: new Date(service.clock.now).toISOString() },
    });
    expect(after.status).toBe("completed");
    expect(after.completed_at).toBe(before.completed_at);
    expect(after.report?.evidence.length).toBeGreaterThan(before.report?.evidence.length ?? 0);
    const versions = await versionsOf(acme);
    expect(versions.map(({ version }) => version)).toEqual([2, 1]);
    expect(versions[0]?.causes).toContain("payments");
    expect(versions[1]?.causes).not.toContain("payments");
  });

  it("is final after the last planned check, and investigated again only for new evidence", async () => {
    const acme = await organization();
    await receive(acme, { service: "orders", trace: trace() });
    await work(acme);
    const { report } = await only(acme);
    service.clock.now += relatedMs - 101;
    expect(await work(acme)).toBe(0);
    service.clock.now += 1;
    expect(await work(acme)).toBe(1);
    expect((await only(acme)).refinement).toMatchObject({ version: 1, refining: true });
    service.clock.now += minuteMs;
    expect(await work(acme)).toBe(1);
    const final = await only(acme);
    expect(final.refinement).toMatchObject({ version: 1, refining: false, refined_until: null });
    expect(final.report).toEqual(report);
    service.clock.now += 10 * minuteMs;
    expect(await work(acme)).toBe(0);
  });

  it("is checked again when another failure joins the incident later", async () => {
    const acme = await organization();
    const one = trace();
    await receive(acme, { service: "payments", trace: one });
    await work(acme);
    for (const ms of refineAfterMs) {
      service.clock.now += ms;
      await work(acme);
    }
    expect((await only(acme)).refinement?.refining).toBe(false);
    const later = trace();
    await receive(acme, { service: "payments", trace: later });
    await receive(acme, { service: "orders", trace: later, called: "payments", ago: 50 });
    expect((await only(acme)).refinement?.refining).toBe(true);
    service.clock.now += 10_000;
    expect(await work(acme)).toBe(1);
    expect((await only(acme)).refinement?.refining).toBe(false);
  });

  it.each(["payments", "orders"])(
    "still names the call that was answered 503 when %s gets a hotfix after the failure began",
    async (released) => {
      const acme = await organization();
      const run = (service: string, release: string, seconds: number) => ({ service, release, seconds });
      const ran = ["payments", "orders"].map((name) => running(service, acme.id, run(name, "1.0.0", 3_600)));
      await service.events.insert(ran);
      const unavailable = { service: "orders", called: "payments", status: 503, trace: trace(), line: 4 };
      await receive(acme, unavailable);
      await work(acme);
      const { root_cause: first, root_cause_summary: said } = (await only(acme)).report ?? {};
      expect(first?.service).toBe("payments");
      expect(said).toContain("503");
      service.clock.now += minuteMs - 500;
      const hotfix = running(service, acme.id, run(released, "1.0.1", 7));
      const more = [3_000, 2_000, 1_000].map((ago) => failureEvent(service, acme.id, { ...unavailable, ago }));
      await service.events.insert([hotfix, ...more]);
      service.clock.now += 1_000;
      expect(await work(acme)).toBe(1);
      const { report, refinement } = await only(acme);
      expect(refinement?.version).toBe(2);
      expect(report?.root_cause).toMatchObject({ service: "payments", category: first?.category });
      expect(report?.root_cause_summary).toContain("Calls to `payments` returned an error");
      expect(report?.detailed_analysis).toContain("503");
      expect(JSON.stringify([report?.chain, report?.root_cause_summary])).not.toContain("1.0.1");
    },
  );

  it("is checked sooner when a failure joins between two planned checks, and for the last time as planned", async () => {
    const acme = await organization();
    const one = trace();
    await receive(acme, { service: "payments", trace: one });
    await work(acme);
    const planned = (await only(acme)).refinement?.refined_until;
    service.clock.now += relatedMs;
    await work(acme);
    await receive(acme, { service: "orders", trace: one, called: "payments", ago: 50 });
    service.clock.now += 9_999;
    expect(await work(acme)).toBe(0);
    service.clock.now += 1;
    expect(await work(acme)).toBe(1);
    expect((await only(acme)).refinement).toMatchObject({ refining: true, refined_until: planned });
    service.clock.now += minuteMs;
    expect(await work(acme)).toBe(1);
    expect((await only(acme)).refinement?.refining).toBe(false);
  });

  it("updates its impact while events arrive", async () => {
    const acme = await organization();
    await receive(acme, { service: "orders" });
    await work(acme);
    expect((await only(acme)).report?.impact).toMatchObject({ events: 1 });
    service.clock.now += 1_000;
    await receive(acme, { service: "orders" });
    await receive(acme, { service: "orders", ago: 10 });
    const { impact } = (await only(acme)).report ?? {};
    expect(impact).toMatchObject({ events: 3, last_seen: new Date(service.clock.now - 10).toISOString() });
    expect(impact?.summary).toMatch(/^3 events since /);
  });

  it.each([
    ["fails every time", 6, 6, "high"],
    ["only fails sometimes", 6, 5, "medium"],
    ["is asked too rarely to tell", 4, 4, "medium"],
  ])(
    "gives its incident the severity of a service that %s: %i requests, %i failed",
    async (_, requests, failed, severity) => {
      const acme = await organization();
      await receive(acme, { service: "orders", route: "/orders/:id" });
      await work(acme);
      expect((await only(acme)).severity).toBe("medium");
      service.clock.now += minuteMs;
      await service.events.insert([answered(service, acme.id, "orders", requests, failed)]);
      await work(acme);
      expect((await only(acme)).severity).toBe(severity);
      const list = await service.app.inject({
        url: `/api/incidents?severity=${severity}`,
        headers: { "x-api-key": acme.key },
      });
      expect(list.json().incidents).toHaveLength(1);
    },
  );

  it("is refined once, even when that is requested again", async () => {
    const acme = await organization();
    await receive(acme, { service: "orders" });
    await work(acme);
    service.clock.now += relatedMs;
    const now = new Date(service.clock.now);
    await Promise.all([1, 2, 3].map(() => service.control.refinements.askDue(now, bounds)));
    expect((await service.control.outbox.pending(1_000)).filter(({ body }) => body.includes(acme.id))).toHaveLength(1);
    // Its process died: it is requested again, and the queue knows the message.
    service.clock.now += bounds.holdMs;
    await service.control.refinements.askDue(new Date(service.clock.now), bounds);
    expect(await work(acme)).toBe(1);
  });

  it("stays as it is when its event is gone by then", async () => {
    const acme = await organization();
    await receive(acme, { service: "orders" });
    await work(acme);
    const { id, report } = await only(acme);
    const tables = service.control.identity.db.withTables<{
      incident_input: { incident_id: string; event_id: string };
    }>();
    await tables.updateTable("incident_input").set({ event_id: randomUUID() }).where("incident_id", "=", id).execute();
    service.clock.now += relatedMs;
    await expect(work(acme)).rejects.toMatchObject({ code: "WHENCE_ERR_EVENT_MISSING" });
    const message = { incident_id: id, scope_id: acme.id, refine: true };
    await investigateNow(message, { id: "m1", number: failedAttemptsMax, signal: new AbortController().signal });
    expect(await only(acme)).toMatchObject({
      status: "completed",
      report,
      refinement: { version: 1, refining: false },
    });
  });
});

describe("the versions of a report", () => {
  it("send another notification when the cause changes, and none when only the confidence rises", async () => {
    const acme = await organization();
    const { incidents, notifications } = service.control.scope(acme.id);
    const by = { id: "usr_1", name: "Ada" };
    const change = notificationRuleChoiceSchema.parse({
      ...{ name: "On call", events: ["completed"], emails: ["a@acme.example"] },
    });
    await notifications.create({ change, secrets: {}, by, now: new Date(service.clock.now) });
    await receive(acme, { service: "orders" });
    const { id } = await only(acme);
    const now = new Date(service.clock.now);
    const plan = { mark: "", refineAt: now, refinedUntil: now };
    await incidents.complete(id, (await incidents.begin(id, now)) ?? 0, reportWith(), now, { plan });
    const refined = async (report: ReturnType<typeof reportWith>): Promise<void> => {
      const taken = await incidents.beginRefinement(id, new Date(service.clock.now + 600_000));
      await incidents.refine(id, taken?.attempt ?? 0, report, now, plan);
    };
    await refined(reportWith({ confidence: { score: 0.9, basis: "more" } }));
    await refined(reportWith({ root_cause: { ...reportWith().root_cause, category: "type-mismatch" } }));
    const occasions = (await service.control.notifications.occasions(now, 1_000)).filter(
      ({ incidentId }) => incidentId === id,
    );
    expect(occasions.map(({ kind }) => kind)).toEqual(["completed", "corrected", "opened"]);
    expect((await only(acme)).refinement?.version).toBe(3);
  });

  it("arrive over the stream in order, until the report is final", async () => {
    const acme = await organization();
    await receive(acme, { service: "orders" });
    const { id } = await only(acme);
    const url = `${base}/api/incidents/${id}/events`;
    const [response]: [IncomingMessage] = (await once(
      get(url, { headers: { "x-api-key": acme.key } }),
      "response",
    )) as [IncomingMessage];
    let text = "";
    response.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
    const ended = once(response, "end");
    const { incidents } = service.control.scope(acme.id);
    const now = new Date(service.clock.now);
    const plan = { mark: "", refineAt: now, refinedUntil: now };
    await incidents.complete(id, (await incidents.begin(id, now)) ?? 0, reportWith(), now, { plan });
    const streamed = () => [...text.matchAll(/"version":(\d),"refining":(\w+)/g)].map(([, ...said]) => said.join(" "));
    await expect.poll(streamed).toEqual(["1 true"]);
    const { attempt = 0 } = (await incidents.beginRefinement(id, new Date(service.clock.now + 600_000))) ?? {};
    const surer = reportWith({ confidence: { score: 0.9, basis: "more" } });
    await incidents.refine(id, attempt, surer, now, { mark: "", refineAt: null, refinedUntil: null });
    await ended;
    expect(streamed()).toEqual(["1 true", "2 false"]);
  });
});
