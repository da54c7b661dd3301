import type { Notification, NotificationChannel, NotificationRule } from "@whence/protocol";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AddressGuard, addressGuard } from "../../src/http/address-guard.ts";
import type { Channel, Destination } from "../../src/notifications/channel.ts";
import { opsgenieChannel } from "../../src/opsgenie/notification-channel.ts";
import { pagerDutyChannel } from "../../src/pagerduty/notification-channel.ts";
import { slackChannel } from "../../src/slack/notification-channel.ts";
import { teamsChannel } from "../../src/teams/notification-channel.ts";
import { describeChannel } from "./channel.contract.ts";
import { type HttpsReceiver, startHttpsReceiver } from "./https-receiver.ts";
import { notification, notifiedIncident, ruleOf } from "./samples.ts";

const unlimited = new AbortController().signal;
const secretPart = "s3cretS3cretS3cretS3cretS3cret42";

let receiver: HttpsReceiver;
beforeAll(async () => {
  receiver = await startHttpsReceiver();
});
beforeEach(() => {
  receiver.answer = (_request, response) => void response.writeHead(202).end();
});
afterAll(async () => {
  await receiver.close();
});

const at = (path: string) => `https://127.0.0.1:${receiver.port}${path}`;

type VendorChannel = Exclude<NotificationChannel, "email" | "webhook">;

/** A vendor, with what its documentation says that it answers. */
interface VendorCase {
  readonly label: string;
  readonly rule: Partial<NotificationRule>;
  readonly credential: () => string;
  readonly accepted: readonly [number, string];
  readonly refused: readonly [number, string];
  readonly said: string;
  readonly open: (mayReach?: AddressGuard) => Channel;
}

const vendors: Readonly<Record<VendorChannel, VendorCase>> = {
  slack: {
    ...{ label: "Slack", rule: { slack: true }, credential: () => at(`/services/T0/B0/${secretPart}`) },
    ...{ accepted: [200, "ok"], refused: [404, "no_service"], said: "Slack answered 404: no_service" },
    open: (mayReach = addressGuard(["127.0.0.0/8"])) => slackChannel({ mayReach }),
  },
  teams: {
    ...{ label: "Microsoft Teams", rule: { teams: true }, credential: () => at(`/workflows/1?sig=${secretPart}`) },
    ...{
      accepted: [202, ""],
      refused: [401, '{"error":{"code":"DirectApiAuthorizationRequired","message":"No sig."}}'],
    },
    said: "Microsoft Teams answered 401: No sig.",
    open: (mayReach = addressGuard(["127.0.0.0/8"])) => teamsChannel({ mayReach }),
  },
  pagerduty: {
    ...{ label: "PagerDuty", rule: { pagerduty: "eu" }, credential: () => secretPart },
    accepted: [202, '{"status":"success","message":"Event processed","dedup_key":"inc_1"}'],
    refused: [
      400,
      `{"status":"invalid event","message":"Event object is invalid","errors":["${secretPart} is wrong"]}`,
    ],
    said: "PagerDuty answered 400: Event object is invalid: … is wrong",
    open: (mayReach = addressGuard(["127.0.0.0/8"])) =>
      pagerDutyChannel({ mayReach, addresses: { us: at("/us"), eu: at("/eu") } }),
  },
  opsgenie: {
    ...{ label: "Opsgenie", rule: { opsgenie: "jsm" }, credential: () => secretPart },
    accepted: [202, '{"result":"Request will be processed","took":0.3,"requestId":"43a29c5c"}'],
    refused: [403, `{"message":"Key [${secretPart}] may not create alerts","took":0.1,"requestId":"1"}`],
    said: "Opsgenie answered 403: Key […] may not create alerts",
    open: (mayReach = addressGuard(["127.0.0.0/8"])) => {
      const addresses = { us: at("/us"), eu: at("/eu"), jsm: at("/jsm") };
      return opsgenieChannel({ mayReach, addresses });
    },
  },
};
const names = ["slack", "teams", "pagerduty", "opsgenie"] as const;

