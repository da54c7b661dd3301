import { createHmac, randomUUID } from "node:crypto";
import { type AddedAlertSource, type Incident, minuteMs, type Report, verifyReport } from "@whence/protocol";
import { failuresTopic } from "@whence/storage";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startDeploymentWatch } from "../../src/deployments/deployment-watch.ts";
import { type Consumers, startConsumers } from "../../src/start-consumers.ts";
import { failureOf } from "../incidents/reported-failures.ts";
import { fingerprint, reportedAt, type Sender, Telemetry } from "../predictions/telemetry.ts";
import {
  makeOrganization,
  silent,
  startTestService,
  type TestOrganization,
  type TestService,
} from "../test-service.ts";

let service: TestService;
let consumers: Consumers;

const commit = "1f0c9e2a7b3d4c5e6f708192a3b4c5d6e7f80912";
const earlierCommit = "0a1b2c3d4e5f60718293a4b5c6d7e8f901234567";
const secret = "a secret of Vercel";
const page = "https://vercel.com/acme/orders/7Ew1";

beforeAll(async () => {
  service = await startTestService();
  const { control, events, queue, metrics, senderRequests, clock } = service;
  consumers = startConsumers({
    ...{ control, events, queue, metrics, senderRequests, clock: () => clock.now, logger: silent },
  });
});
afterAll(async () => {
  await consumers.stop(1_000);
  await service.close();
});

const setTo = (minutes: number): void => {
  service.clock.now = reportedAt + minutes * minuteMs;
};

/** Sends what Vercel sends about a deployment to production that succeeded. */
async function deploy(acme: TestOrganization): Promise<AddedAlertSource> {
  setTo(0);
  const { app, control } = service;
  const added = await app.inject({
    ...{ method: "POST", url: "/api/alert-sources", headers: { cookie: acme.cookie } },
    payload: { kind: "vercel", name: "Our team", inputs: { secret } },
  });
  const source: AddedAlertSource = added.json();
  const body = JSON.stringify({
    ...{ id: `uev_${randomUUID()}`, type: "deployment.succeeded", createdAt: reportedAt, region: "sfo1" },
    payload: {
      ...{ team: { id: "team_1" }, user: { id: "user_1" }, target: "production", project: { id: "prj_1" } },
      deployment: { id: "dpl_7Ew1", name: "orders", url: "orders-7ew1.vercel.app", meta: { githubCommitSha: commit } },
      links: { deployment: page, project: "https://vercel.com/acme/orders" },
    },
  });
  const signature = createHmac("sha1", secret).update(body).digest("hex");
  const sent = await app.inject({
    ...{ method: "POST", url: new URL(source.url).pathname, payload: body },
    headers: { "content-type": "application/json", "x-vercel-signature": signature },
  });
  expect(sent.statusCode).toBe(200);
  await expect.poll(() => control.scope(acme.id).releases.list("PROD")).toHaveLength(1);
  return source;
}

/** Stores telemetry, and has the analyzer decide about its failures. */
async function report(acme: TestOrganization, { events }: Telemetry): Promise<void> {
  await service.events.insert(events);
  const failed = events.filter((event) => event.fingerprint === fingerprint);
  const messages = failed.map((event) => ({
    id: event.event.id,
    body: JSON.stringify({ scope_id: acme.id, failures: [failureOf(event)] }),
  }));
  await service.queue.publish(failuresTopic, messages);
  const last = failed.at(-1)?.event.timestamp;
  const known = async () => (await service.control.scope(acme.id).failures.find(fingerprint, "PROD"))?.lastSeen;
  await expect.poll(known).toBe(last);
}

/** Checks the deployment five minutes after it, and returns the incident of the alert, with its report. */
async function investigated(acme: TestOrganization, source: AddedAlertSource): Promise<Incident & { report: Report }> {
  setTo(6);
  const { control, events, metrics, clock } = service;
  const watch = startDeploymentWatch({
    ...{ control, events, metrics, clock: () => clock.now, logger: silent, relayOutbox: consumers.relayOutbox },
  });
  const alerts = () => control.scope(acme.id).alerts.list(source.id, 10);
  await expect.poll(alerts).toHaveLength(1);
  await watch.stop();
  const [alert] = await alerts();
  const url = `/api/incidents/${alert?.incident_id}`;
  const read = async (): Promise<Incident> =>
    (await service.app.inject({ url, headers: { cookie: acme.cookie } })).json();
  await expect.poll(async () => (await read()).status).toBe("completed");
  const incident = await read();
  const { report } = incident;
  if (!report) throw new Error("a completed incident has a report");
  expect(verifyReport(report)).toEqual([]);
  return { ...incident, report };
}

