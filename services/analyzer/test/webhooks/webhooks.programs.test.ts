import { createHmac, hash, randomUUID } from "node:crypto";
import { type AddedAlertSource, type Incident, limits } from "@whence/protocol";
import { failuresTopic, type KnownFailure, webhooksTopic } from "@whence/storage";
import { signatureHeaders } from "@whence/vendors/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Consumers, startConsumers } from "../../src/start-consumers.ts";
import { triggerLimits } from "../../src/triggers/trigger-limits.ts";
import { failureOf } from "../incidents/reported-failures.ts";
import { storedEvent } from "../stored-event.ts";
import {
  makeOrganization,
  signInMember,
  silent,
  startTestService,
  type TestOrganization,
  type TestService,
} from "../test-service.ts";

let service: TestService;
let acme: TestOrganization;
let consumers: Consumers;

beforeAll(async () => {
  service = await startTestService();
  acme = await makeOrganization(service, "acme");
  consumers = start();
});
afterAll(async () => {
  await consumers.stop(1_000);
  await service.close();
});

function start(): Consumers {
  const { control, events, queue, metrics, senderRequests } = service;
  return startConsumers({ control, events, queue, metrics, senderRequests, clock: Date.now, logger: silent });
}

const ask = (method: "GET" | "POST" | "PUT" | "DELETE", path = "", payload?: object, cookie = acme.cookie) =>
  service.app.inject({ method, url: `/api/alert-sources${path}`, headers: { cookie }, ...(payload && { payload }) });

async function add(name = "Our monitor"): Promise<AddedAlertSource> {
  return (await ask("POST", "", { kind: "webhook", name })).json();
}

interface Sent {
  readonly id?: string;
  readonly secret?: string;
  readonly atMs?: number;
}

/** Posts an alert as its sender does, signed. */
async function send(source: AddedAlertSource, alert: object | string, { id, secret, atMs }: Sent = {}) {
  const payload = typeof alert === "string" ? alert : JSON.stringify(alert);
  const signed = secret ?? source.secret ?? "";
  return service.app.inject({
    ...{ method: "POST", url: new URL(source.url).pathname, payload },
    headers: {
      "content-type": "application/json",
      ...signatureHeaders(signed, id ?? randomUUID(), payload, atMs ?? service.clock.now),
    },
  });
}

const alertsOf = async (source: AddedAlertSource) => (await ask("GET", `/${source.id}/alerts`)).json().alerts;
const listed = async (source: AddedAlertSource) =>
  (await ask("GET")).json().alert_sources.find(({ id }: AddedAlertSource) => id === source.id);
const incidentOf = async (id: string): Promise<Incident> =>
  (await service.app.inject({ url: `/api/incidents/${id}`, headers: { cookie: acme.cookie } })).json();

/** Waits until the alerts of a source are those of the keys. */
async function announced(source: AddedAlertSource, keys: readonly string[]) {
  await expect
    .poll(async () => (await alertsOf(source)).map(({ key }: { key: string }) => key).toSorted())
    .toEqual(keys.toSorted());
  return alertsOf(source);
}

const down = (key: string, about: object = {}) => ({
  ...{ key, title: "checkout is failing", text: "TypeError: total is undefined\n    at pay (/app/pay.js:3:9)" },
  ...about,
});

