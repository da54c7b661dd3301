import { LogLevel, WebClient } from "@slack/web-api";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ConversationRequest } from "../../src/alert-senders/announcement.ts";
import type { ConversationClient } from "../../src/conversations/conversation-vendor.ts";
import type { MessageDocument } from "../../src/conversations/message-document.ts";
import { VendorFailure } from "../../src/http/vendor-failure.ts";
import { slack } from "../../src/slack/conversation.ts";
import { appToken, bot, botToken, refused, SlackDouble } from "./slack-double.ts";

const { signal } = new AbortController();
const place = { team: "T0ACME", channel: "C1", thread_ts: "1772366280.000100", ts: "1772366340.000200" };
const request: ConversationRequest = {
  ...{ thread: "C1 1772366280.000100", requestId: "C1 1772366340.000200", how: "mentioned", author: "U1" },
  ...{ question: "why?", at: "2026-03-01T11:59:00.000Z", place },
};
const acknowledgment: MessageDocument = {
  ...{ purpose: "acknowledgment", headline: "Looking into it.", parts: [], link: null },
};
const answer: MessageDocument = {
  ...{ purpose: "answer", headline: "Release 2.0.0 of payments broke checkout.", link: null },
  parts: [{ kind: "facts", facts: ["78% likely"] }],
};
const alert = {
  ...{ ts: place.thread_ts, bot_id: "B0ALERTS", text: "" },
  attachments: [
    {
      ...{ fallback: "[FIRING:1] HighErrorRate", title: "[FIRING:1] HighErrorRate" },
      ...{ title_link: "https://alerts.example.com", text: "checkout answers with 500 &amp; more" },
      fields: [{ title: "Severity", value: "critical", short: true }],
    },
  ],
};
const asked = { ts: place.ts, user: "U1", text: `<@${bot.userId}> why?` };

let double: SlackDouble;
let client: ConversationClient;
beforeEach(async () => {
  double = await SlackDouble.start();
  double.thread("C1", alert, asked);
  client = slack.open({ bot_token: botToken, bot_user_id: bot.userId, team_id: "T0ACME" }, double.context);
});
afterEach(async () => {
  await client.close();
  await double.close();
});

const options = (key: string, replaces: string | null = null) => ({ key, replaces, signal });
const messages = () => double.threads.get(`C1 ${place.thread_ts}`) ?? [];
const own = () => messages().filter(({ user }) => user === bot.userId);

async function failureOf(answered: Promise<unknown>): Promise<VendorFailure> {
  const failure: unknown = await answered.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(failure instanceof VendorFailure)) throw new Error(`expected a failure of the vendor, got ${String(failure)}`);
  return failure;
}

describe("reading a Slack thread", () => {
  it("returns everything that people and alerts say, with its place and severity", async () => {
    messages().push({ ts: "1772366350.000300", user: bot.userId, bot_id: bot.botId, text: "Looking into it." });
    messages().push({
      ts: "1772366360.000300",
      user: "U2",
      text: "since &lt;noon&gt;, see <https://x.example|the log>",
    });
    expect(await client.read(place, signal)).toEqual({
      title: "[FIRING:1] HighErrorRate",
      text: [
        "[FIRING:1] HighErrorRate\nhttps://alerts.example.com\ncheckout answers with 500 & more\nSeverity: critical",
        "why?",
        "since <noon>, see the log (https://x.example)",
      ].join("\n\n"),
      at: "2026-03-01T11:58:00.000Z",
      url: "https://acme.slack.com/archives/C1/p1772366280000100",
      severity: "critical",
    });
  });

  it("reads a thread in pages", async () => {
    double.perPage = 2;
    for (const line of [1, 2, 3, 4]) messages().push({ ts: `177236635${line}.0`, user: "U1", text: `line ${line}` });
    expect((await client.read(place, signal)).text).toContain("line 4");
    expect(double.called("conversations.replies").map(({ cursor }) => cursor)).toEqual([undefined, "2", "4"]);
  });

  it("reads the first 1,000 messages of a thread, and no more", async () => {
    for (let late = 3; late <= 1_002; late += 1)
      messages().push({ ts: `17723${late}.0`, user: "U1", text: `[${late}]` });
    const { text } = await client.read(place, signal);
    expect([text.includes("[1000]"), text.includes("[1001]")]).toEqual([true, false]);
  });

  it("is about the message itself when there is no thread", async () => {
    double.thread("C2", { ts: "1772366400.000100", user: "U1", text: `<@${bot.userId}> TypeError: x is undefined` });
    const alone = { ...place, channel: "C2", thread_ts: "1772366400.000100", ts: "1772366400.000100" };
    expect(await client.read(alone, signal)).toMatchObject({
      ...{ title: "TypeError: x is undefined", text: "TypeError: x is undefined", severity: null },
    });
  });

  it("has a title when nothing is said", async () => {
    double.thread("C2", { ts: "1772366400.000100", user: "U1", text: `<@${bot.userId}>` });
    const alone = { ...place, channel: "C2", thread_ts: "1772366400.000100" };
    expect(await client.read(alone, signal)).toMatchObject({ title: "Slack thread", text: "" });
  });
});

