import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { ZodError } from "zod";
import { gitlab } from "../../src/gitlab/alert-sender.ts";
import { now, offline, read, received, tampered, withForged } from "../alert-senders/received.ts";
import { issueHook, noteHook, otherHooks } from "./samples.ts";

const secret = "a secret token";
const signingToken = `whsec_${randomBytes(32).toString("base64")}`;
const body = JSON.stringify(noteHook);
const verify = (webhook: ReturnType<typeof received>, inputs: Record<string, string> = { secret }) =>
  gitlab.verify(webhook, inputs, offline);

function signed(token = signingToken, payload = body, atMs = now) {
  const id = "f5e5f430-f57b-4e6e-9fac-d9128cd7232f";
  return received(payload, {
    ...{ "webhook-id": id, "idempotency-key": id, "webhook-timestamp": String(Math.floor(atMs / 1_000)) },
    "webhook-signature": new Webhook(token).sign(id, new Date(atMs), payload),
  });
}

describe("the secret token of a GitLab webhook", () => {
  it("is accepted if it matches, and rejected otherwise", () => {
    expect(verify(received(body, { "x-gitlab-token": secret }))).toBe(true);
    for (const value of [undefined, "", "another", `${secret} `, [secret, secret]]) {
      expect(verify(received(body, { "x-gitlab-token": value }))).toBe(false);
    }
    expect(verify(received(body, { "x-gitlab-token": "" }), {})).toBe(false);
    expect(verify(received(body, { "x-gitlab-token": "" }), { secret: "" })).toBe(false);
  });

  it("doesn't replace a signature when there is a signing token", () => {
    const inputs = { secret, signing_token: signingToken };
    expect(verify(received(body, { "x-gitlab-token": secret }), inputs)).toBe(false);
    expect(verify(signed(), inputs)).toBe(true);
  });
});

describe("the signature of a GitLab webhook", () => {
  const inputs = { secret, signing_token: signingToken };

  it("is rejected after a change of the body, the signature, the ID, or the time, and when it is old", () => {
    expect(verify(tampered(signed()), inputs)).toBe(false);
    for (const name of ["webhook-signature", "webhook-id", "webhook-timestamp"]) {
      expect(verify(withForged(signed(), name), inputs)).toBe(false);
    }
    expect(verify(signed(signingToken, body, now - 301_000), inputs)).toBe(false);
    expect(verify(signed(signingToken, body, now + 301_000), inputs)).toBe(false);
    expect(verify(signed(`whsec_${randomBytes(32).toString("base64")}`), inputs)).toBe(false);
  });

  it("is accepted with the secret that Whence generated, set as the signing token", () => {
    expect(verify(signed(), { secret: signingToken })).toBe(true);
  });

  it("is judged like the Standard Webhooks library judges it", () => {
    const token = fc.uint8Array({ minLength: 24, maxLength: 64 }).map((bytes) => Buffer.from(bytes).toString("base64"));
    const hasRightToken = fc.boolean();
    fc.assert(
      fc.property(token, token, hasRightToken, fc.string({ unit: "grapheme" }), (right, other, isRight, payload) => {
        const seconds = Math.floor(Date.now() / 1_000);
        const sent = signed(isRight ? right : other, payload, seconds * 1_000);
        const mine = gitlab.verify(sent, { secret, signing_token: right }, { ...offline, now: seconds * 1_000 });
        expect(mine).toBe(isRight || right === other);
        expect(mine).toBe(doesLibraryAccept(right, payload, sent));
      }),
    );
  });
});

function doesLibraryAccept(token: string, payload: string, { headers }: ReturnType<typeof received>): boolean {
  const names = ["webhook-id", "webhook-timestamp", "webhook-signature"];
  try {
    new Webhook(token).verify(payload, Object.fromEntries(names.map((name) => [name, String(headers[name])])));
    return true;
  } catch (error) {
    // It also parses the payload, once the signature is right.
    return error instanceof SyntaxError;
  }
}

const bot = { bot: "project_5_bot_4ffca233", bot_id: "51" };
const botAccount = { id: 51, name: "whence", username: "project_5_bot_4ffca233" };
const mention = "@project_5_bot_4ffca233";
const requestsIn = (sent: unknown) =>
  read(gitlab, sent, received(sent), bot).flatMap((one) => (one.kind === "request" ? [one.request] : []));

const note = (text: string, more: object = {}, hook: object = {}) => ({
  ...noteHook,
  ...hook,
  object_attributes: { ...noteHook.object_attributes, note: text, ...more },
});
const issue = (attributes: object, hook: object = {}) => ({
  ...issueHook,
  ...hook,
  object_attributes: { ...issueHook.object_attributes, ...attributes },
});
const place = { project: "5", issue: "23", asker: "1" };

