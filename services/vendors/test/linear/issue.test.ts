import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ConversationClient } from "../../src/conversations/conversation-vendor.ts";
import { linearConversations } from "../../src/linear/conversation.ts";
import { plainFromLinear } from "../../src/linear/text.ts";
import { application, type LinearDouble, startLinear } from "./linear-double.ts";
import { issueId } from "./samples.ts";

const { signal } = new AbortController();
const place = { issue: issueId, session: "session-1" };

let linear: LinearDouble;
let client: ConversationClient;

beforeEach(async () => {
  linear = await startLinear();
  client = linearConversations().open(application, linear.context);
});
afterEach(async () => {
  await client.close();
  await linear.close();
});

const comment = (minute: number, body: string, more: object = {}) => ({
  ...{ body, createdAt: `2026-03-01T11:${minute}:00.000Z`, isArtificialAgentSessionRoot: false },
  ...{ user: { displayName: "ada", isMe: false }, externalUser: null, botActor: null },
  ...more,
});

describe("a Linear issue", () => {
  it("is read with its attachments and others' comments, the oldest first", async () => {
    Object.assign(linear.workspace.issue, {
      ...{
        priority: 1,
        description: "Since the release:\n\n```\nTypeError: x is undefined\n    at f (a_b.js:1:2)\n```",
      },
      labels: { nodes: [{ name: "checkout" }, { name: "bug" }] },
      attachments: {
        nodes: [
          {
            ...{ title: "TypeError: x is undefined", subtitle: "Sentry", url: "https://acme.sentry.io/issues/1/" },
            createdAt: "2026-03-01T11:51:00.000Z",
            metadata: {
              messages: [{ subject: "Latest event", body: "at f\\_g (a.js:1:2)", timestamp: "2026-03-01T11:50:00Z" }],
              attributes: [
                { name: "release", value: "2.0.0" },
                { name: "events", value: 7 },
              ],
            },
          },
          {
            ...{ title: "Runbook", subtitle: null, url: "https://wiki.example.com/1", metadata: { messages: 1 } },
            createdAt: "2026-03-01T11:57:00.000Z",
          },
        ],
      },
    });
    linear.workspace.comments = [
      comment(58, "It's `GET /orders/:id`.", { user: null, externalUser: { displayName: "grace" } }),
      comment(55, "I looked into it.", { user: { displayName: "whencebot", isMe: true } }),
      comment(53, "This thread is for an agent session with whence.", {
        user: null,
        isArtificialAgentSessionRoot: true,
      }),
      comment(54, "Monitor triggered.", { user: null, botActor: { name: "Datadog" } }),
      comment(52, "@whencebot why?"),
      comment(59, "Moved.", { user: null, botActor: null }),
    ];
    expect(await client.read(place, signal)).toEqual({
      ...{ title: "Orders fail", at: "2026-03-01T11:50:00.000Z", severity: "critical" },
      url: "https://linear.app/acme/issue/ORD-12",
      text: [
        ...["Orders fail", "- team = Orders", "- labels = checkout, bug", ""],
        ...["Since the release:", "", "```", "TypeError: x is undefined", "    at f (a_b.js:1:2)", "```", ""],
        ...["TypeError: x is undefined", "Sentry", "https://acme.sentry.io/issues/1/", "Latest event"],
        ...["at f_g (a.js:1:2)", "- release = 2.0.0", "- events = 7", ""],
        ...["ada:", "@whencebot why?", "", "Datadog:", "Monitor triggered.", ""],
        ...["Runbook", "https://wiki.example.com/1", "", "grace:", "It's `GET /orders/:id`.", "", "Linear:", "Moved."],
      ].join("\n"),
    });
  });

  it("with nothing but a title has its title and its team", async () => {
    expect(await client.read(place, signal)).toMatchObject({ text: "Orders fail\n- team = Orders", severity: null });
  });

  it.each([
    [0, null],
    [1, "critical"],
    [2, "high"],
    [3, "medium"],
    [4, "low"],
    [5, null],
  ])("of priority %d has the severity %s", async (priority, severity) => {
    linear.workspace.issue.priority = priority;
    expect(await client.read(place, signal)).toMatchObject({ severity });
  });

  it.each([
    [50, 1],
    [51, 2],
    [300, 5],
  ])("with %d comments is read in %d pages", async (count, pages) => {
    linear.workspace.comments = Array.from({ length: count }, (_, index) => comment(55, `comment ${index}`));
    const { text } = await client.read(place, signal);
    expect(text.match(/comment \d+/g)).toHaveLength(Math.min(count, 250));
    expect(linear.requests.filter(({ url }) => url.pathname === "/graphql")).toHaveLength(pages);
  });

  it("that isn't there, or that the application may not see, isn't found", async () => {
    const read = client.read({ ...place, issue: "issue-2" }, signal);
    await expect(read).rejects.toMatchObject({ name: "VendorFailure", reason: "not-found" });
  });
});

describe("Linear's Markdown as text", () => {
  it.each([
    ["a\\_b \\[1\\] \\* 2\\.", "a_b [1] * 2."],
    ["[app.py](<http://app.py>), line 3", "app.py, line 3"],
    ["[https://a.example/](https://a.example)", "https://a.example/"],
    ["[the run](https://ci.example/1)", "the run (https://ci.example/1)"],
    ["```\na\\_b [x](y)\n```\nc\\_d", "```\na\\_b [x](y)\n```\nc_d"],
    ["C:\\Users\\ada", "C:\\Users\\ada"],
  ])("prints %j as %j", (markdown, text) => {
    expect(plainFromLinear(markdown)).toBe(text);
  });
});
