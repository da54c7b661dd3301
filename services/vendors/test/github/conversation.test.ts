import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ConversationClient } from "../../src/conversations/conversation-vendor.ts";
import { gitHubConversations } from "../../src/github/conversation.ts";
import { itKeepsRefusals } from "../conversations/issue-vendor.ts";
import { messageOf } from "../conversations/message.ts";
import { startVendorServer, type VendorServer } from "../http/vendor-server.ts";
import { alice, bot, GitHubDouble } from "./github-double.ts";

const token = "github_pat_very_secret";
const inputs = { token, secret: "s", bot: bot.login, bot_id: String(bot.id) };
const place = { repository: "acme/shop", issue: "7" };
const { signal } = new AbortController();
const options = (key: string, replaces: string | null = null) => ({ key, replaces, signal });

let vendor: VendorServer;
let github: GitHubDouble;
let client: ConversationClient;

beforeEach(async () => {
  vendor = await startVendorServer();
  github = new GitHubDouble();
  vendor.answer(github.answer);
  client = gitHubConversations.open(inputs, vendor.context);
});
afterEach(async () => {
  await client.close();
  await vendor.close();
});

describe("the bot account at GitHub", () => {
  it("is the owner of the token", async () => {
    expect(await gitHubConversations.verify({ token }, vendor.context)).toEqual({ bot: "acme-whence", bot_id: "4711" });
    expect(vendor.requests[0]?.headers).toMatchObject({
      ...{ authorization: `Bearer ${token}`, accept: "application/vnd.github+json" },
      "x-github-api-version": "2022-11-28",
    });
  });

  it("is queried below the entered URL of an instance", async () => {
    vendor.answer(new GitHubDouble("/api/v3").answer);
    for (const entered of [vendor.url, `${vendor.url}/`, `${vendor.url}/api/v3`]) {
      expect(await gitHubConversations.verify({ token, base_url: entered }, vendor.context)).toMatchObject({
        bot: "acme-whence",
      });
    }
  });
});

