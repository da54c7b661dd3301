import { LinearWebhookClient } from "@linear/sdk/webhooks";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ZodError } from "zod";
import { linear } from "../../src/linear/alert-sender.ts";
import { hexHmac, now, offline, read, received, tampered, withForged } from "../alert-senders/received.ts";
import {
  ada,
  botId,
  createdSession,
  delegation,
  issueId,
  mentionId,
  promptedSession,
  revokedApplication,
  sessionId,
} from "./samples.ts";

const header = "linear-signature";
const secret = "lin_wh_1";
const bot = { bot_id: botId, bot_name: "Whence (Bot)", bot_handle: "whencebot" };

const signed = (body: unknown, key = secret) => {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return received(text, { [header]: hexHmac("sha256", key, text) });
};
const sentAt = (webhookTimestamp: unknown) => signed({ ...createdSession(), webhookTimestamp });
const verify = (webhook: ReturnType<typeof received>, inputs: Record<string, string> = { secret }, at = now) =>
  linear.verify(webhook, inputs, { ...offline, now: at });

describe("a Linear webhook", () => {
  const webhook = signed(createdSession());

  it("is accepted with its signature", () => {
    expect(verify(webhook)).toBe(true);
  });

  it("is rejected after a change of the body or the signature", () => {
    expect([verify(tampered(webhook, 9)), verify(withForged(webhook, header))]).toEqual([false, false]);
  });

  it("is rejected without a signature, with two, with one of another secret, and without a secret", () => {
    const signature = String(webhook.headers[header]);
    for (const value of [undefined, "", [signature, signature], signature.toUpperCase(), signature.slice(1)])
      expect(verify({ ...webhook, headers: { [header]: value } })).toBe(false);
    expect([verify(signed(createdSession(), "another")), verify(webhook, {})]).toEqual([false, false]);
  });

  it("is accepted up to five minutes from now, and rejected beyond and without a time", () => {
    expect([-300_000, 300_000].map((ms) => verify(sentAt(now + ms)))).toEqual([true, true]);
    for (const time of [now - 301_000, now + 301_000, undefined, null, String(now), -1, 1e20, {}])
      expect(verify(sentAt(time))).toBe(false);
    for (const text of ["", "null", "[]", "text"]) expect(verify(signed(text))).toBe(false);
  });

  it("is judged like Linear's own client judges it, which allows one minute", () => {
    const reference = ({ body, headers }: ReturnType<typeof received>): boolean => {
      try {
        const { webhookTimestamp } = JSON.parse(body.toString());
        return new LinearWebhookClient(secret).verify(body, String(headers[header]), webhookTimestamp);
      } catch {
        return false;
      }
    };
    const tamperings = fc.constantFrom("nothing", "body", "signature", "secret");
    const seconds = fc.integer({ min: -600, max: 600 }).filter((one) => Math.abs(one) < 55 || Math.abs(one) > 305);
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), tamperings, seconds, (more, what, offset) => {
        const at = Date.now();
        const sent = signed({ ...more, webhookTimestamp: at + offset * 1_000 }, what === "secret" ? "another" : secret);
        const changed = what === "signature" ? withForged(sent, header) : sent;
        const arrived = what === "body" ? received(`${sent.body} `, sent.headers) : changed;
        expect(verify(arrived, { secret }, at)).toBe(reference(arrived));
      }),
    );
  });

  it("is identified by its delivery, or by its body", () => {
    const delivery = "234d1a4e-b617-4388-90fe-adc3633d6b72";
    expect(linear.deliveryId({ ...webhook, headers: { "linear-delivery": delivery } })).toBe(delivery);
    expect(linear.deliveryId(webhook)).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe("a Linear agent session", () => {
  const request = {
    ...{ thread: issueId, requestId: sessionId, how: "mentioned", question: "why do orders fail?" },
    ...{ author: "Ada Lovelace", at: "2026-03-01T12:00:00.000Z" },
    place: { issue: issueId, session: sessionId, comment: mentionId, asker: ada.id },
  };
  const asked = (body: unknown, inputs: Record<string, string> = bot) => read(linear, body, received(body), inputs);

  it("is a request when someone mentions the bot", () => {
    expect(asked(createdSession())).toEqual([{ kind: "request", request }]);
  });

  it("is a request without a question when an issue is delegated, with or without a comment of Linear's", () => {
    const place = { issue: issueId, session: sessionId, asker: ada.id };
    const assigned = { kind: "request", request: { ...request, how: "assigned", question: "", place } };
    expect(asked(createdSession(delegation))).toEqual([assigned]);
    expect(asked(createdSession({ comment: null, commentId: null }))).toEqual([assigned]);
  });

  it("is a request by the comment that it was spawned from, in another thread", () => {
    const [announced] = asked(createdSession({ ...delegation, sourceCommentId: "c2" }));
    expect(announced).toMatchObject({ request: { how: "mentioned", question: "", place: { comment: "c2" } } });
  });

  it("started by a reply doesn't ask what the first comment of the thread says", () => {
    const comment = { id: "c1", body: "Orders fail again.", issueId };
    expect(asked(createdSession({ comment }))).toMatchObject([
      { request: { how: "mentioned", question: "", place: { comment: "c1" } } },
    ]);
  });

  it.each([
    ["@whencebot why?", "why?"],
    ["@Whence (Bot) why?", "why?"],
    ["Hey @WhenceBot, why?", "Hey , why?"],
    ["https://linear.app/acme/profiles/whencebot why?", "why?"],
    ["[@Whence (Bot)](<https://linear.app/acme/profiles/whencebot>) why?", "why?"],
    ["@whencebot-staging why?", ""],
    ["@whencebot", ""],
  ])("asks, when the comment is %j: %j", (body, question) => {
    expect(asked(createdSession({ comment: { id: "c1", body } }))).toMatchObject([{ request: { question } }]);
  });

  it("asks with the whole comment before the bot's name is known", () => {
    expect(asked(createdSession(), {})).toMatchObject([{ request: { question: "@whencebot why do orders fail?" } }]);
  });

  it("started by an automation is attributed to Linear", () => {
    const { asker: _asker, ...place } = request.place;
    expect(asked(createdSession({ creator: null, creatorId: null }))).toEqual([
      { kind: "request", request: { ...request, author: "Linear", place } },
    ]);
  });

  it("is a request for each message written in it", () => {
    expect(asked(promptedSession())).toEqual([
      {
        kind: "request",
        request: {
          ...{ thread: issueId, requestId: "4b0c2a1d-7e6f-4a5b-9c8d-1e2f3a4b5c6d", how: "mentioned" },
          ...{ question: "Is it payments?", author: "Ada Lovelace", at: "2026-03-01T12:05:00.000Z" },
          place: {
            ...{ issue: issueId, session: sessionId, asker: ada.id },
            comment: "d3b07384-d113-4ec6-a5d9-2b8f0e6c1a77",
          },
        },
      },
    ]);
  });

  it("is about the issue that it names, by its ID alone or with more data", () => {
    expect(asked(createdSession({ issueId: null }))).toEqual([{ kind: "request", request }]);
    expect(asked(createdSession({ issue: null }))).toEqual([{ kind: "request", request }]);
  });

  it("is canceled when someone stops it", () => {
    const content = { type: "prompt", body: "stop" };
    expect(asked(promptedSession({ signal: "stop", content }))).toEqual([
      {
        kind: "stop",
        stopped: {
          ...{ thread: issueId, at: "2026-03-01T12:05:00.000Z" },
          place: {
            ...{ issue: issueId, session: sessionId, asker: ada.id },
            comment: "d3b07384-d113-4ec6-a5d9-2b8f0e6c1a77",
          },
        },
      },
    ]);
  });

  it.each([
    ["of the bot itself", createdSession({ creator: { ...ada, id: botId } })],
    ["with an activity of the bot", promptedSession({ user: { ...ada, id: botId } })],
    [
      "with an activity that is no message",
      promptedSession({ content: { type: "response", body: "It is payments." } }),
    ],
    ["with a message that is missing", { ...promptedSession(), agentActivity: null }],
    ["about no issue", createdSession({ issueId: null, issue: null })],
    ["with an action that isn't documented", { ...createdSession(), action: "updated" }],
  ])("%s asks nothing", (_name, body) => {
    expect(asked(body)).toEqual([]);
  });

  it("of another workspace asks nothing", () => {
    const own = { ...bot, organization_id: createdSession().organizationId };
    expect(asked(createdSession(), own)).toHaveLength(1);
    expect(asked(createdSession(), { ...bot, organization_id: "another" })).toEqual([]);
  });
});

describe("other webhooks of Linear", () => {
  it("announce that the application was removed", () => {
    expect(read(linear, revokedApplication)).toEqual([{ kind: "removed", by: null }]);
  });

  it.each(["Issue", "Comment", "AppUserNotification", "PermissionChange", "Reaction"])(
    "announce nothing for %s",
    (type) => {
      expect(read(linear, { type, action: "create", organizationId: "1", data: {} })).toEqual([]);
    },
  );

  it.each([
    ...[{}, [[]], null, "text", { ...createdSession(), agentSession: null }, { ...createdSession(), appUserId: 1 }],
    ...[createdSession({ id: "" }), createdSession({ createdAt: "today" }), promptedSession({ createdAt: "today" })],
  ])("aren't read as: %j", (body) => {
    expect(() => read(linear, body)).toThrow(ZodError);
  });
});
