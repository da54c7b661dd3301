import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ConversationClient } from "../../src/conversations/conversation-vendor.ts";
import { gitLabConversations } from "../../src/gitlab/conversation.ts";
import { withoutQuickActions } from "../../src/gitlab/quick-actions.ts";
import { itKeepsRefusals } from "../conversations/issue-vendor.ts";
import { messageOf } from "../conversations/message.ts";
import { startVendorServer, type VendorServer } from "../http/vendor-server.ts";
import { alice, bot, GitLabDouble } from "./gitlab-double.ts";

const token = "glpat-very-secret";
const inputs = { token, secret: "s", bot: bot.username, bot_id: String(bot.id) };
const place = { project: "5", issue: "17" };
const { signal } = new AbortController();
const options = (key: string, replaces: string | null = null) => ({ key, replaces, signal });

let vendor: VendorServer;
let gitlab: GitLabDouble;
let client: ConversationClient;

beforeEach(async () => {
  vendor = await startVendorServer();
  gitlab = new GitLabDouble();
  vendor.answer(gitlab.answer);
  client = gitLabConversations.open(inputs, vendor.context);
});
afterEach(async () => {
  await client.close();
  await vendor.close();
});

describe("the bot at GitLab", () => {
  it("is the owner of the token, also at the entered URL of an instance", async () => {
    const expected = { bot: "project_5_bot_4ffca233", bot_id: "51" };
    expect(await gitLabConversations.verify({ token }, vendor.context)).toEqual(expected);
    expect(await gitLabConversations.verify({ token, base_url: `${vendor.url}/` }, vendor.context)).toEqual(expected);
    expect(await gitLabConversations.verify({ token, base_url: `${vendor.url}/git` }, vendor.context)).toEqual(
      expected,
    );
    expect(vendor.requests.map(({ url }) => url.pathname)).toEqual([
      ...["/api/v4/user", "/api/v4/user", "/git/api/v4/user"],
    ]);
    expect(vendor.requests[0]?.headers).toMatchObject({ authorization: `Bearer ${token}` });
  });
});