const rising = [1, 1.5, 2, 2.2, 3, 3.3, 3.6, 4, 4.4, 4.8, 5.2];
const rare = [-51, -30];
/** How its clients name a release and the one before, and how the report names it. */
const namings = [
  { naming: "after their commits", release: commit, previous: earlierCommit, named: `\`${commit}\`` },
  { naming: "in their own way", release: "2.0.0", previous: "1.9.0", named: "2.0.0" },
  { naming: "always the same", release: "1.0.0", previous: "1.0.0", named: `\`${commit}\`` },
];

/** What the first link of the chain says, and what it cites. */
function originOf({ chain: [first], evidence }: Report) {
  const cited = evidence.filter(({ id }) => first?.evidence_ids.includes(id));
  return { what: first?.what ?? "", cited: cited.map(({ source: { name } }) => name) };
}

/** More than is claimed for a stack whose code wasn't given: of such answers, two thirds are right at most. */
const sureWithoutCode = 0.7;

describe("a deployment after which its service fails more often", () => {
  it.each(namings)("is the origin of a new failure, where its clients name releases $naming", async (one) => {
    const acme = await makeOrganization(service, `acme-${randomUUID()}`);
    const source = await deploy(acme);
    const [old, young]: Sender[] = [
      { release: one.previous, instance: "old" },
      { release: one.release, instance: "new" },
    ];
    setTo(5.5);
    await report(acme, new Telemetry(acme.id).beats(-60, 0, old).beats(0, 6, young).fails(rising, young));
    const incident = await investigated(acme, source);
    // The failure was new, so telemetry opened it, and the alert belongs to it.
    expect(incident.trigger).toMatchObject({ kind: "event" });
    expect(originOf(incident.report)).toEqual({
      what: expect.stringMatching(new RegExp(`^\`orders\` ${one.named} .* 60 s before the first failure`)),
      cited: ["releases"],
    });
    const began = new RegExp(`failures began 60 s after \`orders\` ${one.named}`, "i");
    expect(incident.report.root_cause_summary).toMatch(began);
    expect(incident.report.confidence.score).toBeLessThan(sureWithoutCode);
  });

  it.each(namings)("is the origin of a failure that was rare, where its clients name releases $naming", async (one) => {
    const acme = await makeOrganization(service, `acme-${randomUUID()}`);
    const [old, young]: Sender[] = [
      { release: one.previous, instance: "old" },
      { release: one.release, instance: "new" },
    ];
    setTo(-29);
    await report(acme, new Telemetry(acme.id).fails(rare, old));
    const source = await deploy(acme);
    setTo(5.5);
    await report(acme, new Telemetry(acme.id).beats(-60, 0, old).beats(0, 6, young).fails(rising, young));
    const incident = await investigated(acme, source);
    expect(incident.trigger).toMatchObject({ kind: "alert", url: page });
    const isCompared = one.release !== one.previous;
    const reason = isCompared ? "fails \\d+ times as often" : "went live 60 s before the failure rate rose";
    expect(originOf(incident.report)).toEqual({
      what: expect.stringMatching(new RegExp(`^\`orders\` ${one.named} ${reason}`)),
      cited: ["releases"],
    });
    expect(incident.report.root_cause_summary).toContain(one.named);
    expect(incident.report.confidence.score).toBeLessThan(sureWithoutCode);
    const titles = incident.report.short_term_solutions.map(({ title }) => title);
    const back = `Roll \`orders\` back to ${one.previous.includes(".") ? `\`${one.previous}\`` : `\`${earlierCommit}\``}`;
    expect(titles.includes(back)).toBe(isCompared);
  });
});
