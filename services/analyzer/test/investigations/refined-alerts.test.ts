import { randomUUID } from "node:crypto";
import { type Incident, incidentSchema, reportVersionsSchema } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openForAlert } from "../../src/incidents/open-incident.ts";
import { investigationHandler } from "../../src/investigations/investigations.ts";
import { refineAfterMs } from "../../src/investigations/refinement/schedule.ts";
import { failureEvent, incidentsOf } from "../incidents/reported-failures.ts";
import {
  makeOrganization,
  silent,
  startTestService,
  type TestOrganization,
  type TestService,
} from "../test-service.ts";

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const [relatedMs = 0, minuteMs = 0] = refineAfterMs;
const organization = () => makeOrganization(service, randomUUID());
const context = () => {
  const { control, events, metrics, clock } = service;
  return { control, events, metrics, clock: () => clock.now, logger: silent, relayOutbox: () => undefined };
};

/** Opens an incident on the words of an alert. */
async function alert({ id }: TestOrganization, about: { service: string | null; env: string | null }): Promise<void> {
  const at = new Date(service.clock.now).toISOString();
  const alert = {
    ...({ key: randomUUID(), state: "firing", title: "5xx above 5%", text: "5xx above 5%" } as const),
    ...{ severity: null, at, url: null, ...about },
  };
  const added = { kind: "webhook", name: "Ours", inputs: {}, secrets: {}, now: new Date(at) } as const;
  const source = await service.control.scope(id).alertSources.add({ ...added, by: { id: "usr_1", name: "Ada" } });
  await openForAlert(context(), id, {
    sender: { kind: "webhook", label: "Standard Webhooks" },
    sourceId: source.id,
    alert,
  });
}

/** Requests what is due, and handles everything that was requested for the organization; returns how much. */
async function work({ id }: TestOrganization): Promise<number> {
  await service.control.refinements.askDue(new Date(service.clock.now), { max: 100, holdMs: 300_000 });
  const asked = (await service.control.outbox.pending(1_000)).filter(({ body }) => body.includes(id));
  await service.control.outbox.remove(asked.map((one) => one.id));
  const { signal } = new AbortController();
  for (const { body } of asked)
    await investigationHandler(context())(JSON.parse(body), { id: "m1", number: 1, signal });
  return asked.length;
}

async function only(acme: TestOrganization): Promise<Incident> {
  const [incident, ...others] = await incidentsOf(service, acme);
  expect(others).toEqual([]);
  return incidentSchema.parse(incident);
}

/** The category of the cause by version, the newest first. */
async function versionsOf(acme: TestOrganization): Promise<(string | null)[]> {
  const { id } = await only(acme);
  const answer = await service.app.inject({
    url: `/api/incidents/${id}/reports`,
    headers: { "x-api-key": acme.key },
  });
  return reportVersionsSchema.parse(answer.json()).reports.map(({ report }) => report.root_cause.service);
}

/** A failure of the service, stored without being decided about, so that it opens no incident of its own. */
const failed = ({ id }: TestOrganization, name: string) =>
  service.events.insert([failureEvent(service, id, { service: name, ago: 100, line: 4 })]);

describe("a report based on the words of an alert", () => {
  it.each([
    ["that it names", "orders", "PROD", "orders"],
    ["that it names in another case, and in no environment", "Orders", null, "orders"],
  ])("gets a second version once telemetry arrives of the service %s", async (_, name, env, found) => {
    const acme = await organization();
    await alert(acme, { service: name, env });
    await work(acme);
    const first = await only(acme);
    expect(first.report?.evidence.map(({ source }) => source.name)).not.toContain("failures at the time");
    expect(first.refinement).toEqual({
      ...{ version: 1, refining: true, refined_at: null },
      refined_until: new Date(service.clock.now + minuteMs).toISOString(),
    });
    service.clock.now += relatedMs;
    await failed(acme, "orders");
    expect(await work(acme)).toBe(1);
    const second = await only(acme);
    expect(second.refinement).toMatchObject({ version: 2, refining: true });
    expect(second.report?.evidence.map(({ source }) => source.name)).toContain("failures at the time");
    expect(await versionsOf(acme)).toEqual([found, name]);
  });

  it("is investigated again only for new evidence, and final after a minute", async () => {
    const acme = await organization();
    await failed(acme, "orders");
    await alert(acme, { service: "orders", env: "PROD" });
    await work(acme);
    const { report } = await only(acme);
    for (const ms of [relatedMs, minuteMs - relatedMs]) {
      service.clock.now += ms;
      expect(await work(acme)).toBe(1);
    }
    const final = await only(acme);
    expect(final.refinement).toMatchObject({ version: 1, refining: false, refined_until: null });
    expect(final.report).toEqual(report);
    service.clock.now += 10 * minuteMs;
    expect(await work(acme)).toBe(0);
  });
});

describe("the report on a pasted text", () => {
  it("is final at once, whatever telemetry arrives", async () => {
    const acme = await organization();
    const payload = { error_log: "Error: orders fails" };
    await service.app.inject({ method: "POST", url: "/api/mcp/analyze", headers: { "x-api-key": acme.key }, payload });
    await work(acme);
    expect((await only(acme)).refinement).toMatchObject({ version: 1, refining: false });
    await failed(acme, "orders");
    service.clock.now += minuteMs;
    expect(await work(acme)).toBe(0);
  });
});