function destination(name: VendorChannel): Destination {
  const { rule, credential } = vendors[name];
  return { rule: ruleOf(rule), recipient: "", credential: credential() };
}

async function posted(name: VendorChannel, message: Notification = notification(), to?: Destination) {
  const before = receiver.received.length;
  const remark = await vendors[name].open().send(message, to ?? destination(name), unlimited);
  return { remark, requests: receiver.received.slice(before) };
}

describe.each(names)("%s", (name) => {
  const vendor = vendors[name];
  const answering = (status: number, body = "", headers = {}): void => {
    receiver.answer = (_request, response) => void response.writeHead(status, headers).end(body);
  };
  const refusal = async (channel: Channel = vendor.open()): Promise<unknown> =>
    channel.send(notification(), destination(name), unlimited).catch((error: unknown) => error);

  describeChannel(name, async () => {
    const before = receiver.received.length;
    const to = destination(name);
    return {
      ...{ channel: vendor.open(), to, taken: () => receiver.received.slice(before).map(({ body }) => body) },
      refuse(how) {
        const { promise, resolve } = Promise.withResolvers<void>();
        receiver.answer = (_request, response) => {
          if (how !== "in silence") response.writeHead(how === "for now" ? 503 : 400).end();
          resolve();
        };
        return promise;
      },
    };
  });

  it("accepts a message as documented", async () => {
    answering(...vendor.accepted);
    expect((await posted(name)).remark).toBeNull();
  });

  it("reports a permanent refusal, in the vendor's words and without the credential", async () => {
    answering(...vendor.refused);
    const error = await refusal();
    expect(error).toMatchObject({ message: vendor.said, isFinal: true });
    expect(String(error)).not.toContain(secretPart);
  });

  it.each([
    [429, "7"],
    [500, undefined],
    [503, "Sun, 01 Mar 2026 12:05:00 GMT"],
    [408, undefined],
  ])("that responds with %i gets another attempt", async (status, retryAfter) => {
    answering(status, "", retryAfter === undefined ? {} : { "retry-after": retryAfter });
    expect(await refusal()).toMatchObject({
      ...{ message: `${vendor.label} answered ${status}`, isFinal: false, retryAfter },
    });
  });

  it("that redirects isn't followed", async () => {
    const before = receiver.received.length;
    answering(307, "", { location: at("/elsewhere") });
    expect(await refusal()).toMatchObject({ isFinal: true });
    expect(receiver.received).toHaveLength(before + 1);
  });

  it("that doesn't respond is named, without the credential", async () => {
    receiver.answer = () => undefined;
    const sent = vendor.open().send(notification(), destination(name), AbortSignal.timeout(50));
    await expect(sent).rejects.toMatchObject({ message: `${vendor.label} did not answer in time`, isFinal: false });
  });

  it("isn't contacted at an address that isn't public", async () => {
    const before = receiver.received.length;
    expect(await refusal(vendor.open(addressGuard([])))).toMatchObject({ isFinal: true });
    expect(receiver.received).toHaveLength(before);
  });

  it("isn't contacted without a credential", async () => {
    const to = { ...destination(name), credential: null };
    await expect(vendor.open().send(notification(), to, unlimited)).rejects.toMatchObject({ isFinal: true });
  });
});