describe("an issue at GitLab", () => {
  it("is read with its notes, without the bot's own, GitLab's, and internal ones", async () => {
    gitlab.issue = { ...gitlab.issue, labels: ["bug", "severity::low"], severity: "CRITICAL" };
    gitlab.say("Since the release");
    gitlab.say("It was the release", bot);
    gitlab.say("changed the description", alice, { system: true });
    gitlab.say("The customer is ACME", alice, { internal: true });
    gitlab.say("Any news?", { id: 9, username: "bob" }, { created_at: "2026-03-01T11:45:00.123Z" });
    const text = [
      "TypeError: x",
      "alice wrote at 2026-03-01T11:30:00.000Z:\nSince the release",
      "bob wrote at 2026-03-01T11:45:00.123Z:\nAny news?",
    ];
    expect(await client.read(place, signal)).toEqual({
      ...{ title: "Orders fail", text: text.join("\n\n"), at: "2026-03-01T11:00:00.000Z", severity: "critical" },
      url: "https://gitlab.example.com/acme/shop/-/issues/17",
    });
    expect((await client.read({ ...place, internal: "true" }, signal)).text).toContain("The customer is ACME");
  });

  it("is read when it has no text and no notes, with the severity that a label names", async () => {
    gitlab.issue = { ...gitlab.issue, description: null, labels: ["severity::2"] };
    expect(await client.read(place, signal)).toMatchObject({ text: "", severity: "high" });
  });

  it("is read with the newest 250 of its notes, and says that others were left out", async () => {
    for (let index = 1; index <= 650; index += 1) gitlab.say(`number ${index}`);
    const { text } = await client.read(place, signal);
    expect([...text.matchAll(/number (\d+)/g)].map(([, count]) => Number(count))).toEqual(
      Array.from({ length: 250 }, (_, index) => 401 + index),
    );
    expect(text).toContain("earlier comments were left out");
  });

  it("gets a note once, even when its response was lost", async () => {
    const id = await client.post(place, messageOf("payments 2.0.0 broke it"), options("post 1"));
    expect(gitlab.notes).toMatchObject([{ id: Number(id), author: bot, internal: false }]);
    expect(gitlab.notes[0]?.body).toMatch(/\n\n<!-- whence:post%201 -->$/);
    gitlab.say("<!-- whence:post%202 -->", alice);
    expect(await client.post(place, messageOf("payments 2.0.0 broke it"), options("post 1"))).toBe(id);
    expect(await client.post(place, messageOf("another"), options("post 2"))).not.toBe(id);
    expect(gitlab.notes).toHaveLength(3);
  });

  it("is answered in the thread of the note that asked, or below the issue when the thread is gone", async () => {
    const { discussion, id } = gitlab.say("why?");
    const asking = { ...place, note: String(id), discussion };
    await client.post(asking, messageOf("answer"), options("post 1"));
    expect(gitlab.notes[1]).toMatchObject({ discussion, author: bot });
    gitlab.notes.length = 0;
    await client.post(asking, messageOf("answer"), options("post 2"));
    expect(gitlab.notes).toHaveLength(1);
    expect(gitlab.notes[0]?.discussion).not.toBe(discussion);
  });

  it("is answered internally when an internal note asked", async () => {
    const { discussion, id } = gitlab.say("why?", alice, { internal: true });
    const asking = { ...place, note: String(id), internal: "true" };
    await client.post({ ...asking, discussion }, messageOf("answer"), options("post 1"));
    await client.post(asking, messageOf("answer"), options("post 2"));
    expect(gitlab.notes.map(({ internal }) => internal)).toEqual([true, true, true]);
  });

  it("has a note replaced in place, and gets a new one when that was deleted", async () => {
    const id = await client.post(place, messageOf("first"), options("post 1"));
    expect(await client.post(place, messageOf("second"), options("post 2", id))).toBe(id);
    expect(gitlab.notes.map(({ body }) => body.includes("second"))).toEqual([true]);
    gitlab.notes.length = 0;
    expect(await client.post(place, messageOf("third"), options("post 3", id))).not.toBe(id);
  });

  it("isn't retried within an attempt when it is unknown whether the note arrived", async () => {
    vendor.answer((request) => (request.method === "POST" ? { status: 502 } : gitlab.answer(request)));
    await expect(client.post(place, messageOf("answer"), options("post"))).rejects.toMatchObject({
      reason: "unavailable",
    });
    expect(vendor.requests.filter(({ method }) => method === "POST")).toHaveLength(1);
  });

  it("executes no quick action in an answer", () => {
    expect(withoutQuickActions("/close\n  /assign @root\n> /close\n```\n/close\n```\na /close\n/\n//")).toBe(
      "\\/close\n  \\/assign @root\n> /close\n```\n/close\n```\na /close\n/\n//",
    );
  });

  it("gets no message that a request was seen, because the reaction says so", async () => {
    const request = { thread: "1", requestId: "2", how: "assigned", question: "", author: "a", at: "", place } as const;
    expect(await client.acknowledge(request, messageOf("seen"), options("ack"))).toBeNull();
    expect(vendor.requests).toEqual([]);
  });

  it("shows the state as a reaction, in place of the previous one, and leaves those of others", async () => {
    gitlab.react("", "eyes", alice);
    await client.show(place, "PROCESSING", signal);
    await client.show(place, "PROCESSING", signal);
    expect(gitlab.shown()).toEqual(["eyes"]);
    await client.show(place, "COMPLETED", signal);
    await client.show(place, "COMPLETED", signal);
    expect(gitlab.shown()).toEqual(["white_check_mark"]);
    await client.show(place, "FAILED", signal);
    expect(gitlab.shown()).toEqual(["x"]);
    await client.confirmStop(place, messageOf("stopped"), options("stop"));
    await client.show(place, null, signal);
    await client.show(place, null, signal);
    expect([gitlab.shown(), gitlab.notes]).toEqual([[], []]);
    expect(gitlab.reactions.filter(({ user }) => user === alice)).toHaveLength(1);
    expect(gitlab.notes).toEqual([]);
  });

  it("shows the state of a note on the note, even when two show it at the same time", async () => {
    const { id } = gitlab.say("why?");
    const asking = { ...place, note: String(id) };
    await Promise.all([client.show(asking, "PROCESSING", signal), client.show(asking, "PROCESSING", signal)]);
    expect([gitlab.shown(`/notes/${id}`), gitlab.shown()]).toEqual([["eyes"], []]);
  });

  it.each([{}, { project: "acme/shop", issue: "17" }, { project: "5", issue: "17/../18" }])(
    "isn't at a place like %j",
    async (other) => {
      await expect(async () => client.read(other, signal)).rejects.toThrow();
      expect(vendor.requests).toEqual([]);
    },
  );

  itKeepsRefusals({
    ...{ vendor: gitLabConversations, name: "GitLab", inputs, place },
    limited: [
      ["429", { status: 429, headers: { "retry-after": "90" } }, 90_000],
      ["429 without a time", { status: 429 }, null],
    ],
  });
});