describe("answering in a Slack thread", () => {
  it("acknowledges in the thread, and replaces that with the answer", async () => {
    const id = await client.acknowledge(request, acknowledgment, options("1"));
    expect(own().map(({ text }) => text)).toEqual(["Looking into it."]);
    expect(await client.post(place, answer, options("2", id))).toBe(id);
    expect(own()).toMatchObject([{ ts: id, text: answer.headline, blocks: [{ type: "header" }, { type: "context" }] }]);
    expect(double.called("chat.postMessage")).toMatchObject([{ channel: "C1", thread_ts: place.thread_ts }]);
  });

  it("posts another message when the acknowledgment was deleted, or can't be edited", async () => {
    const first = await client.post(place, answer, options("1", "1.0"));
    double.prepare("chat.update", { body: refused("edit_window_closed") });
    const second = await client.post(place, answer, options("2", first));
    expect(own().map(({ ts }) => ts)).toEqual([first, second]);
  });

  it("posts once, although Slack's response was lost and it is retried", async () => {
    double.prepare("chat.postMessage", "lost");
    expect((await failureOf(client.post(place, answer, options("1")))).reason).toBe("unavailable");
    expect(await client.post(place, answer, options("1"))).toBe(own()[0]?.ts);
    expect(double.called("chat.postMessage")).toHaveLength(1);
    await client.post(place, answer, options("2"));
    expect(own()).toHaveLength(2);
  });

  it("answers even in a channel that it may not read", async () => {
    double.scopes.delete("channels:history");
    await client.post(place, { ...answer, purpose: "failure" }, options("1"));
    expect(own()).toHaveLength(1);
  });

  it("shows one state at a time on the message that asked, even when it is shown again", async () => {
    const shown = () => double.reactions.get(`C1 ${place.ts}`);
    await client.show(place, "PROCESSING", signal);
    await client.show(place, "PROCESSING", signal);
    expect(shown()).toEqual(["eyes"]);
    await client.show(place, "COMPLETED", signal);
    expect(shown()).toEqual(["white_check_mark"]);
    await client.show(place, "FAILED", signal);
    expect(shown()).toEqual(["x"]);
    await client.show(place, null, signal);
    await client.show(place, null, signal);
    expect(shown()).toEqual([]);
  });
});

describe("a Slack failure", () => {
  const scope = { ...refused("missing_scope"), needed: "groups:history", provided: "chat:write" };
  it.each([
    ["a token that isn't valid", { body: refused("invalid_auth") }, "unauthorized", "enter a valid bot token"],
    ["a token that was revoked", { body: refused("token_revoked") }, "unauthorized", "enter a valid bot token"],
    ["a scope that is missing", { body: scope }, "forbidden", "lacks groups:history"],
    ["a channel without the app", { body: refused("not_in_channel") }, "not-found", "invite the app to the channel"],
    ["an error of Slack's", { body: refused("internal_error") }, "unavailable", "internal_error"],
    ["an unknown error", { body: refused("new_error") }, "unexpected-answer", "new_error"],
    ["status 500", { status: 500 }, "unavailable", "500"],
    ["what is no JSON", { body: "<html>" }, "unexpected-answer", "another shape"],
    ["another shape", { body: { ok: true, messages: 1 } }, "unexpected-answer", "another shape"],
    ["an error that is no name", { body: refused("<script>") }, "unexpected-answer", "another shape"],
  ])("is reported for %s", async (_name, prepared, reason, message) => {
    double.prepare("conversations.replies", prepared, prepared, prepared);
    const failure = await failureOf(client.read(place, signal));
    expect(failure).toMatchObject({ reason, message: expect.stringContaining(message) });
    expect(failure.message).not.toContain(botToken);
  });

  it("has how long Slack asked to wait", async () => {
    double.prepare("chat.postMessage", { status: 429, headers: { "retry-after": "30" }, body: refused("ratelimited") });
    const failure = await failureOf(client.post(place, answer, options("1")));
    expect(failure).toMatchObject({ reason: "rate-limited", retryAfterMs: 30_000 });
  });

  it("is reported when Slack doesn't respond, or is down", async () => {
    double.prepare("conversations.replies", "nothing");
    expect((await failureOf(client.read(place, signal))).reason).toBe("too-slow");
    await double.close();
    expect((await failureOf(client.read(place, signal))).reason).toBe("unavailable");
  });

  it("ends with the caller's signal", async () => {
    const stopping = new AbortController();
    double.prepare("conversations.replies", "nothing");
    const reading = client.read(place, stopping.signal);
    stopping.abort(new Error("stopped"));
    await expect(reading).rejects.toThrow("stopped");
  });
});

