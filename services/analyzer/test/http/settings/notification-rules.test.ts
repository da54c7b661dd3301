import { limits } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  makeOrganization,
  signInMember,
  startTestService,
  type TestOrganization,
  type TestService,
} from "../../test-service.ts";

let service: TestService;
let acme: TestOrganization;
let memberCookie: string;

beforeAll(async () => {
  service = await startTestService();
  acme = await makeOrganization(service, "acme");
  memberCookie = await signInMember(service, acme.id, "second@acme.example", "member");
});
afterAll(() => service.close());

const base = "/api/notification-rules";
type Method = "GET" | "POST" | "PUT" | "DELETE";
const ask = (method: Method, path = "", payload?: object, cookie = acme.cookie) =>
  service.app.inject({ method, url: `${base}${path}`, headers: { cookie }, ...(payload ? { payload } : {}) });

const onCall = { name: "On call", events: ["completed"], emails: ["oncall@acme.example"] };
const toWebhook = { ...onCall, webhook_url: "https://hooks.acme.example/T0/secret-path" };
const toVendors = {
  ...{ ...onCall, slack: true, slack_target: "https://hooks.slack.com/services/T0/B0/secret-path" },
  ...{ teams: true, teams_url: "https://1.environment.api.powerplatform.com/invoke?sig=secret-signature" },
  ...{ pagerduty: "eu", pagerduty_key: "0123456789abcdef0123456789abcdef" },
  ...{ opsgenie: "jsm", opsgenie_key: "eb243592-faa2-4ba2-a551-1afdf565c889" },
};
const make = async (rule: object, cookie = acme.cookie) => (await ask("POST", "", rule, cookie)).json();

