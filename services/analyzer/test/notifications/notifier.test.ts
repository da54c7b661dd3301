import {
  hourMs,
  type NotificationRuleChange,
  notificationRuleChangeSchema,
  notificationSchema,
  weekdays,
} from "@whence/protocol";
import type { WrittenRule } from "@whence/storage";
import { addressGuard, type Mail, mintWebhookSecret } from "@whence/vendors";
import {
  emailChannel,
  opsgenieChannel,
  pagerDutyChannel,
  slackChannel,
  teamsChannel,
  webhookChannel,
} from "@whence/vendors/testing";
import { startHttpsReceiver } from "@whence/vendors/testing/notifications/https-receiver";
import Fastify from "fastify";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { askedText } from "../../src/analysis/analysis-body.ts";
import { incidentFromText } from "../../src/analysis/from-text.ts";
import type { Logger } from "../../src/logger.ts";
import { type Notifier, notifyIntervalMs, startNotifier } from "../../src/notifications/notifier.ts";
import { endedIncident, reportWith } from "../ended-report.ts";
import { appUrl, silent, startTestService, type TestService } from "../test-service.ts";

const ada = { id: "usr_1", name: "Ada" };

let service: TestService;
let scopeId: string;
let mails: Mail[];
let notifiers: Notifier[];
let refusal: Error | null;
let organizations = 0;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  organizations += 1;
  const acme = { slug: `acme-${organizations}`, name: "Acme", now: new Date(service.clock.now) };
  scopeId = (await service.control.organizations.ensure(acme)).id;
  [mails, notifiers, refusal] = [[], [], null];
  service.metrics.notifications.reset();
});
afterEach(async () => {
  await stopAll();
  vi.useRealTimers();
  // Waiting messages are deleted with their rule.
  for (const { id } of await rules().list()) await rules().remove(id);
});

const start = (logger: Logger = silent): void => {
  const { control, clock, metrics } = service;
  const mailer = {
    send: async (mail: Mail) => {
      if (refusal) throw refusal;
      mails.push(mail);
    },
  };
  const apps = { vendors: {}, outbound: { mayReach: addressGuard([]), clock: () => clock.now } };
  const options = { control, metrics, logger, appUrl, apps, clock: () => clock.now };
  const email = emailChannel({ mailer, hasMailServer: true, appUrl });
  const webhook = webhookChannel({ clock: options.clock, mayReach: addressGuard(["127.0.0.0/8"]) });
  const vendors = { mayReach: addressGuard(["127.0.0.0/8"]) };
  const pagers = { pagerduty: pagerDutyChannel(vendors), opsgenie: opsgenieChannel(vendors) };
  const chats = { slack: slackChannel(vendors), teams: teamsChannel(vendors) };
  notifiers.push(startNotifier({ ...options, channels: { email, webhook, ...pagers, ...chats } }));
};
const stopAll = async (): Promise<void> => {
  await Promise.all(notifiers.splice(0).map((notifier) => notifier.stop(10_000)));
};
const rules = () => service.control.scope(scopeId).notifications;
const make = async (
  changes: Partial<NotificationRuleChange> = {},
  given: WrittenRule["secrets"] = {},
): Promise<string> => {
  const change = notificationRuleChangeSchema.parse({
    ...{ name: "On call", events: ["completed"], emails: ["oncall@acme.example"] },
    ...changes,
  });
  const secrets = change.webhook_url === null ? given : { webhook: mintWebhookSecret() };
  return (await rules().create({ change, secrets, by: ada, now: new Date(service.clock.now) }))?.id ?? "";
};
const deliveries = (id: string) => rules().deliveries(id, 50);
/** Looks again without the wait between two looks. */
const inTime = <Value>(read: () => Promise<Value>) =>
  expect.poll(async () => {
    await vi.advanceTimersByTimeAsync(notifyIntervalMs);
    return read();
  });
const settled = (id: string) =>
  inTime(async () => (await deliveries(id)).filter(({ settled_at }) => settled_at !== null).length);

