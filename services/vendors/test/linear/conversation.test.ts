import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ConversationRequest } from "../../src/alert-senders/announcement.ts";
import type {
  ConversationClient,
  ConversationVendor,
  PostOptions,
} from "../../src/conversations/conversation-vendor.ts";
import { markdownOf } from "../../src/conversations/markdown.ts";
import type { MessageDocument } from "../../src/conversations/message-document.ts";
import { linearConversations } from "../../src/linear/conversation.ts";
import { application, type LinearDouble, startLinear } from "./linear-double.ts";
import { issueId, mentionId } from "./samples.ts";

const { signal } = new AbortController();
const place = { issue: issueId, session: "session-1", comment: mentionId };
const delegated = { issue: issueId, session: "session-1" };
const options: PostOptions = { replaces: null, key: "post-1", signal };
const lengthMax = 20_000;

let linear: LinearDouble;
let vendor: ConversationVendor;
let client: ConversationClient;

beforeEach(async () => {
  linear = await startLinear();
  vendor = linearConversations();
  client = vendor.open(application, linear.context);
});
afterEach(async () => {
  await client.close();
  await linear.close();
});

const link = { text: "Open the incident", url: "https://whence.example.com/incidents/1" };
const message = (purpose: MessageDocument["purpose"], headline: string, linked = false): MessageDocument => ({
  ...{ purpose, headline, parts: [], link: linked ? link : null },
});
const answer = message("answer", "payments 2.0.0 stopped sending amount.", true);

const request: ConversationRequest = {
  ...{ thread: issueId, requestId: "session-1", how: "mentioned", question: "", author: "Ada", place },
  at: "2026-03-01T12:00:00.000Z",
};

describe("an acknowledgment in Linear", () => {
  const seen = message("acknowledgment", "Investigating.", true);

  it("is a thought that disappears, with the incident on the session, and nothing for an answer to replace", async () => {
    expect(await client.acknowledge(request, seen, options)).toBeNull();
    expect(linear.workspace.activities).toEqual([
      {
        ...{ id: expect.any(String), agentSessionId: "session-1", ephemeral: true },
        content: { type: "thought", body: markdownOf(seen, lengthMax) },
      },
    ]);
    expect(linear.workspace.links.get("session-1")).toEqual([{ label: link.text, url: link.url }]);
  });

  it("is posted once, even when it is sent again", async () => {
    for (let time = 1; time <= 2; time += 1) await client.acknowledge(request, seen, options);
    expect(linear.workspace.activities).toHaveLength(1);
  });

  it("links nothing before there is an incident", async () => {
    await client.acknowledge(request, message("acknowledgment", "Investigating."), options);
    expect([linear.workspace.activities.length, linear.workspace.links.size]).toEqual([1, 0]);
  });
});

it("an agent session that was stopped ends with one response, whatever was posted before", async () => {
  for (let time = 1; time <= 2; time += 1) await client.confirmStop(place, answer, { ...options, replaces: "before" });
  expect(linear.workspace.activities.map(({ content }) => content.type)).toEqual(["response"]);
});

describe("an answer in Linear", () => {
  it.each([
    [answer, "response"],
    [message("failure", "The investigation failed."), "error"],
  ])("is an activity of the session: %#", async (posted, type) => {
    const id = await client.post(place, posted, options);
    expect(linear.workspace.activities).toEqual([
      {
        ...{ id, agentSessionId: "session-1", ephemeral: false },
        content: { type, body: markdownOf(posted, lengthMax) },
      },
    ]);
  });

  it("has one id for each key and session", async () => {
    const first = await client.post(place, answer, options);
    expect(await client.post(place, answer, options)).toBe(first);
    const ofKey = await client.post(place, answer, { ...options, key: "post-2" });
    const ofSession = await client.post({ ...place, session: "session-2" }, answer, options);
    expect(new Set([first, ofKey, ofSession]).size).toBe(3);
    expect(linear.workspace.activities.map(({ id }) => id)).toEqual([first, ofKey, ofSession]);
  });

  it("replaces another one by a new activity if its text differs", async () => {
    const first = await client.post(place, answer, options);
    expect(await client.post(place, answer, { ...options, replaces: first, key: "post-2" })).toBe(first);
    const other = { ...answer, headline: "payments 2.0.1 stopped sending amount." };
    const second = await client.post(place, other, { ...options, replaces: first, key: "post-2" });
    expect(linear.workspace.activities.map(({ id }) => id)).toEqual([first, second]);
  });

  it("is posted if what it replaces is gone", async () => {
    const id = await client.post(place, answer, { ...options, replaces: "gone" });
    expect(linear.workspace.activities.map((activity) => activity.id)).toEqual([id]);
  });

  it("is posted even if Linear rejects the URL of the incident", async () => {
    linear.workspace.takesLinks = false;
    await client.post(place, answer, options);
    expect([linear.workspace.activities.length, linear.workspace.links.size]).toEqual([1, 0]);
  });
});

