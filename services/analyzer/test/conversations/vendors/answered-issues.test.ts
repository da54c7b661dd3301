import { randomUUID } from "node:crypto";
import examples from "@octokit/webhooks-examples/api.github.com/index.json" with { type: "json" };
import { alertSenders, conversationVendors } from "@whence/vendors";
import { alice, bot, GitHubDouble } from "@whence/vendors/testing/github/github-double";
import { GitLabDouble, bot as gitLabBot } from "@whence/vendors/testing/gitlab/gitlab-double";
import { noteHook } from "@whence/vendors/testing/gitlab/samples";
import { startVendorServer, type VendorServer } from "@whence/vendors/testing/http/vendor-server";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { conversationLimits } from "../../../src/conversations/conversation-limits.ts";
import { type Poster, startPoster } from "../../../src/conversations/poster.ts";
import { webhookHandler } from "../../../src/webhooks/handle-webhook.ts";
import { reportWith } from "../../ended-report.ts";
import { appUrl, silent, startTestService, type TestService } from "../../test-service.ts";

let service: TestService;
let vendor: VendorServer;
let poster: Poster;
let scopeId: string;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  vendor = await startVendorServer();
  const now = new Date(service.clock.now);
  scopeId = (await service.control.organizations.ensure({ slug: randomUUID(), name: "Acme", now })).id;
  const { control, clock, metrics } = service;
  poster = startPoster({
    ...{ control, metrics, logger: silent, clock: () => clock.now, relayOutbox: () => undefined, appUrl },
    ...{ vendors: conversationVendors, outbound: vendor.context },
  });
});
afterEach(async () => {
  await poster.stop(10_000);
  await vendor.close();
  vi.useRealTimers();
});

async function sourceOf(kind: "github" | "gitlab", inputs: Readonly<Record<string, string>>): Promise<string> {
  const source = await service.control.scope(scopeId).alertSources.add({
    ...{ kind, name: kind, inputs, secrets: { secret: "s", token: "t" }, by: { id: "usr_1", name: "Ada" } },
    now: new Date(service.clock.now),
  });
  return source.id;
}

async function announce(kind: "github" | "gitlab", sourceId: string, body: unknown): Promise<void> {
  const { control, clock, metrics, senderRequests } = service;
  const handle = webhookHandler({
    ...{ control, metrics, senderRequests, logger: silent, clock: () => clock.now, relayOutbox: () => undefined },
    ...{ senders: alertSenders, kickPoster: () => poster.kick() },
  });
  const received = { headers: {}, body: JSON.stringify(body), received_at: clock.now };
  await handle({ scope_id: scopeId, source_id: sourceId, kind, ...received });
}

function until<Value>(read: () => Value | Promise<Value>): ReturnType<typeof expect.poll<Value>> {
  return expect.poll(async () => {
    await vi.advanceTimersByTimeAsync(conversationLimits.lookIntervalMs);
    return read();
  });
}

async function complete(sourceId: string, thread: string): Promise<void> {
  const { conversations, incidents } = service.control.scope(scopeId);
  const found = async () =>
    (await conversations.list(sourceId, 50)).find((one) => one.thread === thread)?.incident_id ?? null;
  await until(found).not.toBeNull();
  const [id, now] = [(await found()) ?? "", new Date(service.clock.now)];
  await incidents.complete(id, (await incidents.begin(id, now)) ?? 0, reportWith(), now);
}

const exampleSchema = z.looseObject({ action: z.string(), issue: z.looseObject({ number: z.int() }) });
const example = examples
  .filter(({ name }) => name === "issue_comment")
  .flatMap(({ examples: bodies }): unknown[] => bodies)
  .map((body) => exampleSchema.parse(body))
  .find(({ action }) => action === "created");