describe("a message to PagerDuty", () => {
  it("triggers the alert of the incident, in the region of the account", async () => {
    const { requests } = await posted("pagerduty");
    expect(requests.map(({ method, path }) => [method, path])).toEqual([["POST", "/eu"]]);
    expect(JSON.parse(requests[0]?.body ?? "")).toEqual({
      ...{ routing_key: secretPart, event_action: "trigger", dedup_key: "inc_1", client: "Whence" },
      client_url: "https://whence.example.com/incidents/inc_1",
      payload: {
        ...{ summary: "The cart has no total.", timestamp: "2026-03-01T11:58:00.000Z", severity: "error" },
        ...{ source: "checkout", component: "checkout", group: "PROD", class: "null-dereference" },
        custom_details: {
          ...{ Error: "TypeError: x is undefined", Origin: "The cart was emptied. (cart)" },
          ...{ Confidence: "78%. one frame and its source", message_id: "ntf_1" },
          "Fix now": "Check the total: Return early where it is missing.",
          Facts: "High severity · checkout · PROD · since 2026-03-01 11:58:00 UTC · Rule: On call",
        },
      },
      links: [{ href: "https://whence.example.com/incidents/inc_1", text: "Open the incident" }],
    });
  });

  it.each([
    ["critical", "critical"],
    ["high", "error"],
    ["medium", "warning"],
    ["low", "info"],
  ] as const)("has for %s the severity %s", async (severity, named) => {
    const { requests } = await posted("pagerduty", notification({ incident: notifiedIncident({ severity }) }));
    expect(JSON.parse(requests[0]?.body ?? "").payload.severity).toBe(named);
  });

  it("that corrects the cause has the same key, and a test has its own", async () => {
    const corrected = await posted("pagerduty", notification({ id: "ntf_2", type: "corrected" }));
    const test = await posted("pagerduty", notification({ type: "test", incident: null }));
    const keys = [...corrected.requests, ...test.requests].map(({ body }) => JSON.parse(body).dedup_key);
    expect(keys).toEqual(["inc_1", "ntf_1"]);
  });
});

describe("a message that an incident is resolved", () => {
  const resolved = notification({ id: "ntf_2", type: "resolved" });

  it("resolves the alert in PagerDuty by its key, and contains nothing else", async () => {
    const { requests } = await posted("pagerduty", resolved);
    expect(requests.map(({ path, body }) => [path, JSON.parse(body)])).toEqual([
      ["/eu", { routing_key: secretPart, event_action: "resolve", dedup_key: "inc_1" }],
    ]);
  });

  it("closes the alert in Opsgenie by its alias, with a note", async () => {
    const { requests } = await posted("opsgenie", resolved);
    expect(requests.map(({ method, path }) => [method, path])).toEqual([
      ["POST", "/jsm/inc_1/close?identifierType=alias"],
    ]);
    expect(JSON.parse(requests[0]?.body ?? "")).toEqual({
      ...{ source: "Whence", note: "The incident was resolved in Whence, or the alert that it opened for is over." },
    });
  });
});

describe("a message to Opsgenie", () => {
  it("creates the alert of the incident in the account's region, with the key in a header", async () => {
    const { requests } = await posted("opsgenie");
    expect(requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ["/jsm", `GenieKey ${secretPart}`],
    ]);
    expect(JSON.parse(requests[0]?.body ?? "")).toMatchObject({
      ...{ message: "The cart has no total.", alias: "inc_1", priority: "P2", entity: "checkout", source: "Whence" },
      details: { url: "https://whence.example.com/incidents/inc_1", message_id: "ntf_1", environment: "PROD" },
    });
  });

  it("adds what changed as a note to the alert", async () => {
    const { requests } = await posted("opsgenie", notification({ type: "corrected" }));
    expect(requests.map(({ path }) => path)).toEqual(["/jsm", "/jsm/inc_1/notes?identifierType=alias"]);
    expect(JSON.parse(requests[1]?.body ?? "").note).toContain("Cause corrected: The cart has no total.");
  });

  it("counts as sent when only its note was refused, and says so", async () => {
    receiver.answer = ({ url = "" }, response) => void response.writeHead(url.includes("notes") ? 404 : 202).end();
    const { remark } = await posted("opsgenie", notification({ type: "corrected" }));
    expect(remark).toBe("accepted, but not its note: Opsgenie answered 404");
  });

  it("has a message of at most 130 characters", async () => {
    for (const length of [130, 131]) {
      const incident = notifiedIncident({ root_cause: null, title: "x".repeat(length) });
      const { requests } = await posted("opsgenie", notification({ incident }));
      expect(JSON.parse(requests[0]?.body ?? "").message).toHaveLength(130);
    }
  });
});