describe("a webhook of an alert source", () => {
  it("opens an incident based on the sender's text, which is investigated", async () => {
    const source = await add();
    const answer = await send(source, down("a", { severity: "high", service: "checkout", url: "https://x.example/1" }));
    expect([answer.statusCode, answer.json()]).toEqual([200, { received: true }]);
    const [alert] = await announced(source, ["a"]);
    expect(alert).toMatchObject({ title: "checkout is failing", url: "https://x.example/1", resolved_at: null });
    consumers.relayOutbox();
    await expect.poll(async () => (await incidentOf(alert.incident_id)).status).toBe("completed");
    const incident = await incidentOf(alert.incident_id);
    expect(incident).toMatchObject({
      ...{ title: "checkout is failing", severity: "high", service: "checkout" },
      trigger: {
        ...{ kind: "alert", source: "webhook", sender: "Standard Webhooks", source_id: source.id },
        ...{ key: "a", url: "https://x.example/1" },
      },
      decision: { outcome: "opened", rule: "alert", reason: "Standard Webhooks announced it" },
    });
    expect(incident.report?.root_cause_summary).toContain("total");
    expect(incident.report?.not_checked.join("\n")).toContain("`checkout` sends none to Whence");
    expect(await listed(source)).toMatchObject({ alerts: 1, received_at: expect.any(String), failed: null });
  });

  it("is handled once, even when several senders send it several times", async () => {
    const source = await add();
    const id = randomUUID();
    const answers = await Promise.all([1, 2, 3].map(() => send(source, down("a"), { id })));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    await send(source, down("a"));
    await Promise.all([send(source, down("b")), send(source, down("b"))]);
    await announced(source, ["a", "b"]);
    await expect.poll(async () => (await listed(source)).alerts).toBe(2);
    await expect.poll(() => service.queue.depth(webhooksTopic)).toMatchObject({ pending: 0, held: 0 });
    expect(await announced(source, ["a", "b"])).toHaveLength(2);
  });

  it("waits in the queue while nothing handles it, and is handled after a restart", async () => {
    const source = await add();
    await consumers.stop(1_000);
    expect((await send(source, down("a"))).statusCode).toBe(200);
    expect(await alertsOf(source)).toEqual([]);
    consumers = start();
    await announced(source, ["a"]);
  });

  it("that says it is over resolves the alert, and the incident stays", async () => {
    const source = await add();
    await send(source, down("a"));
    await announced(source, ["a"]);
    await send(source, down("a", { status: "resolved" }));
    await expect.poll(async () => (await alertsOf(source))[0].resolved_at).toEqual(expect.any(String));
  });

  it("that resolves a failure opens nothing, and neither does one that later says that it began", async () => {
    const source: AddedAlertSource = (await ask("POST", "", { kind: "alertmanager", name: "Ours" })).json();
    const sendGroup = (status: string, ...fingerprints: readonly string[]) => {
      const about = { status, startsAt: "2026-03-01T11:59:00.000Z", labels: { alertname: "Down" } };
      return service.app.inject({
        ...{ method: "POST", url: new URL(source.url).pathname },
        payload: { version: "4", alerts: fingerprints.map((fingerprint) => ({ ...about, fingerprint })) },
        headers: { authorization: `Bearer ${source.secret}` },
      });
    };
    await sendGroup("resolved", "a");
    await expect.poll(async () => (await listed(source)).received_at).not.toBeNull();
    await sendGroup("firing", "a", "b");
    await announced(source, ["b 2026-03-01T11:59:00.000Z"]);
    expect((await listed(source)).alerts).toBe(1);
  });

  it.each([
    [limits.eventAheadMaxMs, "is known to be over"],
    [limits.eventAheadMaxMs + 1, "opens"],
  ])("that ends %i ms ahead of its receipt: a failure half that time later %s", async (aheadMs, outcome) => {
    const source = await add();
    const at = (ms: number) => new Date(service.clock.now + ms).toISOString();
    await send(source, down("a", { status: "resolved", at: at(aheadMs) }));
    await expect.poll(async () => (await listed(source)).received_at).not.toBeNull();
    await send(source, down("a", { at: at(aheadMs / 2) }));
    await send(source, down("b"));
    await announced(source, outcome === "opens" ? ["a", "b"] : ["b"]);
  });

  it("that says it ended in 2300 suppresses no later failure", async () => {
    const source = await add();
    await send(source, down("a", { status: "resolved", at: "2300-01-01T00:00:00Z" }));
    await expect.poll(async () => (await listed(source)).received_at).not.toBeNull();
    service.clock.now += 1_000;
    await send(source, down("a", { at: new Date(service.clock.now).toISOString() }));
    await announced(source, ["a"]);
  });

  it("that can't be parsed is recorded with its source, and opens nothing", async () => {
    const source = await add();
    for (const body of ["{", "[]", '{"title":""}', '"text"']) {
      expect((await send(source, body)).statusCode).toBe(200);
    }
    await expect.poll(async () => (await listed(source)).failed?.reason).toMatch(/^the webhook couldn't be read: /);
    expect(await alertsOf(source)).toEqual([]);
  });

  it("is rejected in the same way with a wrong signature and at an unknown URL, and the former is recorded", async () => {
    const source = await add();
    const other = await add("Another");
    const wrong = await send(source, down("a"), { secret: other.secret ?? "" });
    const unknown = await send({ ...source, url: `${source.url}0` }, down("a"));
    expect(wrong.json()).toMatchObject({ code: "WHENCE_ERR_WEBHOOK_REFUSED" });
    expect([unknown.statusCode, unknown.body]).toEqual([wrong.statusCode, wrong.body]);
    expect((await listed(source)).failed.reason).toBe("a webhook was refused: its signature or its time is wrong");
    expect(await alertsOf(source)).toEqual([]);
  });

  it.each([
    [-300, 200],
    [-301, 401],
    [300, 200],
    [301, 401],
  ])("signed %i s from now is answered with %i", async (seconds, status) => {
    const source = await add();
    const atMs = service.clock.now + seconds * 1_000;
    expect((await send(source, down("a"), { atMs })).statusCode).toBe(status);
  });

  it.each([
    [0, 200],
    [1, 413],
  ])("of %i bytes more than the limit is answered with %i", async (more, status) => {
    const source = await add();
    const alert = JSON.stringify(down("a"));
    const padded = alert + " ".repeat(triggerLimits.webhookBytesMax - alert.length + more);
    expect((await send(source, padded)).statusCode).toBe(status);
  });
});

describe("an alert about a service that reports failures", () => {
  const fingerprintOf = (service: string): string => `v1:${hash("sha256", service).slice(0, 16)}`;

  /** A failure that telemetry reports, and what was decided about it. */
  async function reported(name: string): Promise<KnownFailure> {
    const stored = storedEvent(acme.id, { service: name, fingerprint: fingerprintOf(name) });
    await service.events.insert([stored]);
    const body = JSON.stringify({ scope_id: acme.id, failures: [failureOf(stored)] });
    await service.queue.publish(failuresTopic, [{ id: stored.event.id, body }]);
    const { failures } = service.control.scope(acme.id);
    const known = () => failures.find(stored.fingerprint ?? "", "PROD");
    await expect.poll(known).not.toBeNull();
    const failure = await known();
    if (!failure) throw new Error(`nothing was decided about ${name}`);
    return failure;
  }

  it("belongs to the incident that telemetry opened", async () => {
    const source = await add();
    const { incidentId, lastSeen: at } = await reported("cart");
    service.clock.now = Date.parse(at);
    expect(incidentId).not.toBeNull();
    await send(source, down("a", { service: "Cart", at }));
    expect(await announced(source, ["a"])).toMatchObject([{ incident_id: incidentId }]);
  });

  it("opens one for the failure that telemetry opened none for", async () => {
    const source = await add();
    const { thresholds } = service.control.scope(acme.id);
    await thresholds.replace({ ...(await thresholds.read()), muted_services: ["stock"] });
    const { incidentId, lastSeen: at } = await reported("stock");
    service.clock.now = Date.parse(at);
    expect(incidentId).toBeNull();
    await send(source, down("a", { service: "stock", at }));
    const [alert] = await announced(source, ["a"]);
    consumers.relayOutbox();
    await expect.poll(async () => (await incidentOf(alert.incident_id)).status).toBe("completed");
    const incident = await incidentOf(alert.incident_id);
    expect(incident).toMatchObject({ service: "stock", env: "PROD", fingerprint: fingerprintOf("stock") });
    expect(incident.report?.evidence.some(({ excerpt }) => excerpt.includes("boom"))).toBe(true);
  });

  it.each([
    [triggerLimits.failureBeforeAlertMs, true],
    [triggerLimits.failureBeforeAlertMs + 1, false],
  ])("considers failures seen at most 15 minutes before it began: %i ms, %s", async (ms, isFound) => {
    const source = await add();
    const name = `service-${ms}`;
    const { incidentId, lastSeen } = await reported(name);
    service.clock.now = Date.parse(lastSeen) + ms;
    const at = new Date(service.clock.now).toISOString();
    await send(source, down("a", { service: name, at }));
    const [alert] = await announced(source, ["a"]);
    expect(alert.incident_id === incidentId).toBe(isFound);
  });
});

describe("the alert sources of an organization", () => {
  it("are visible to members, without their secrets, and added and removed by owners", async () => {
    const source = await add("On call");
    expect(source).toMatchObject({
      ...{ kind: "webhook", name: "On call", secret: expect.stringMatching(/^whsec_/) },
      url: `https://whence.example.com/api/webhooks/${source.id}`,
    });
    const member = await signInMember(service, acme.id, "member@acme.example", "member");
    const seen = await ask("GET", "", undefined, member);
    expect(seen.body).not.toContain("whsec_");
    expect(seen.json().alert_sources.map(({ id }: AddedAlertSource) => id)).toContain(source.id);
    expect((await ask("POST", "", { kind: "webhook", name: "x" }, member)).statusCode).toBe(403);
    expect((await ask("DELETE", `/${source.id}`, undefined, member)).statusCode).toBe(403);
    expect((await ask("DELETE", `/${source.id}`)).json()).toEqual({ id: source.id });
    expect((await ask("DELETE", `/${source.id}`)).json().code).toBe("WHENCE_ERR_ALERT_SOURCE_UNKNOWN");
    expect((await send(source, down("a"))).statusCode).toBe(401);
    const actions = (await service.control.scope(acme.id).audit.list({ limit: 2 })).map(({ action }) => action);
    expect(actions).toEqual(["alert-source.removed", "alert-source.added"]);
  });

  it("take what their sender shows, when they are added or later, and nothing else", async () => {
    const adding = async (kind: string, inputs: object) => (await ask("POST", "", { kind, name: "x", inputs })).json();
    expect((await adding("webhook", { secret: "mine" })).detail[0]).toMatchObject({ type: "extra_forbidden" });
    expect(await adding("sns", { topic_arn: "arn:aws:sns:eu-central-1:1:alarms" })).toMatchObject({
      ...{ inputs: { topic_arn: "arn:aws:sns:eu-central-1:1:alarms" }, missing: [], secret: null },
    });
    const { id, url, missing } = await adding("sentry", {});
    expect(missing).toEqual(["secret"]);
    const payload = JSON.stringify({ action: "created", data: { installation: {} } });
    const hook = (secret: string) =>
      service.app.inject({
        ...{ method: "POST", url: new URL(url).pathname, payload },
        headers: {
          "content-type": "application/json",
          "sentry-hook-signature": createHmac("sha256", secret).update(payload).digest("hex"),
        },
      });
    expect((await hook("")).statusCode).toBe(401);
    const entered = await ask("PUT", `/${id}/inputs`, { inputs: { secret: "shown by Sentry" } });
    expect(entered.json()).toMatchObject({ id, missing: [] });
    expect(entered.body).not.toContain("shown by Sentry");
    expect((await hook("shown by Sentry")).statusCode).toBe(200);
    const { id: made } = await add();
    expect((await ask("PUT", `/${made}/inputs`, { inputs: {} })).json().code).toBe(
      "WHENCE_ERR_ALERT_SOURCE_SECRET_MADE",
    );
  });

  it("have a new secret once an owner replaces it, and the old one stops working", async () => {
    const source = (await ask("POST", "", { kind: "alertmanager", name: "Ours" })).json();
    const post = (secret: string) =>
      service.app.inject({
        ...{ method: "POST", url: new URL(source.url).pathname, payload: { version: "4", alerts: [] } },
        headers: { authorization: `Bearer ${secret}` },
      });
    expect((await post(source.secret)).statusCode).toBe(200);
    const replaced = (await ask("POST", `/${source.id}/secret`)).json();
    expect(replaced).toMatchObject({ id: source.id, url: source.url, missing: [] });
    expect((await post(source.secret)).statusCode).toBe(401);
    expect((await post(replaced.secret)).statusCode).toBe(200);
    const { id } = (await ask("POST", "", { kind: "sentry", name: "Sentry" })).json();
    expect((await ask("POST", `/${id}/secret`)).json().code).toBe("WHENCE_ERR_ALERT_SOURCE_SECRET_ENTERED");
  });

  it("are at most fifty", async () => {
    const crowded = await makeOrganization(service, "crowded");
    const adding = () => ask("POST", "", { kind: "webhook", name: "x" }, crowded.cookie);
    for (let count = 0; count < triggerLimits.alertSourcesMax; count += 1)
      expect((await adding()).statusCode).toBe(200);
    expect((await adding()).json().code).toBe("WHENCE_ERR_ALERT_SOURCES_FULL");
  });

  it("of another organization can be neither seen nor removed", async () => {
    const source = await add();
    const other = await makeOrganization(service, "other");
    expect((await ask("GET", "", undefined, other.cookie)).json()).toMatchObject({ alert_sources: [] });
    expect((await ask("GET", `/${source.id}/alerts`, undefined, other.cookie)).statusCode).toBe(404);
    expect((await ask("DELETE", `/${source.id}`, undefined, other.cookie)).statusCode).toBe(404);
  });
});
