import { createServer } from "node:http";
import { HTTPReceiver, isValidSlackRequest, LogLevel } from "@slack/bolt";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { slack } from "../../src/slack/alert-sender.ts";
import { hexHmac, now, nowSeconds, offline, read, received, tampered, withForged } from "../alert-senders/received.ts";
import { mentionEvent, pressPayload, revokedEvent, slackEvent, uninstalledEvent } from "./samples.ts";

const key = "8f742231b10e8888abcd99yyyzzz85a5";
const inputs = { signing_secret: key, bot_user_id: "U0BOT" };
const challenge = {
  token: "Jhj5dZrVaK7ZwHHjRyZWjbDl",
  challenge: "3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P",
};
const body = JSON.stringify({ ...challenge, type: "url_verification" });

/** Signed as https://docs.slack.dev/authentication/verifying-requests-from-slack says. */
function signed(text: string, seconds: number | string = nowSeconds, secret = key) {
  const signature = `v0=${hexHmac("sha256", secret, `v0:${seconds}:${text}`)}`;
  return received(text, { "x-slack-request-timestamp": String(seconds), "x-slack-signature": signature });
}

const verify = (webhook: ReturnType<typeof received>, at = now) =>
  slack.verify(webhook, inputs, { ...offline, now: at });

describe("a Slack request, next to the receiver of Slack's own framework", () => {
  const receiver = new HTTPReceiver({ signingSecret: key, logLevel: LogLevel.ERROR });
  const server = createServer(receiver.requestListener);
  let url = "";
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/slack/events`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const seconds = Math.floor(Date.now() / 1_000);
  const right = signed(body, seconds);
  const { "x-slack-signature": signature, "x-slack-request-timestamp": timestamp } = right.headers;
  it.each([
    ["is accepted when it is signed", right, true],
    ["is accepted when it is empty", signed("", seconds), true],
    ["is accepted when it isn't ASCII", signed('{"type":"url_verification","challenge":"⚠ café"}', seconds), true],
    ["is accepted after nearly five minutes", signed(body, seconds - 290), true],
    ["is refused after more than five minutes", signed(body, seconds - 310), false],
    ["is refused under another secret", signed(body, seconds, "another"), false],
    ["is refused when its body was changed", tampered(right, 3), false],
    ["is refused when its signature was changed", withForged(right, "x-slack-signature"), false],
    ["is refused when its time was changed", withForged(right, "x-slack-request-timestamp"), false],
    ["is refused without a signature", received(body, { "x-slack-request-timestamp": timestamp }), false],
    ["is refused without a time", received(body, { "x-slack-signature": signature }), false],
    ["is refused with another version", received(body, { ...right.headers, "x-slack-signature": "v1=ab" }), false],
  ])("%s", async (_name, webhook, accepted) => {
    const headers = Object.entries(webhook.headers).map(([name, value]): [string, string] => [name, String(value)]);
    const answer = await fetch(url, { method: "POST", headers, body: new Uint8Array(webhook.body) });
    const text = await answer.text();
    expect({ ours: verify(webhook, Date.now()), theirs: answer.status !== 401 }).toEqual({
      ours: accepted,
      theirs: accepted,
    });
    if (answer.ok) expect(JSON.parse(text)).toEqual(slack.challenge?.(webhook));
  });

  it("gets the same verdict, whatever it is, until its time is ahead by more than five minutes", () => {
    const changed = fc.constantFrom("nothing", "key", "body", "signature", "time");
    fc.assert(
      fc.property(
        fc.string(),
        fc.string(),
        fc.integer({ min: -700, max: 700 }),
        changed,
        (secret, text, late, what) => {
          const at = nowSeconds - late;
          const webhook = signed(text, at, what === "key" ? `${secret}x` : secret);
          const { "x-slack-signature": given } = webhook.headers;
          const sent = {
            "x-slack-signature": what === "signature" ? `${String(given).slice(0, -1)}z` : String(given),
            "x-slack-request-timestamp": what === "time" ? at + 1 : at,
          };
          const changedText = what === "body" ? `${text}!` : text;
          const theirs = isValidSlackRequest({
            ...{ signingSecret: secret, body: changedText, headers: sent, nowMilliseconds: now },
          });
          const headers = { ...sent, "x-slack-request-timestamp": String(sent["x-slack-request-timestamp"]) };
          const ours = slack.verify(received(changedText, headers), { signing_secret: secret }, offline);
          expect(ours).toBe(theirs && sent["x-slack-request-timestamp"] <= nowSeconds + 300);
        },
      ),
    );
  });
});

describe("a Slack request", () => {
  it("is rejected when its time is ahead, or invalid", () => {
    expect([300, 301].map((ahead) => verify(signed(body, nowSeconds + ahead)))).toEqual([true, false]);
    expect(["", "now", "1e9", `${nowSeconds}.5`, ` ${nowSeconds}`].map((time) => verify(signed(body, time)))).toEqual(
      Array(5).fill(false),
    );
  });

  it("is rejected by a source whose signing secret wasn't entered", () => {
    expect(slack.verify(signed(body, nowSeconds, ""), {}, offline)).toBe(false);
  });

  it("is answered with its challenge when it verifies the address, and only then", () => {
    expect(slack.challenge?.(signed(body))).toEqual({ challenge: challenge.challenge });
    for (const other of [mentionEvent(), { type: "url_verification" }, { challenge: "x" }, "", "[]"]) {
      expect(slack.challenge?.(received(other))).toBeNull();
    }
  });

  it("is the same delivery each time it is sent, over HTTP and Socket Mode", () => {
    const first = received(mentionEvent(), { "x-slack-request-timestamp": "1" });
    const retry = {
      "x-slack-retry-num": "1",
      "x-slack-retry-reason": "http_timeout",
      "x-slack-request-timestamp": "9",
    };
    expect(slack.deliveryId(first)).toBe("Ev08ABC");
    expect(slack.deliveryId(received(mentionEvent(), retry))).toBe("Ev08ABC");
  });
});

describe("a mention of the app", () => {
  it("asks in its thread", () => {
    expect(read(slack, mentionEvent(), undefined, inputs)).toEqual([
      {
        kind: "request",
        request: {
          ...{ thread: "C1 1772366280.000100", requestId: "C1 1772366340.000200", how: "mentioned", question: "why?" },
          ...{ author: "U061F7AUR", at: "2026-03-01T11:59:00.000Z" },
          place: {
            ...{ team: "T0ACME", channel: "C1", thread_ts: "1772366280.000100", ts: "1772366340.000200" },
            asker: "U061F7AUR",
          },
        },
      },
    ]);
  });

  it("has the name that its author displays, if Slack sends it", () => {
    const profile = { name: "ada", display_name: "", real_name: "Ada Lovelace" };
    const authorOf = (user_profile: object) => read(slack, mentionEvent({ user_profile }), undefined, inputs)[0];
    expect(authorOf(profile)).toMatchObject({ request: { author: "Ada Lovelace" } });
    expect(authorOf({ ...profile, display_name: "Ada" })).toMatchObject({ request: { author: "Ada" } });
  });

  it("starts a thread where there isn't one", () => {
    const [announced] = read(slack, mentionEvent({ thread_ts: undefined }), undefined, inputs);
    expect(announced).toMatchObject({
      request: { thread: "C1 1772366340.000200", place: { thread_ts: "1772366340.000200" } },
    });
  });

  it.each([
    ["<@U0BOT>", ""],
    ["<@U0BOT|whence>  since when? ", "since when?"],
    ["ask <@U0BOT> and <@U1|ada> in <#C2|ops> &amp; &lt;here&gt;", "ask   and @ada in #ops & <here>"],
    [
      "<@U0BOT> see <https://x.example/?a=1&amp;b=2|the log> <!here> &amp;lt;",
      "see the log (https://x.example/?a=1&b=2) @here &lt;",
    ],
    ["<@U0BOT>\n```\nTypeError: x\n    at y (z.js:1:2)\n```", "```\nTypeError: x\n    at y (z.js:1:2)\n```"],
  ])("reads %j as plain text without the mention", (text, question) => {
    expect(read(slack, mentionEvent({ text }), undefined, inputs)).toMatchObject([{ request: { question } }]);
  });

  it.each([
    ["another bot's", { bot_id: "B1" }],
    ["its own", { user: "U0BOT" }],
    ["one without an author", { user: undefined }],
    ["an edited one", { edited: { user: "U061F7AUR", ts: "1772366350.000000" } }],
  ])("is ignored when it is %s", (_name, more) => {
    expect(read(slack, mentionEvent(more), undefined, inputs)).toEqual([]);
  });

  it("is recognized by the installation until the bot's id is known", () => {
    expect(read(slack, mentionEvent({ user: "U0BOT" }))).toEqual([]);
    expect(read(slack, mentionEvent())).toMatchObject([{ request: { question: "why?" } }]);
  });
});

describe("other Slack events", () => {
  it("say that the app was removed", () => {
    expect(read(slack, uninstalledEvent)).toEqual([{ kind: "removed", by: null }]);
    expect(read(slack, revokedEvent({ oauth: ["U1"], bot: ["U0BOT"] }))).toEqual([{ kind: "removed", by: null }]);
    expect(read(slack, revokedEvent({ oauth: ["U1"] }))).toEqual([]);
  });

  it("are ignored", () => {
    const limited = { token: "x", type: "app_rate_limited", team_id: "T1", minute_rate_limited: 1, api_app_id: "A1" };
    expect(read(slack, limited)).toEqual([]);
    expect(read(slack, slackEvent({ type: "message", text: "hi" }))).toEqual([]);
  });
});

describe("the press of a button", () => {
  const press = { action_id: "resolve", value: "inc_01a21f01bb1a773b8bf98f3784a85dbd" };
  const form = (payload: object) => new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
  const readForm = (payload: object) => slack.read(undefined, received(form(payload), {}), inputs);
  const announced = {
    kind: "press",
    pressed: {
      ...{ action: "resolve", incidentId: press.value, messageId: "1772366400.000300", at: "2026-03-01T12:01:00.000Z" },
      place: {
        ...{ team: "T0ACME", channel: "C1", thread_ts: "1772366280.000100", ts: "1772366400.000300" },
        asker: "U061F7AUR",
      },
    },
  };

  it("is announced with its incident and who pressed it, from a signed form and over Socket Mode", () => {
    expect(verify(signed(form(pressPayload(press))))).toBe(true);
    expect(readForm(pressPayload(press))).toEqual([announced]);
    expect(slack.read(pressPayload(press), received("", {}), inputs)).toEqual([announced]);
  });

  it.each([
    ["another app's", { action_id: "approve", value: "inc_1" }],
    ["one without an incident", { action_id: "resolve" }],
    ["one about something else", { action_id: "resolve", value: "../inc_1" }],
  ])("is ignored when the button is %s", (_, action) => {
    expect(readForm(pressPayload(action))).toEqual([]);
  });

  it("is another delivery each time, and other interactions are ignored", () => {
    const at = (seconds: string) => received(form(pressPayload({ ...press, action_ts: seconds })), {});
    expect(slack.deliveryId(at("1772366460.000400"))).not.toBe(slack.deliveryId(at("1772366461.000400")));
    expect(slack.deliveryId(at("1772366460.000400"))).toBe(slack.deliveryId(at("1772366460.000400")));
    expect(readForm({ type: "view_submission" })).toEqual([]);
  });
});