describe("a GitLab webhook", () => {
  it("asks when a comment on an issue mentions the bot", () => {
    expect(requestsIn(note(`${mention} why?`, { discussion_id: "6a9c1750" }))).toEqual([
      {
        ...{ thread: "92", requestId: "note-1241", how: "mentioned", question: "why?", author: "root" },
        ...{ at: "2015-05-17T17:06:40.000Z" },
        place: { project: "5", issue: "17", note: "1241", discussion: "6a9c1750", asker: "1" },
      },
    ]);
    expect(requestsIn(note(mention, { internal: true }))).toMatchObject([
      { question: "", place: { project: "5", issue: "17", note: "1241", internal: "true" } },
    ]);
    // Before 16.11, GitLab sent no action and only new comments.
    expect(requestsIn(note(mention, { action: undefined }))).toHaveLength(1);
  });

  const changed = (previous: readonly object[], current: readonly object[]) =>
    issue(
      { action: "update", updated_at: "2017-09-15 16:52:00 UTC" },
      { changes: { ...issueHook.changes, assignees: { previous, current } }, assignees: current },
    );
  const other = { id: 6, username: "user1" };

  it("cancels its request when the bot is no longer an assignee", () => {
    const sent = changed([other, botAccount], [other]);
    expect(read(gitlab, sent, received(sent), bot)).toEqual([
      {
        kind: "stop",
        stopped: { thread: "301", at: "2017-09-15T16:52:00.000Z", place },
      },
    ]);
    const kept = changed([other, botAccount], [botAccount]);
    expect(read(gitlab, kept, received(kept), bot)).toEqual([]);
  });

  it("asks when the bot becomes an assignee", () => {
    expect(requestsIn(changed([other], [other, botAccount]))).toEqual([
      {
        ...{ thread: "301", requestId: "assignment-301-2017-09-15T16:52:00.000Z", how: "assigned", question: "" },
        ...{ author: "root", at: "2017-09-15T16:52:00.000Z", place },
      },
    ]);
    // As in the documentation, accounts without an id.
    expect(requestsIn(changed([], [{ username: mention.slice(1).toUpperCase() }]))).toHaveLength(1);
    expect(requestsIn(changed([botAccount], [other, botAccount]))).toEqual([]);
    expect(requestsIn(changed([botAccount], [other]))).toEqual([]);
    expect(requestsIn(changed([], [{ id: 52, username: bot.bot }]))).toEqual([]);
  });

  it("asks once when an issue is opened with the bot as assignee, with the text of the issue", () => {
    const opened = issue({ description: `${mention} why?` }, { assignees: [botAccount] });
    expect(requestsIn(opened)).toEqual([
      {
        ...{ thread: "301", requestId: "issue-301", how: "assigned", question: "why?", author: "root" },
        ...{ at: "2013-12-03T17:15:43.000Z", place },
      },
    ]);
    expect(requestsIn(issue({ description: null }, { assignees: [botAccount] }))).toMatchObject([
      { how: "assigned", question: "" },
    ]);
    expect(requestsIn(issue({ description: `${mention} why?` }))).toMatchObject([
      { how: "mentioned", requestId: "issue-301" },
    ]);
  });

  it("is from the author of a new issue's text, even when someone else moved it there", () => {
    const moved = { description: `${mention} why?`, author_id: 666 };
    expect(requestsIn(issue(moved))).toMatchObject([{ place: { asker: "666" } }]);
    expect(requestsIn(issue({ ...moved, author_id: null }))).toMatchObject([{ place: { project: "5", issue: "23" } }]);
    expect(requestsIn(issue({ ...moved, author_id: null }))[0]?.place).not.toHaveProperty("asker");
  });

  it("asks on incidents, and on no other work items", () => {
    const opened = (type: string) =>
      issue({ type, description: mention }, { object_kind: "work_item", event_type: "work_item" });
    expect(requestsIn(opened("Incident"))).toHaveLength(1);
    for (const type of ["Task", "Epic", "Requirement", "Test Case"]) expect(requestsIn(opened(type))).toEqual([]);
  });

  it("asks when automation assigns an issue, and not when the bot itself does", () => {
    const automation = { id: 77, username: "group_9_bot_1f2e" };
    const by = (user: object) => issue({ description: mention }, { user, assignees: [botAccount] });
    expect(requestsIn(by(automation))).toMatchObject([{ how: "assigned", question: "" }]);
    expect(requestsIn(by(botAccount))).toEqual([]);
    expect(requestsIn(issue({ description: mention }, { user: { id: 7, username: "alert-bot" } }))).toEqual([]);
  });

  it.each([
    ["mentions no one", note("It fails again")],
    ["mentions the bot in code", note(`\`${mention}\``)],
    ["mentions the bot in a quote", note(`> ${mention} why?`)],
    ["mentions an account with a longer name", note(`${mention}.2 ${mention}_b ${mention}-c`)],
    ["is edited", note(mention, { action: "update" })],
    ["is made by GitLab", note(mention, { system: true })],
    ["is the bot's own", note(mention, {}, { user: botAccount })],
    ["is another bot's", note(mention, {}, { user: { id: 77, username: "project_5_bot_77" } })],
  ])("asks nothing when a comment %s", (_, sent) => {
    expect(requestsIn(sent)).toEqual([]);
  });

  it.each([...otherHooks, issueHook, noteHook])("asks nothing in the documented sample %#", (sent) => {
    expect(requestsIn(sent)).toEqual([]);
  });

  it.each([null, [[]], {}, { object_kind: "issue" }, note(mention, { created_at: "today" }), issue({ iid: "1" })])(
    "isn't read as: %j",
    (other) => {
      expect(() => read(gitlab, other, received(other), bot)).toThrow(ZodError);
    },
  );

  it("is identified by the signed ID, by the key of its attempts, or by its bytes", () => {
    expect(gitlab.deliveryId(received(body, { "webhook-id": "a", "idempotency-key": "b" }))).toBe("a");
    expect(gitlab.deliveryId(received(body, { "idempotency-key": "b" }))).toBe("b");
    expect(gitlab.deliveryId(received(body))).toMatch(/^[0-9a-f]{64}$/);
  });
});
