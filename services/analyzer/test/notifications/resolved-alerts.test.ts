import { hourMs, notificationRuleChangeSchema } from "@whence/protocol";
import { addressGuard, everyChannel } from "@whence/vendors";
import { opsgenieChannel, pagerDutyChannel } from "@whence/vendors/testing";
import { type HttpsReceiver, startHttpsReceiver } from "@whence/vendors/testing/notifications/https-receiver";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Notifier, notifyIntervalMs, startNotifier } from "../../src/notifications/notifier.ts";
import { webhookHandler } from "../../src/webhooks/handle-webhook.ts";
import { reportWith } from "../ended-report.ts";
import { appUrl, makeOrganization, noMail, silent, startTestService, type TestService } from "../test-service.ts";

const by = { id: "usr_1", name: "Ada" };

let service: TestService;
let receiver: HttpsReceiver;
let notifier: Notifier;

beforeAll(async () => {
  service = await startTestService();
  receiver = await startHttpsReceiver();
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const { control, clock, metrics } = service;
  const outside = { clock: () => clock.now, mayReach: addressGuard(["127.0.0.0/8"]) };
  const base = `https://127.0.0.1:${receiver.port}`;
  const channels = {
    ...everyChannel({ ...outside, mailer: noMail, hasMailServer: true, appUrl }),
    pagerduty: pagerDutyChannel({ ...outside, addresses: { us: `${base}/pagerduty`, eu: base } }),
    opsgenie: opsgenieChannel({ ...outside, addresses: { us: `${base}/opsgenie`, eu: base, jsm: base } }),
  };
  const apps = { vendors: {}, outbound: outside };
  notifier = startNotifier({ control, channels, metrics, appUrl, apps, clock: outside.clock, logger: silent });
});
afterAll(async () => {
  await notifier.stop(10_000);
  vi.useRealTimers();
  await receiver.close();
  await service.close();
});

/** Looks again without the wait between two looks. */
const inTime = <Value>(read: () => Promise<Value>) =>
  expect.poll(async () => {
    await vi.advanceTimersByTimeAsync(notifyIntervalMs);
    return read();
  });

describe("an alert that opened an incident", () => {
  it("resolves what was opened for it in PagerDuty and Opsgenie, once for each time it ends", async () => {
    const { id: scopeId } = await makeOrganization(service, "acme");
    const { control, clock, metrics, senderRequests } = service;
    const { notifications, alertSources, incidents, alerts } = control.scope(scopeId);
    const now = new Date(clock.now);
    const change = notificationRuleChangeSchema.parse({
      ...{ name: "On call", events: ["opened"], emails: [], pagerduty: "us", opsgenie: "us" },
    });
    const secrets = { pagerduty: "a".repeat(32), opsgenie: "key" };
    const ruleId = (await notifications.create({ change, secrets, by, now }))?.id ?? "";
    const source = await alertSources.add({ kind: "alertmanager", name: "Ours", inputs: {}, secrets: {}, by, now });
    const context = { control, metrics, senderRequests, clock: () => clock.now, logger: silent };
    const handle = webhookHandler({ ...context, relayOutbox: () => undefined });
    const announce = (status: string) => {
      const alert = { status, startsAt: now.toISOString(), fingerprint: "a", labels: { alertname: "Down" } };
      const body = JSON.stringify({ version: "4", alerts: [alert] });
      const received = { headers: {}, body, received_at: clock.now };
      return handle({ scope_id: scopeId, source_id: source.id, kind: "alertmanager", ...received });
    };
    const settled = async () =>
      (await notifications.deliveries(ruleId, 50))
        .filter(({ settled_at }) => settled_at !== null)
        .map(({ type, channel, state }) => `${type} ${channel} ${state}`)
        .toSorted();
    await announce("firing");
    const [alert] = await alerts.list(source.id, 1);
    const incidentId = alert?.incident_id ?? "";
    await incidents.complete(incidentId, (await incidents.begin(incidentId, now)) ?? 0, reportWith(), now);
    const opened = ["opened opsgenie sent", "opened pagerduty sent"];
    await inTime(settled).toEqual(opened);

    for (const status of ["resolved", "resolved"]) await announce(status);
    const resolved = ["resolved opsgenie sent", "resolved pagerduty sent"];
    await inTime(settled).toEqual([...opened, ...resolved]);
    const sent = receiver.received.map(({ path, body }) => [path, JSON.parse(body)] as const);
    expect(
      sent
        .filter(([path]) => path === "/pagerduty")
        .map(([, { event_action, dedup_key }]) => [event_action, dedup_key]),
    ).toEqual([
      ["trigger", incidentId],
      ["resolve", incidentId],
    ]);
    expect(sent.map(([path]) => path).filter((path) => path.startsWith("/opsgenie"))).toEqual([
      "/opsgenie",
      `/opsgenie/${incidentId}/close?identifierType=alias`,
    ]);

    const named = { sourceId: source.id, key: "again", title: "Down", url: null, forgottenAfterMs: hourMs };
    const again = { ...named, firedAt: now.toISOString(), allowance: { max: 1, spanMs: hourMs }, now };
    const ended = { ...named, at: now.toISOString(), resolutionsMax: 1, now };
    await alerts.open(again, { id: incidentId });
    const returned = ["returned opsgenie sent", "returned pagerduty sent"];
    await inTime(settled).toEqual([...opened, ...resolved, ...returned].toSorted());
    await alerts.resolve(ended);
    await inTime(settled).toEqual([...opened, ...resolved, ...resolved, ...returned].toSorted());

    // Back before its end is announced: pagers weren't told, and aren't.
    await alerts.open({ ...again, key: "third" }, { id: incidentId });
    await inTime(settled).toEqual([...opened, ...resolved, ...resolved, ...returned, ...returned].toSorted());
    await alerts.resolve({ ...ended, key: "third" });
    await alerts.open({ ...again, key: "fourth" }, { id: incidentId });
    expect(await control.notifications.occasions(now, 10)).toEqual([]);
    expect((await incidents.find(incidentId))?.lifecycle).toMatchObject({ state: "open", returns: 2 });
  });
});