describe("the state in Linear", () => {
  const shown = () => linear.workspace.reactions.map(({ on, emoji, user }) => [on, emoji, user?.isMe ?? null]);

  it("is one reaction of the bot on the comment that asks, next to those of others", async () => {
    linear.workspace.reactions.push({ id: "r1", on: mentionId, emoji: "eyes", user: { isMe: false } });
    linear.workspace.reactions.push({ id: "r2", on: mentionId, emoji: "x", user: null });
    const others = shown();
    for (const [status, emoji] of [
      ["PROCESSING", "eyes"],
      ["COMPLETED", "white_check_mark"],
      ["FAILED", "x"],
      ["FAILED", "x"],
    ] as const) {
      await client.show(place, status, signal);
      expect(shown()).toEqual([...others, [mentionId, emoji, true]]);
    }
    expect(linear.workspace.issue.state).toEqual({ type: "unstarted" });
    for (let time = 1; time <= 2; time += 1) await client.show(place, null, signal);
    expect(shown()).toEqual(others);
  });

  it.each(["triage", "backlog", "unstarted"])("of a delegated issue starts it from %s", async (type) => {
    linear.workspace.issue.state = { type };
    await client.show(delegated, "PROCESSING", signal);
    expect(shown()).toEqual([[issueId, "eyes", true]]);
    expect(linear.workspace.issue.state).toEqual({ type: "started", id: "state-2" });
    await client.show(delegated, "COMPLETED", signal);
    expect(shown()).toEqual([[issueId, "white_check_mark", true]]);
  });

  it.each([
    ["is started already", { state: { type: "started" } }],
    ["is completed", { state: { type: "completed" } }],
    ["was canceled", { state: { type: "canceled" } }],
    ["is a duplicate", { state: { type: "duplicate" } }],
    ["was delegated to another agent since", { delegate: { isMe: false } }],
    ["is no longer delegated", { delegate: null }],
    ["is of a team without a started state", { team: { name: "Orders", states: { nodes: [] } } }],
  ])("leaves the issue where it is when it %s", async (_name, changed) => {
    Object.assign(linear.workspace.issue, changed);
    const { state } = linear.workspace.issue;
    await client.show(delegated, "PROCESSING", signal);
    expect(linear.workspace.issue.state).toBe(state);
  });

  it("shows nothing on a comment that was deleted", async () => {
    linear.workspace.hasComment = false;
    await client.show(place, "COMPLETED", signal);
    expect(shown()).toEqual([]);
  });
});

describe("a Linear application", () => {
  it("is verified with its user and its workspace", async () => {
    expect(await vendor.verify(application, linear.context)).toEqual({
      ...{ bot_id: "bot-1", bot_name: "Whence Bot", bot_handle: "whencebot" },
      ...{ organization_id: "organization-1", organization: "Acme" },
    });
    expect(linear.tokenRequests.map((form) => Object.fromEntries(form))).toEqual([
      { grant_type: "client_credentials", scope: "read,write,app:assignable,app:mentionable", ...application },
    ]);
  });

  it.each([
    ["its secret is wrong", { client_secret: "another secret" }, null],
    // https://linear.app/developers/oauth-2-0-authentication#client-credentials-tokens
    [
      "client credentials are off",
      {},
      { error: "Error", error_description: "Client does not support the client_credentials grant type" },
    ],
  ])("isn't verified when %s", async (_name, inputs, body) => {
    if (body) linear.answerTokenRequests({ status: 400, body });
    const verified = vendor.verify({ ...application, ...inputs }, linear.context);
    await expect(verified).rejects.toMatchObject({
      ...{ name: "VendorFailure", reason: "unauthorized" },
      message: expect.stringContaining("client credentials are turned on"),
    });
  });

  it.each([{}, { client_id: "1" }, { client_secret: "1" }])("can't be opened with %j", (inputs) => {
    const opened = expect.objectContaining({ name: "VendorFailure", reason: "invalid-input" });
    expect(() => vendor.open(inputs, linear.context)).toThrow(opened);
  });
});
