import { randomUUID } from "node:crypto";
import examples from "@octokit/webhooks-examples/api.github.com/index.json" with { type: "json" };
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { conversationLimits } from "../../../src/conversations/conversation-limits.ts";
import { conversationVendors } from "../../../src/conversations/conversation-vendors.ts";
import { type Poster, startPoster } from "../../../src/conversations/poster.ts";
import { alertSenders } from "../../../src/triggers/alert-senders.ts";
import { webhookHandler } from "../../../src/triggers/handle-webhook.ts";
import { reportWith } from "../../ended-report.ts";
import { startVendorServer, type VendorServer } from "../../integrations/vendor-server.ts";
import { appUrl, silent, startTestService, type TestService } from "../../test-service.ts";
import { noteHook } from "../../triggers/samples/gitlab.ts";
import { bot, GitHubDouble } from "./github-double.ts";
import { GitLabDouble, bot as gitLabBot } from "./gitlab-double.ts";

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
  await handle({ scope_id: scopeId, source_id: sourceId, kind, headers: {}, body: JSON.stringify(body) });
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