describe("verifying a Slack app", () => {
  const verify = (inputs: Readonly<Record<string, string>>) =>
    slack.verify({ signing_secret: "s", bot_token: botToken, ...inputs }, double.context);

  it("says who the bot is", async () => {
    expect(await verify({})).toEqual({ bot_user_id: bot.userId, team: "Acme", team_id: "T0ACME" });
    expect(await verify({ app_token: appToken })).toEqual({ bot_user_id: bot.userId, team: "Acme", team_id: "T0ACME" });
    expect(double.called("apps.connections.open")).toHaveLength(1);
  });

  it("rejects tokens of another kind, and invalid tokens", async () => {
    expect(await failureOf(verify({ bot_token: "xoxp-1" }))).toMatchObject({ reason: "invalid-input" });
    expect(await failureOf(verify({ app_token: botToken }))).toMatchObject({ reason: "invalid-input" });
    expect(await failureOf(verify({ bot_token: "xoxb-other" }))).toMatchObject({ reason: "unauthorized" });
    const failure = await failureOf(verify({ app_token: "xapp-other" }));
    expect(failure).toMatchObject({ reason: "unauthorized", message: expect.stringContaining("app-level token") });
  });

  it("rejects the token of a person, who has no bot", async () => {
    double.prepare("auth.test", { body: { ok: true, team: "Acme", team_id: "T0ACME", user_id: "U1" } });
    expect(await failureOf(verify({}))).toMatchObject({ reason: "invalid-input" });
  });

  it("names the scopes that the app lacks", async () => {
    double.scopes.delete("reactions:write");
    double.scopes.delete("groups:history");
    expect(await failureOf(verify({}))).toMatchObject({
      ...{ reason: "forbidden", message: expect.stringContaining("lacks groups:history, reactions:write") },
    });
  });
});

describe("the double of Slack", () => {
  const official = () =>
    new WebClient(botToken, {
      ...{ slackApiUrl: `${double.url}/api/`, retryConfig: { retries: 0 }, logLevel: LogLevel.ERROR },
    });

  it("serves Slack's own client as it serves ours", async () => {
    const theirs = official();
    const thread = { channel: "C1", thread_ts: place.thread_ts };
    const metadata = { event_type: "whence_message", event_payload: { key: "7" } };
    const { ts } = await theirs.chat.postMessage({ ...thread, text: "hello", blocks: [], metadata });
    expect(await client.post(place, answer, options("7"))).toBe(ts);
    await client.post(place, answer, options("8"));
    const asked = { channel: "C1", ts: place.thread_ts, include_all_metadata: true };
    const seen = await theirs.conversations.replies(asked);
    expect(seen.messages?.at(-1)).toMatchObject({ text: answer.headline, metadata: { event_payload: { key: "8" } } });
    expect((await theirs.auth.test()).user_id).toBe(bot.userId);
  });

  it("rejects Slack's own client as it rejects ours", async () => {
    await expect(official().conversations.replies({ channel: "C9", ts: "1.0" })).rejects.toThrow("thread_not_found");
    expect((await failureOf(client.read({ ...place, channel: "C9" }, signal))).message).toContain("thread_not_found");
  });
});