describe("a notification rule", () => {
  it("is created with defaults for what was left out, listed, replaced, and deleted", async () => {
    const { rule, webhook_secret } = await make(onCall);
    expect(webhook_secret).toBeNull();
    expect(rule).toMatchObject({
      ...{ ...onCall, enabled: true, min_severity: "low", services: [], envs: [], triggers: [], webhook_url: null },
      ...{ per_hour: 20, last_delivery: null, held_back: 0, changed_by: { name: "owner@acme.example" } },
    });
    expect((await ask("GET", "", undefined, memberCookie)).json()).toEqual({ rules: [rule], mail: "log" });
    const replaced = await ask("PUT", `/${rule.id}`, { ...onCall, enabled: false, triggers: ["process-exit"] });
    expect(replaced.json().rule).toMatchObject({ id: rule.id, enabled: false, triggers: ["process-exit"] });
    expect((await ask("DELETE", `/${rule.id}`)).json()).toEqual({ id: rule.id });
    expect((await ask("GET")).json().rules).toEqual([]);
  });

  it("returns the secret of its webhook when it is created, and when it is replaced, and never again", async () => {
    const { rule, webhook_secret: first } = await make(toWebhook);
    expect(first).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const kept = await ask("PUT", `/${rule.id}`, toWebhook);
    expect(kept.json().webhook_secret).toBeNull();
    const { webhook_secret: second } = (await ask("POST", `/${rule.id}/secret`)).json();
    expect(second).not.toBe(first);
    expect(await service.control.scope(acme.id).notifications.secret(rule.id, "webhook")).toBe(second);
    expect((await ask("GET")).body).not.toContain("whsec_");
    await ask("PUT", `/${rule.id}`, onCall);
    expect((await ask("POST", `/${rule.id}/secret`)).json().code).toBe("WHENCE_ERR_NOTIFICATION_NO_WEBHOOK");
    const back = (await ask("PUT", `/${rule.id}`, toWebhook)).json().webhook_secret;
    expect(back).toMatch(/^whsec_/);
    await ask("DELETE", `/${rule.id}`);
  });

  it("shows members the host of its webhook and not its path, which may be a secret", async () => {
    const { rule } = await make(toWebhook);
    const shown = (await ask("GET", "", undefined, memberCookie)).json().rules[0];
    expect(shown.webhook_url).toBe("https://hooks.acme.example/…");
    expect((await ask("GET")).json().rules[0].webhook_url).toBe(toWebhook.webhook_url);
    await ask("DELETE", `/${rule.id}`);
  });

  it("doesn't reveal the credentials of its channels, not even to owners", async () => {
    const { rule } = await make(toVendors);
    expect(rule).toMatchObject({ slack: true, teams: true, pagerduty: "eu", opsgenie: "jsm" });
    const kept = { ...onCall, slack: true, teams: true, pagerduty: "us", opsgenie: "us" };
    const replaced = await ask("PUT", `/${rule.id}`, kept);
    expect(replaced.json().rule).toMatchObject({ pagerduty: "us", opsgenie: "us" });
    const { notifications } = service.control.scope(acme.id);
    expect(await notifications.secret(rule.id, "pagerduty")).toBe(toVendors.pagerduty_key);
    const answers = [replaced.body, JSON.stringify(rule), (await ask("GET")).body];
    for (const secret of [toVendors.slack_target, "sig=", toVendors.pagerduty_key, toVendors.opsgenie_key]) {
      expect(answers.filter((answer) => answer.includes(secret))).toEqual([]);
    }
    await ask("PUT", `/${rule.id}`, { ...kept, pagerduty: null, teams_url: `${toVendors.teams_url}-new` });
    expect(await notifications.secret(rule.id, "pagerduty")).toBeNull();
    expect(await notifications.secret(rule.id, "teams")).toBe(`${toVendors.teams_url}-new`);
    const refused = await ask("PUT", `/${rule.id}`, kept);
    expect([refused.statusCode, refused.json().detail[0].loc]).toEqual([422, ["body", "pagerduty_key"]]);
    await ask("DELETE", `/${rule.id}`);
    expect(await notifications.secret(rule.id, "slack")).toBeNull();
  });

  it("is changed and tested by owners only, from the application's own pages", async () => {
    const { rule } = await make(onCall);
    for (const [method, path, body] of [
      ["POST", "", onCall],
      ["PUT", `/${rule.id}`, onCall],
      ["DELETE", `/${rule.id}`, undefined],
      ["POST", `/${rule.id}/secret`, undefined],
      ["POST", `/${rule.id}/test`, undefined],
    ] as const) {
      expect([method, path, (await ask(method, path, body, memberCookie)).statusCode]).toEqual([method, path, 403]);
      const headers = { cookie: acme.cookie, origin: "https://evil.example" };
      const foreign = await service.app.inject({ method, url: `${base}${path}`, headers, ...(body ? { body } : {}) });
      expect(foreign.json().code).toBe("WHENCE_ERR_ORIGIN_REFUSED");
    }
    expect((await service.app.inject({ url: base, headers: { "x-api-key": acme.key } })).statusCode).toBe(401);
    await ask("DELETE", `/${rule.id}`);
  });

  it("is hidden from other organizations", async () => {
    const { rule } = await make(onCall);
    const other = await makeOrganization(service, "other");
    expect((await ask("GET", "", undefined, other.cookie)).json().rules).toEqual([]);
    for (const [method, path, body] of [
      ["GET", "/deliveries", undefined],
      ["PUT", "", onCall],
      ["DELETE", "", undefined],
      ["POST", "/secret", undefined],
      ["POST", "/test", undefined],
    ] as const) {
      const answer = await ask(method, `/${rule.id}${path}`, body, other.cookie);
      expect([answer.statusCode, answer.json().code]).toEqual([404, "WHENCE_ERR_NOTIFICATION_RULE_UNKNOWN"]);
    }
    await ask("DELETE", `/${rule.id}`);
  });

  it("can't be added beyond an organization's maximum", async () => {
    const crowded = await makeOrganization(service, "crowded");
    for (let count = 0; count < limits.notificationRulesMax; count += 1) await make(onCall, crowded.cookie);
    const refused = await ask("POST", "", onCall, crowded.cookie);
    expect([refused.statusCode, refused.json().code]).toEqual([409, "WHENCE_ERR_NOTIFICATION_RULES_FULL"]);
  });

  it.each([
    [{ name: " " }, ["body", "name"]],
    [{ name: "two\nlines" }, ["body", "name"]],
    [{ name: "x".repeat(101) }, ["body", "name"]],
    [{ events: [] }, ["body", "events"]],
    [{ events: ["joined"] }, ["body", "events", 0]],
    [{ emails: ["oncall@acme.example\r\nBcc: a@b.example"] }, ["body", "emails", 0]],
    [{ emails: ["a@b.example, c@d.example"] }, ["body", "emails", 0]],
    [{ emails: Array.from({ length: 21 }, (_, index) => `${index}@acme.example`) }, ["body", "emails"]],
    [{ emails: [] }, ["body", "emails"]],
    [{ webhook_url: "http://hooks.acme.example" }, ["body", "webhook_url"]],
    [{ webhook_url: "https://user:password@hooks.acme.example" }, ["body", "webhook_url"]],
    [{ webhook_url: "hooks.acme.example" }, ["body", "webhook_url"]],
    [{ slack: true }, ["body", "slack_target"]],
    [{ slack_target: "https://hooks.slack.com/services/T0" }, ["body", "slack_target"]],
    [{ slack: true, slack_target: "https://hooks.slack.com.evil.example/services/T0" }, ["body", "slack_target"]],
    [{ slack: true, slack_target: "https://hooks.slack.com/triggers/T0" }, ["body", "slack_target"]],
    [{ slack: true, slack_target: "#alerts" }, ["body", "slack_target"]],
    [{ teams: true, teams_url: "https://acme.webhook.office.com/webhookb2/1" }, ["body", "teams_url"]],
    [{ teams: true, teams_url: "http://1.environment.api.powerplatform.com/1" }, ["body", "teams_url"]],
    [{ pagerduty: "us", pagerduty_key: "x".repeat(31) }, ["body", "pagerduty_key"]],
    [{ pagerduty: "us", pagerduty_key: "x".repeat(33) }, ["body", "pagerduty_key"]],
    [{ pagerduty: "asia", pagerduty_key: "x".repeat(32) }, ["body", "pagerduty"]],
    [{ opsgenie: "us", opsgenie_key: "two words" }, ["body", "opsgenie_key"]],
    [{ min_confidence: -0.01 }, ["body", "min_confidence"]],
    [{ min_confidence: 1.01 }, ["body", "min_confidence"]],
    [{ quiet_hours: { time_zone: "Mars", from: "22:00", to: "07:00" } }, ["body", "quiet_hours", "time_zone"]],
    [{ triggers: ["slack"] }, ["body", "triggers", 0]],
    [{ services: Array.from({ length: 101 }, String) }, ["body", "services"]],
    [{ per_hour: 0 }, ["body", "per_hour"]],
    [{ per_hour: 501 }, ["body", "per_hour"]],
  ])("is rejected at the field with %j", async (changes, loc) => {
    const refused = await ask("POST", "", { ...onCall, ...changes });
    expect(refused.statusCode).toBe(422);
    expect(refused.json().detail[0].loc).toEqual(loc);
  });

  it("may have the maximum of addresses and of messages per hour", async () => {
    const emails = Array.from({ length: 20 }, (_, index) => `${index}@acme.example`);
    const made = await ask("POST", "", { ...onCall, name: "x".repeat(100), emails, per_hour: 500 });
    expect(made.statusCode).toBe(200);
    await ask("DELETE", `/${made.json().rule.id}`);
  });
});