describe("a message to Slack", () => {
  const blocksOf = async (message: Notification) =>
    JSON.parse((await posted("slack", message)).requests[0]?.body ?? "");

  it("has the cause, its origin, the confidence, the first fix, and a link", async () => {
    expect(await blocksOf(notification())).toEqual({
      text: "The cart has no total.",
      blocks: [
        { type: "header", block_id: "ntf_1", text: { type: "plain_text", text: "The cart has no total." } },
        ...[
          "*Error:* TypeError: x is undefined",
          "*Origin:* The cart was emptied. (cart)",
          "*Confidence:* 78%. one frame and its source",
          "*Fix now:* Check the total: Return early where it is missing.",
          "*<https://whence.example.com/incidents/inc_1|Open the incident>*",
        ].map((text) => ({ type: "section", text: { type: "mrkdwn", verbatim: true, text } })),
        {
          type: "context",
          elements: [
            {
              ...{ type: "mrkdwn", verbatim: true },
              text: "High severity · checkout · PROD · since 2026-03-01 11:58:00 UTC · Rule: On call",
            },
          ],
        },
      ],
    });
  });

  it("mentions no one and links nowhere else, whatever a title contains", async () => {
    const title = "<!channel> & <https://evil.example|here>";
    const body = JSON.stringify(await blocksOf(notification({ incident: notifiedIncident({ title }) })));
    expect(body).toContain("&lt;!channel&gt; &amp; &lt;https://evil.example|here&gt;");
    expect(body).not.toMatch(/<!|<https:\/\/evil/);
  });

  it("keeps the limits of blocks, even with long and escaped texts", async () => {
    const long = "&".repeat(5_000);
    const listed = {
      title: long,
      severity: "low" as const,
      service: long,
      env: "PROD",
      id: "inc_1",
      url: "https://w.example",
    };
    const incident = notifiedIncident({ title: long, service: long, confidence: { score: 1, basis: long } });
    const held_back = { incidents: 90, first: Array.from({ length: 20 }, () => listed) };
    for (const message of [notification({ incident }), notification({ type: "summary", incident: null, held_back })]) {
      const { blocks } = await blocksOf(message);
      expect(blocks.length).toBeLessThanOrEqual(50);
      expect(blocks[0].text.text.length).toBeLessThanOrEqual(150);
      for (const { text } of blocks.filter(({ type }: { type: string }) => type === "section")) {
        expect(text.text.length).toBeLessThanOrEqual(3_000);
      }
    }
  });

  it.each([150, 151])("with a headline of %i characters loses none of it", async (length) => {
    const title = "x".repeat(length);
    const { blocks } = await blocksOf(notification({ incident: notifiedIncident({ root_cause: null, title }) }));
    expect(blocks[0].text.text).toHaveLength(150);
    expect(JSON.stringify(blocks)).toContain(title);
  });
});

describe("a message to Microsoft Teams", () => {
  const bodyOf = async (message: Notification) => (await posted("teams", message)).requests[0]?.body ?? "";

  it("is an Adaptive Card in an attachment, whose text isn't rendered as Markdown", async () => {
    const { type, attachments } = JSON.parse(await bodyOf(notification()));
    expect([type, attachments.length]).toEqual(["message", 1]);
    expect(attachments[0]).toMatchObject({
      contentType: "application/vnd.microsoft.card.adaptive",
      content: {
        ...{ type: "AdaptiveCard", version: "1.2" },
        actions: [{ type: "Action.OpenUrl", url: "https://whence.example.com/incidents/inc_1" }],
      },
    });
    const kinds = new Set(attachments[0].content.body.map((block: { type: string }) => block.type));
    expect([...kinds]).toEqual(["RichTextBlock"]);
    expect(attachments[0].content.body[0]).toMatchObject({
      id: "ntf_1",
      inlines: [{ text: "The cart has no total." }],
    });
  });

  it("is at most 28 kB long", async () => {
    const long = "🜁".repeat(1_000);
    const listed = {
      title: long,
      severity: "low" as const,
      service: null,
      env: null,
      id: "inc_1",
      url: "https://w.example",
    };
    const held_back = { incidents: 20, first: Array.from({ length: 20 }, () => listed) };
    const summary = await bodyOf(notification({ type: "summary", incident: null, held_back }));
    expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(28_000);
    expect(JSON.parse(summary).attachments[0].content.body.length).toBeGreaterThan(20);
  });
});