describe("an issue that asks", () => {
  it("is answered at GitHub, once, and a follow-up question too", async () => {
    const github = new GitHubDouble();
    vendor.answer(github.answer);
    const sourceId = await sourceOf("github", { bot: bot.login, bot_id: String(bot.id) });
    const asking = (id: number, body: string) => ({
      ...example,
      issue: { ...example?.issue, id: 77, number: 7 },
      ...{ comment: { id, body, created_at: "2026-03-01T11:31:00Z" }, sender: { id: 8, login: "alice", type: "User" } },
      repository: { full_name: "acme/shop" },
    });
    const { id } = github.say("@acme-whence why?");
    await announce("github", sourceId, asking(id, "@acme-whence why?"));
    await announce("github", sourceId, asking(id, "@acme-whence why?"));
    await until(() => github.shown(`/issues/comments/${id}`)).toEqual(["eyes"]);
    await complete(sourceId, "77");
    await until(() => github.shown(`/issues/comments/${id}`)).toEqual(["rocket"]);
    expect(github.comments.filter(({ user }) => user === bot)).toHaveLength(1);
    const next = github.say("@acme-whence how do I fix it?");
    await announce("github", sourceId, asking(next.id, next.body));
    await until(() => github.comments.filter(({ user }) => user === bot)).toHaveLength(2);
  });

  it("is answered at GitLab, in the thread that asked", async () => {
    const gitlab = new GitLabDouble();
    vendor.answer(gitlab.answer);
    const sourceId = await sourceOf("gitlab", { bot: gitLabBot.username, bot_id: String(gitLabBot.id) });
    const { id, discussion } = gitlab.say("why?");
    const asked = { id, note: `@${gitLabBot.username} why?`, discussion_id: discussion };
    await announce("gitlab", sourceId, { ...noteHook, object_attributes: { ...noteHook.object_attributes, ...asked } });
    await until(() => gitlab.shown(`/notes/${id}`)).toEqual(["eyes"]);
    await complete(sourceId, "92");
    await until(() => gitlab.shown(`/notes/${id}`)).toEqual(["white_check_mark"]);
    expect(gitlab.notes.filter(({ author }) => author === gitLabBot)).toMatchObject([{ discussion }]);
  });
});

async function fateOf(sourceId: string): Promise<unknown> {
  const [conversation] = await service.control.scope(scopeId).conversations.list(sourceId, 50);
  return conversation?.failed;
}

describe("an issue at GitHub", () => {
  const mallory = { id: 666, login: "mallory", type: "User" };
  const alice = { id: 8, login: "alice", type: "User" };
  const ask = async (github: GitHubDouble, sender: object, sourceId: string) => {
    vendor.answer(github.answer);
    const { id, body } = github.say("@acme-whence why?");
    await announce("github", sourceId, {
      ...{ ...example, issue: { ...example?.issue, id: 77, number: 7 }, sender },
      comment: { id, body, created_at: "2026-03-01T11:31:00Z", author_association: "NONE" },
      repository: { full_name: "acme/shop" },
    });
  };
  const source = () => sourceOf("github", { bot: bot.login, bot_id: String(bot.id) });
  const isSilent = (github: GitHubDouble) => {
    expect(github.comments.filter(({ user }) => user === bot)).toEqual([]);
    expect(github.reactions).toEqual([]);
  };

  it("doesn't answer a stranger, and the source's conversations say why", async () => {
    const [github, sourceId] = [new GitHubDouble(), await source()];
    await ask(github, mallory, sourceId);
    await until(() => fateOf(sourceId)).toMatchObject({ refused: true, reason: "mallory has no role there" });
    isSilent(github);
  });

  it.each([
    ["public", { private: false, visibility: "public" }],
    ["internal", { private: true, visibility: "internal" }],
  ])("posts nothing in a repository that is %s, until an owner opens the source to it", async (_name, more) => {
    const [github, sourceId] = [new GitHubDouble(), await source()];
    github.repository = { ...github.repository, ...more };
    await ask(github, alice, sourceId);
    await until(() => fateOf(sourceId)).toMatchObject({ refused: true });
    isSilent(github);
    await service.control.scope(scopeId).alertSources.answerPublicly(sourceId, true);
    await ask(github, mallory, sourceId);
    await until(() => fateOf(sourceId)).toMatchObject({ reason: "mallory has no role there" });
    isSilent(github);
    await ask(github, alice, sourceId);
    await until(() => github.reactions.length).toBe(1);
  });

  it("posts nothing while GitHub doesn't say who is a member", async () => {
    const [github, sourceId] = [new GitHubDouble(), await source()];
    github.repository = { id: 1000 };
    await ask(github, alice, sourceId);
    await until(() => fateOf(sourceId)).toMatchObject({ refused: false });
    isSilent(github);
  });

  it("doesn't answer a stranger's follow-up question", async () => {
    const [github, sourceId] = [new GitHubDouble(), await source()];
    await ask(github, alice, sourceId);
    await complete(sourceId, "77");
    const answers = () => github.comments.filter(({ user }) => user === bot).length;
    await until(answers).toBe(1);
    await ask(github, mallory, sourceId);
    await until(() => fateOf(sourceId)).toMatchObject({ refused: true });
    expect(answers()).toBe(1);
  });
});