describe("a test of a notification rule", () => {
  it("is queued for every recipient of the rule, and members see the outcome", async () => {
    const { rule } = await make(toWebhook);
    const { deliveries } = (await ask("POST", `/${rule.id}/test`)).json();
    const waiting = { type: "test", state: "waiting", incident: null, attempts: 0, reason: null };
    expect(deliveries).toHaveLength(2);
    expect(deliveries).toEqual(expect.arrayContaining([expect.objectContaining({ ...waiting, channel: "webhook" })]));
    const seen = (await ask("GET", `/${rule.id}/deliveries`, undefined, memberCookie)).json();
    expect(seen).toEqual({ deliveries });
    const [shown] = (await ask("GET", "", undefined, memberCookie)).json().rules;
    expect(shown.last_delivery).toEqual(deliveries[0]);
    await ask("DELETE", `/${rule.id}`);
  });

  it("is sent at most ten times a minute", async () => {
    const busy = await makeOrganization(service, "busy");
    const { rule } = await make(onCall, busy.cookie);
    const test = () => ask("POST", `/${rule.id}/test`, undefined, busy.cookie);
    for (let count = 0; count < 10; count += 1) expect((await test()).statusCode).toBe(200);
    const refused = await test();
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  });
});

describe("the audit log", () => {
  it("contains every change of a notification rule, and no secret", async () => {
    const audited = await makeOrganization(service, "audited");
    const { rule } = await make(toWebhook, audited.cookie);
    await ask("PUT", `/${rule.id}`, { ...toWebhook, enabled: false }, audited.cookie);
    for (const path of ["/secret", "/test"]) await ask("POST", `/${rule.id}${path}`, undefined, audited.cookie);
    await ask("PUT", `/${rule.id}`, { ...toWebhook, ...toVendors }, audited.cookie);
    await ask("DELETE", `/${rule.id}`, undefined, audited.cookie);
    const page = await service.app.inject({ url: "/api/audit", headers: { cookie: audited.cookie } });
    const entries: { action: string; target: string }[] = page.json().entries;
    expect(entries.map(({ action }) => action).reverse()).toEqual([
      ...["notification-rule.created", "notification-rule.changed", "notification-rule.secret-replaced"],
      ...["notification-rule.tested", "notification-rule.changed", "notification-rule.deleted"],
    ]);
    expect(entries.at(-1)?.target).toBe("On call, to oncall@acme.example, hooks.acme.example");
    expect(entries[2]?.target).toBe("On call (off), to oncall@acme.example, hooks.acme.example");
    const all = "oncall@acme.example, hooks.acme.example, slack, teams, pagerduty, opsgenie";
    expect(entries[0]?.target).toBe(`On call, to ${all}`);
    expect(page.body).not.toMatch(/whsec_|secret-(path|signature)|0123456789abcdef|eb243592/);
  });
});