describe("the notifier", () => {
  it("posts one message about an incident to Slack, with its cause, also for a rule that announces its opening", async () => {
    const receiver = await startHttpsReceiver();
    try {
      const slack = `https://127.0.0.1:${receiver.port}/services/T0/B0/secret-path`;
      const id = await make({ events: ["opened", "completed"], emails: [], slack: true }, { slack });
      await endedIncident(service, scopeId);
      start();
      await settled(id).toBe(1);
      expect((await deliveries(id)).map(({ channel, type, state }) => [channel, type, state])).toEqual([
        ["slack", "completed", "sent"],
      ]);
      expect(receiver.received.map(({ body }) => body.includes("It broke."))).toEqual([true]);
    } finally {
      await receiver.close();
    }
  });

  it("holds messages back during quiet hours, and summarizes them when they are over", async () => {
    const today = new Date(service.clock.now).toISOString();
    const quiet = { time_zone: "UTC", from: "00:00", to: "23:59", days: [...weekdays], except_critical: true };
    const id = await make({ quiet_hours: quiet });
    await endedIncident(service, scopeId);
    start();
    await inTime(async () => (await rules().find(id))?.held_back).toBe(1);
    expect(await deliveries(id)).toEqual([]);
    await stopAll();
    service.clock.now = Date.parse(`${today.slice(0, 10)}T23:59:00.000Z`);
    start();
    await settled(id).toBe(1);
    expect(mails[0]?.subject).toBe("1 incident held back");
  });

  it("notifies the recipients of a rule once the report of an incident is ready, and not for a re-run", async () => {
    const id = await make();
    start();
    const incident = await endedIncident(service, scopeId);
    await settled(id).toBe(1);
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([["oncall@acme.example", "[Medium] Error: boom"]]);
    expect(mails[0]?.text).toContain("Root cause: It broke.");
    const { incidents } = service.control.scope(scopeId);
    await incidents.requeue(incident);
    const now = new Date(service.clock.now);
    await incidents.complete(incident, (await incidents.begin(incident, now)) ?? 0, reportWith(), now);
    await inTime(() => service.control.notifications.occasions(new Date(service.clock.now), 1)).toEqual([]);
    expect(await deliveries(id)).toHaveLength(1);
    const { values } = await service.metrics.notifications.get();
    expect(values).toMatchObject([{ value: 1, labels: { channel: "email", outcome: "sent" } }]);
  });

  it("waits for the confidence that a rule asks for, and sends the report that reaches it once", async () => {
    const id = await make({ min_confidence: 0.8, events: ["opened", "completed"] });
    const everything = await make({});
    start();
    const incident = await endedIncident(service, scopeId);
    const { incidents } = service.control.scope(scopeId);
    const now = new Date(service.clock.now);
    const reportAgain = async (score: number): Promise<void> => {
      await incidents.requeue(incident);
      const report = reportWith({ confidence: { score, basis: "more" } });
      await incidents.complete(incident, (await incidents.begin(incident, now)) ?? 0, report, now);
      await inTime(() => service.control.notifications.occasions(now, 1)).toEqual([]);
    };
    await settled(everything).toBe(1);
    await reportAgain(0.79);
    expect(await deliveries(id)).toEqual([]);
    await reportAgain(0.8);
    await reportAgain(0.9);
    await settled(id).toBe(1);
    expect((await deliveries(id)).map(({ type }) => type)).toEqual(["completed"]);
    expect(mails.at(-1)?.text).toMatch(/Confidence: (80|90)%/);
    expect(await deliveries(everything)).toHaveLength(1);
  });

  it("logs and records why a vendor refused a message, without the credential", async () => {
    const receiver = await startHttpsReceiver();
    try {
      const slack = `https://127.0.0.1:${receiver.port}/services/T0/B0/secret-path`;
      receiver.answer = (_request, response) => void response.writeHead(404).end(`{"message":"no ${slack}"}`);
      const lines: string[] = [];
      const id = await make({ emails: [], slack: true }, { slack });
      await endedIncident(service, scopeId);
      start(Fastify({ logger: { stream: { write: (line) => void lines.push(line) } } }).log);
      await settled(id).toBe(1);
      const [delivery] = await deliveries(id);
      expect(delivery).toMatchObject({ state: "given_up", reason: "Slack answered 404: no …", recipient: "" });
      expect(lines.join("")).toContain("Slack answered 404");
      expect(lines.join("")).not.toContain("secret-path");
    } finally {
      await receiver.close();
    }
  });

  it("sends each message once, even when several notifiers run", async () => {
    const id = await make({ emails: ["a@acme.example", "b@acme.example"], events: ["opened", "completed"] });
    for (let count = 0; count < 3; count += 1) await endedIncident(service, scopeId);
    for (let count = 0; count < 3; count += 1) start();
    await settled(id).toBe(12);
    await stopAll();
    expect(mails).toHaveLength(12);
    expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(12);
  });

  it("posts to a webhook as well, and records its answer", async () => {
    const receiver = await startHttpsReceiver();
    try {
      const id = await make({ emails: [], webhook_url: `https://127.0.0.1:${receiver.port}/hook` });
      await endedIncident(service, scopeId);
      start();
      await settled(id).toBe(1);
      const message = notificationSchema.parse(JSON.parse(receiver.received[0]?.body ?? ""));
      expect(message).toMatchObject({ type: "completed", incident: { title: "Error: boom", status: "completed" } });
      receiver.answer = (_request, response) => void response.writeHead(410).end();
      await endedIncident(service, scopeId);
      await settled(id).toBe(2);
      expect((await deliveries(id))[0]).toMatchObject({
        state: "given_up",
        reason: "the webhook answered 410",
        attempts: 1,
      });
    } finally {
      await receiver.close();
    }
  });

  it("retries with growing waits, and gives up after the eighth attempt", async () => {
    refusal = new Error("connect ECONNREFUSED 192.0.2.1:25");
    const id = await make();
    await endedIncident(service, scopeId);
    start();
    const waits: number[] = [];
    for (let attempt = 1; attempt < 8; attempt += 1) {
      await inTime(async () => (await deliveries(id))[0]?.attempts).toBe(attempt);
      await inTime(async () => (await deliveries(id))[0]?.reason).toContain("ECONNREFUSED");
      await stopAll();
      const next = (await deliveries(id))[0]?.next_attempt_at ?? "";
      waits.push((Date.parse(next) - service.clock.now) / 1_000);
      service.clock.now = Date.parse(next);
      start();
    }
    await settled(id).toBe(1);
    expect(waits).toEqual([10, 30, 90, 270, 810, 2_430, 3_600]);
    expect((await deliveries(id))[0]).toMatchObject({ state: "given_up", attempts: 8, next_attempt_at: null });
  });

  it("succeeds on a later attempt", async () => {
    refusal = new Error("away");
    const id = await make();
    await endedIncident(service, scopeId);
    start();
    await inTime(async () => (await deliveries(id))[0]?.reason).toBe("away");
    refusal = null;
    service.clock.now += 10_000;
    await settled(id).toBe(1);
    expect((await deliveries(id))[0]).toMatchObject({ state: "sent", attempts: 2, reason: null });
  });

  it("doesn't send to a rule that was turned off, or to a recipient that was removed", async () => {
    const [off, moved] = [await make(), await make({ emails: ["gone@acme.example"] })];
    refusal = new Error("away");
    await endedIncident(service, scopeId);
    start();
    await inTime(async () => (await deliveries(off))[0]?.reason).toBe("away");
    await inTime(async () => (await deliveries(moved))[0]?.reason).toBe("away");
    const written = { secrets: {}, by: ada, now: new Date(service.clock.now) };
    const change = notificationRuleChangeSchema.parse({ name: "x", events: ["opened"], emails: ["a@acme.example"] });
    await rules().replace(off, { change: { ...change, enabled: false }, ...written });
    await rules().replace(moved, { change, ...written });
    refusal = null;
    service.clock.now += 10_000;
    await settled(off).toBe(1);
    await settled(moved).toBe(1);
    expect((await deliveries(off))[0]?.reason).toBe("the rule was turned off");
    expect((await deliveries(moved))[0]?.reason).toContain("no longer names this recipient");
    expect(mails).toEqual([]);
  });

  it("reports at once why a test failed, and tests a rule that is off", async () => {
    const id = await make({ enabled: false });
    refusal = new Error("away");
    await rules().test(id, new Date(service.clock.now));
    start();
    await settled(id).toBe(1);
    expect((await deliveries(id))[0]).toMatchObject({ state: "given_up", reason: "away", attempts: 1 });
    refusal = null;
    await rules().test(id, new Date(service.clock.now));
    await settled(id).toBe(2);
    expect(mails[0]?.subject).toBe('Test of the notification rule "On call"');
  });

  it("holds a storm back, and summarizes the rest in one message when the hour is over", async () => {
    const id = await make({ per_hour: 3, events: ["opened"] });
    const { incidents } = service.control.scope(scopeId);
    for (let count = 0; count < 40; count += 1) {
      await incidents.open(
        incidentFromText(await askedText(`Error: boom ${count}`, []), null, new Date(service.clock.now)),
      );
    }
    start();
    await settled(id).toBe(3);
    await inTime(async () => (await rules().find(id))?.held_back).toBe(37);
    expect(mails.filter(({ text }) => text.includes("are summarized in one mail"))).toHaveLength(1);
    service.clock.now += hourMs;
    await settled(id).toBe(4);
    expect(mails.at(-1)?.subject).toBe("37 incidents held back");
    expect(mails.at(-1)?.text).toContain("… and 17 more");
  });

  it("continues when one incident can't be read", async () => {
    const id = await make({ events: ["opened"] });
    const broken = await endedIncident(service, scopeId);
    const tables = service.control.identity.db.withTables<{ incident: { id: string; severity: string } }>();
    await tables.updateTable("incident").set({ severity: "unheard-of" }).where("id", "=", broken).execute();
    await endedIncident(service, scopeId);
    start();
    await settled(id).toBe(1);
    await inTime(() => service.control.notifications.occasions(new Date(service.clock.now), 1)).toEqual([]);
  });
});