describe("an issue at GitLab", () => {
  const ask = async (gitlab: GitLabDouble, sourceId: string) => {
    vendor.answer(gitlab.answer);
    const { id, discussion } = gitlab.say("why?");
    const asked = { id, note: `@${gitLabBot.username} why?`, discussion_id: discussion };
    await announce("gitlab", sourceId, { ...noteHook, object_attributes: { ...noteHook.object_attributes, ...asked } });
  };
  const source = () => sourceOf("gitlab", { bot: gitLabBot.username, bot_id: String(gitLabBot.id) });
  const answersTo = async (change: (gitlab: GitLabDouble) => void) => {
    const [gitlab, sourceId] = [new GitLabDouble(), await source()];
    change(gitlab);
    await ask(gitlab, sourceId);
    return { gitlab, sourceId };
  };

  it.each([
    ["a stranger", (gitlab: GitLabDouble) => gitlab.members.delete(1)],
    ["a guest", (gitlab: GitLabDouble) => gitlab.members.set(1, { id: 1, state: "active", access_level: 10 })],
    [
      "a blocked member",
      (gitlab: GitLabDouble) => gitlab.members.set(1, { id: 1, state: "blocked", access_level: 30 }),
    ],
    ["anyone in a public project", (gitlab: GitLabDouble) => Object.assign(gitlab.project, { visibility: "public" })],
    [
      "anyone in an internal project",
      (gitlab: GitLabDouble) => Object.assign(gitlab.project, { visibility: "internal" }),
    ],
  ])("doesn't answer %s", async (_name, change) => {
    const { gitlab, sourceId } = await answersTo(change);
    await until(() => fateOf(sourceId)).toMatchObject({ refused: true });
    expect(gitlab.notes.filter(({ author }) => author === gitLabBot)).toEqual([]);
    expect(gitlab.shown(`/notes/${gitlab.notes[0]?.id}`)).toEqual([]);
  });

  it("is answered for a member with the lowest role above guests", async () => {
    const { gitlab } = await answersTo((one) => one.members.set(1, { id: 1, state: "active", access_level: 15 }));
    await until(() => gitlab.shown(`/notes/${gitlab.notes[0]?.id}`)).toEqual(["eyes"]);
  });
});

describe("a stranger's text at GitHub", () => {
  const mallory = { id: 666, login: "mallory", type: "User" };
  const text = "@acme-whence why?";
  const written = { user: mallory, author_association: "NONE", created_at: "2026-03-01T11:31:00Z" };
  const issue = { ...example?.issue, id: 77, number: 7, updated_at: "2026-03-01T11:31:00Z" };
  const repository = { full_name: "acme/shop", private: false, visibility: "public" };
  const opened = { action: "opened", issue: { ...issue, ...written, body: text }, repository, sender: mallory };
  const actions: readonly (readonly [string, object])[] = [
    ["of a new issue", opened],
    ["of an issue that a member transferred there", { ...opened, sender: alice }],
    ["of a new issue that a template assigns to the bot", { ...opened, action: "assigned", assignee: bot }],
    [
      "of a comment on a member's issue",
      {
        ...opened,
        action: "created",
        issue: { ...issue, user: alice, body: "" },
        comment: { id: 5, body: text, ...written },
      },
    ],
  ];

  it.each(actions)("%s is answered nowhere, whatever the source's setting", async (_, webhook) => {
    const github = new GitHubDouble();
    vendor.answer(github.answer);
    const sourceId = await sourceOf("github", { bot: bot.login, bot_id: String(bot.id) });
    const { alertSources, conversations } = service.control.scope(scopeId);
    for (const [answersPublicly, visibility] of [
      [false, "public"],
      [true, "public"],
      [false, "private"],
    ] as const) {
      await alertSources.answerPublicly(sourceId, answersPublicly);
      github.repository = { private: visibility === "private", visibility };
      const id = 78 + Number(answersPublicly) + 2 * Number(visibility === "private");
      await announce("github", sourceId, { ...webhook, issue: { ...issue, ...Object(webhook).issue, id } });
      const found = async () => (await conversations.list(sourceId, 9)).find(({ thread }) => thread === String(id));
      await until(async () => (await found())?.failed?.refused).toBe(true);
    }
    expect([github.comments, github.reactions]).toEqual([[], []]);
    expect(await service.control.scope(scopeId).incidents.list({ limit: 1 })).toEqual([]);
  });

  it.each([
    ["private", true],
    ["public", false],
  ])("that automation assigns in a %s repository: answered is %s", async (visibility, isAnswered) => {
    const github = new GitHubDouble();
    vendor.answer(github.answer);
    github.repository = { private: visibility === "private", visibility };
    const sourceId = await sourceOf("github", { bot: bot.login, bot_id: String(bot.id) });
    const { alertSources, conversations } = service.control.scope(scopeId);
    await alertSources.answerPublicly(sourceId, true);
    const sender = { id: 41898282, login: "github-actions[bot]", type: "Bot" };
    await announce("github", sourceId, { ...opened, action: "assigned", assignee: bot, sender });
    const found = async () => (await conversations.list(sourceId, 1))[0];
    if (isAnswered) await until(async () => (await found())?.incident_id ?? null).not.toBeNull();
    else await until(async () => (await found())?.failed?.refused).toBe(true);
    expect(github.shown("/issues/7")).toEqual(isAnswered ? ["eyes"] : []);
  });
});