describe("an issue at GitHub", () => {
  it("is read with its comments, without the bot's own", async () => {
    github.issue = { ...github.issue, labels: [{ name: "bug" }, { name: "severity: high" }] };
    github.say("Since the release");
    github.say("It was the release", bot);
    github.say("Any news?", { id: 9, login: "bob" }, "2026-03-01T11:45:00Z");
    expect(await client.read(place, signal)).toEqual({
      title: "Orders fail",
      text: [
        "TypeError: x",
        "alice wrote at 2026-03-01T11:30:00.000Z:\nSince the release",
        "bob wrote at 2026-03-01T11:45:00.000Z:\nAny news?",
      ].join("\n\n"),
      ...{ at: "2026-03-01T11:00:00.000Z", severity: "high" },
      url: "https://github.com/octokit-fixture-org/add-labels-to-issue/issues/1",
    });
  });

  it("is read when it has no text, no comments, and no labels", async () => {
    github.issue = { ...github.issue, body: null, labels: [] };
    expect(await client.read(place, signal)).toMatchObject({ text: "", severity: null });
  });

  it("is read with the newest 250 of its comments, and says that others were left out", async () => {
    for (let index = 1; index <= 650; index += 1) github.say(`number ${index}`);
    const { text } = await client.read(place, signal);
    expect([...text.matchAll(/number (\d+)/g)].map(([, count]) => Number(count))).toEqual(
      Array.from({ length: 250 }, (_, index) => 401 + index),
    );
    expect(text).toContain("earlier comments were left out");
    const pages = vendor.requests.map(({ url }) => url.searchParams.get("page"));
    expect(pages).toEqual([null, "1", "9", "10", "11", "12", "13"]);
  });

  it("gets a comment once, even when its response was lost", async () => {
    const id = await client.post(place, messageOf("payments 2.0.0 broke it"), options("post 1"));
    expect(github.comments).toMatchObject([{ id: Number(id), user: bot }]);
    expect(github.comments[0]?.body).toMatch(/\n\n<!-- whence:post%201 -->$/);
    expect(await client.post(place, messageOf("payments 2.0.0 broke it"), options("post 1"))).toBe(id);
    expect(await client.post(place, messageOf("another"), options("post 2"))).not.toBe(id);
    expect(github.comments).toHaveLength(2);
  });

  it("isn't kept from a comment by someone who copies its marker", async () => {
    github.say("<!-- whence:post -->", alice);
    await client.post(place, messageOf("answer"), options("post"));
    expect(github.comments).toHaveLength(2);
  });

  it("gets a comment once when many others arrived in the meantime", async () => {
    for (let index = 0; index < 130; index += 1) github.say("before");
    const id = await client.post(place, messageOf("answer"), options("post"));
    for (let index = 0; index < 100; index += 1) github.say("after");
    expect(await client.post(place, messageOf("answer"), options("post"))).toBe(id);
  });

  it("isn't retried within an attempt when it is unknown whether the comment arrived", async () => {
    vendor.answer((request) => (request.method === "POST" ? { status: 502 } : github.answer(request)));
    await expect(client.post(place, messageOf("answer"), options("post"))).rejects.toMatchObject({
      reason: "unavailable",
    });
    expect(vendor.requests.filter(({ method }) => method === "POST")).toHaveLength(1);
  });

  it("has a comment replaced in place, and gets a new one when that was deleted", async () => {
    const id = await client.post(place, messageOf("first"), options("post 1"));
    expect(await client.post(place, messageOf("second"), options("post 2", id))).toBe(id);
    expect(github.comments.map(({ body }) => body.includes("second"))).toEqual([true]);
    github.comments.length = 0;
    expect(await client.post(place, messageOf("third"), options("post 3", id))).not.toBe(id);
    expect(github.comments).toHaveLength(1);
  });

  it("is queried at its new place after its repository was renamed", async () => {
    vendor.answer((request) => {
      if (!request.url.pathname.startsWith("/repositories/1000")) {
        const location = request.url.pathname.replace("/repos/acme/shop", "/repositories/1000") + request.url.search;
        return { status: request.method === "GET" ? 301 : 307, headers: { location } };
      }
      const url = new URL(request.url.href.replace("/repositories/1000", "/repos/acme/shop"));
      return github.answer({ ...request, url });
    });
    await client.post(place, messageOf("answer"), options("post"));
    expect(github.comments).toHaveLength(1);
  });

  it("gets no message that a request was seen, because the reaction says so", async () => {
    const request = { thread: "1", requestId: "2", how: "assigned", question: "", author: "a", at: "", place } as const;
    expect(await client.acknowledge(request, messageOf("seen"), options("ack"))).toBeNull();
    expect(vendor.requests).toEqual([]);
  });

  it("shows the state as a reaction, in place of the previous one, and leaves those of others", async () => {
    github.react("/issues/7", "eyes", alice);
    await client.show(place, "PROCESSING", signal);
    await client.show(place, "PROCESSING", signal);
    expect(github.shown("/issues/7")).toEqual(["eyes"]);
    await client.show(place, "COMPLETED", signal);
    await client.show(place, "COMPLETED", signal);
    expect(github.shown("/issues/7")).toEqual(["rocket"]);
    await client.show(place, "FAILED", signal);
    expect(github.shown("/issues/7")).toEqual(["confused"]);
    await client.confirmStop(place, messageOf("stopped"), options("stop"));
    await client.show(place, null, signal);
    await client.show(place, null, signal);
    expect(github.shown("/issues/7")).toEqual([]);
    expect(github.reactions.filter(({ user }) => user === alice)).toHaveLength(1);
    expect(github.comments).toEqual([]);
  });

  it("shows the state of a comment on the comment", async () => {
    const { id } = github.say("@acme-whence why?");
    await client.show({ ...place, comment: String(id) }, "PROCESSING", signal);
    expect([github.shown(`/issues/comments/${id}`), github.shown("/issues/7")]).toEqual([["eyes"], []]);
  });

  it.each([{}, { repository: "acme/../shop/x", issue: "7" }, { repository: "acme/shop", issue: "7/../../x" }])(
    "isn't at a place like %j",
    async (other) => {
      await expect(async () => client.read(other, signal)).rejects.toThrow();
      expect(vendor.requests).toEqual([]);
    },
  );

  const reset = String(Date.parse("2026-03-01T12:30:00Z") / 1_000);
  itKeepsRefusals({
    ...{ vendor: gitHubConversations, name: "GitHub", inputs, place },
    limited: [
      ["429", { status: 429, headers: { "retry-after": "90" } }, 90_000],
      ["429 without a time", { status: 429 }, 60_000],
      [
        "its primary limit",
        { status: 403, headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset } },
        1_800_000,
      ],
      ["its secondary limit", { status: 403, headers: { "retry-after": "120" } }, 120_000],
      [
        "its secondary limit without a time",
        { status: 403, body: { message: "You have exceeded a secondary rate limit. Please wait a few minutes." } },
        60_000,
      ],
    ],
  });
});
