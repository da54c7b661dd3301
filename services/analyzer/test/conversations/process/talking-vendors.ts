import { createHmac, randomBytes, randomInt, randomUUID } from "node:crypto";
import examples from "@octokit/webhooks-examples/api.github.com/index.json" with { type: "json" };
import { secondMs } from "@whence/protocol";
import { GitHubDouble, bot as gitHubBot } from "@whence/vendors/testing/github/github-double";
import { developer, GitLabDouble, bot as gitLabBot } from "@whence/vendors/testing/gitlab/gitlab-double";
import { issueHook } from "@whence/vendors/testing/gitlab/samples";
import { startVendorServer, type VendorServer } from "@whence/vendors/testing/http/vendor-server";
import { application, startLinear } from "@whence/vendors/testing/linear/linear-double";
import { ada, createdSession, delegation } from "@whence/vendors/testing/linear/samples";
import { mentionEvent } from "@whence/vendors/testing/slack/samples";
import { botToken, SlackDouble, bot as slackBot } from "@whence/vendors/testing/slack/slack-double";
import { Webhook } from "standardwebhooks";
import { z } from "zod";
import type { Posted } from "../../triggers/process/senders.ts";

/** A place at a vendor's double where people discuss a failure. */
export interface TalkingPlace {
  /** The webhook by which the vendor says that someone asks the bot there. */
  ask(secret: string, sentAt: Date): Posted;
  /** What the bot's messages say, without those that the vendor hides again. */
  said(): readonly string[];
  /** The bot's reactions. */
  shown(): readonly string[];
  /** By what sets them apart from members: each has who asks be no member of the organization. */
  readonly strangers: Readonly<Record<string, () => void>>;
  /** By how it comes about: each has people from outside read the place. */
  readonly publicities: Readonly<Record<string, () => void>>;
}

/** A vendor in whose conversations the bot is asked, with its double. */
export interface TalkingVendor {
  readonly kind: "slack" | "linear" | "github" | "gitlab";
  /** Where its API is. */
  readonly host: string;
  readonly url: string;
  /** What is entered when its source is added. */
  readonly inputs: Readonly<Record<string, string>>;
  /** What it signs with, if it was entered. */
  readonly secret?: string;
  /** Its reaction to an answer. */
  readonly done: string;
  /** A place of its own. */
  place(): TalkingPlace;
  close(): Promise<void>;
}

const failing =
  "TypeError: Cannot read properties of undefined (reading 'total')\n    at renderCart (/app/src/render.js:3:27)\n    at handle (/app/src/server.js:9:5)";
const json = { "content-type": "application/json" };
const hex = (secret: string, text: string): string => createHmac("sha256", secret).update(text).digest("hex");
const newNumber = (): number => randomInt(1_000, 2 ** 40);

/** Every vendor, with the samples that it publishes and its way to sign. */
export function startTalkingVendors(): Promise<readonly TalkingVendor[]> {
  return Promise.all([startSlack(), startLinearTalking(), startGitHub(), startGitLab()]);
}

async function startSlack(): Promise<TalkingVendor> {
  const double = await SlackDouble.start();
  const secret = randomBytes(16).toString("hex");
  return {
    ...{ kind: "slack", host: "slack.com", url: double.url, secret, done: "white_check_mark" },
    inputs: { signing_secret: secret, bot_token: botToken },
    place() {
      const seconds = Math.floor(Date.now() / secondMs) - randomInt(1_000, 1_000_000);
      const [thread_ts, ts, channel] = [`${seconds}.000100`, `${seconds + 50}.000200`, `C${newNumber()}`];
      const [asker, text] = [`U${newNumber()}`, `<@${slackBot.userId}> why?`];
      const alert = { title: "Cart fails", text: `\`\`\`${failing}\`\`\`` };
      double.thread(
        channel,
        { ts: thread_ts, bot_id: "B0", text: "", attachments: [alert] },
        { ts, user: asker, text },
      );
      const mention = mentionEvent({ user: asker, text, ts, thread_ts, channel, event_ts: ts });
      const event_id = `Ev${newNumber()}`;
      const ofUser = (user: object) => () => void double.users.set(asker, user);
      const ofChannel = (more: object) => () => void double.channels.set(channel, more);
      return {
        ask(signedWith, sentAt) {
          const body = JSON.stringify({ ...mention, event_id });
          const sent = String(Math.floor(sentAt.getTime() / secondMs));
          const signature = `v0=${hex(signedWith, `v0:${sent}:${body}`)}`;
          return { body, headers: { ...json, "x-slack-request-timestamp": sent, "x-slack-signature": signature } };
        },
        said: () =>
          (double.threads.get(`${channel} ${thread_ts}`) ?? [])
            .filter(({ user }) => user === slackBot.userId)
            .map((message) => message.text ?? ""),
        shown: () => double.reactions.get(`${channel} ${ts}`) ?? [],
        strangers: {
          "a guest of several channels": ofUser({ is_restricted: true }),
          "a guest of one channel": ofUser({ is_restricted: true, is_ultra_restricted: true }),
          "someone of another organization": ofUser({ team_id: "T0OTHER" }),
          "a stranger of a shared channel": ofUser({ is_stranger: true }),
          "someone who has left": ofUser({ deleted: true }),
          "someone of whom Slack doesn't say whether they are a guest": ofUser({ is_restricted: undefined }),
          "someone whom Slack doesn't show": () => void double.hiddenUsers.add(asker),
        },
        publicities: {
          "is shared with another organization": ofChannel({ is_shared: true, is_ext_shared: true }),
          "another organization was invited to": ofChannel({ is_pending_ext_shared: true }),
        },
      };
    },
    close: () => double.close(),
  };
}

async function startLinearTalking(): Promise<TalkingVendor> {
  const double = await startLinear();
  const { workspace } = double;
  workspace.issue = { ...workspace.issue, title: "Cart fails", description: failing };
  const secret = randomBytes(16).toString("hex");
  const url = new URL(double.context.addressOf?.("https://api.linear.app/") ?? "").origin;
  return {
    ...{ kind: "linear", host: "api.linear.app", url, secret, done: "white_check_mark" },
    inputs: { ...application, secret },
    place() {
      const [session, issue, delivery, asker] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
      const person = (as: { readonly active: boolean; readonly guest: boolean } | null) => () =>
        void workspace.people.set(asker, as);
      let creator: typeof ada | null = { ...ada, id: asker };
      workspace.otherIssues.add(issue);
      return {
        ask(signedWith, sentAt) {
          const sent = { organizationId: "organization-1", webhookTimestamp: sentAt.getTime() };
          const sample = createdSession({
            ...{ ...delegation, id: session, issueId: issue, createdAt: sentAt.toISOString() },
            ...{ creator, creatorId: creator?.id ?? null },
          });
          const body = JSON.stringify({ ...sample, ...sent });
          const headers = { ...json, "linear-delivery": delivery, "linear-signature": hex(signedWith, body) };
          return { body, headers };
        },
        said: () =>
          workspace.activities
            .filter(({ agentSessionId, ephemeral }) => agentSessionId === session && !ephemeral)
            .map(({ content }) => content.body),
        shown: () => workspace.reactions.filter(({ on }) => on === issue).map(({ emoji }) => emoji),
        strangers: {
          "a guest": person({ active: true, guest: true }),
          "someone who was suspended": person({ active: false, guest: false }),
          "someone whom Linear doesn't know": person(null),
          "an automation that no one is named for": () => {
            creator = null;
          },
        },
        publicities: { "is synced with another service": () => void workspace.syncedSessions.add(session) },
      };
    },
    close: () => double.close(),
  };
}

const assignedSchema = z.looseObject({
  action: z.literal("assigned"),
  issue: z.looseObject({ pull_request: z.undefined().optional() }),
  repository: z.looseObject({}),
  sender: z.looseObject({ login: z.string() }),
});

async function startGitHub(): Promise<TalkingVendor> {
  const server = await startVendorServer();
  const repositories = new Map<string, GitHubDouble>();
  server.answer((request) => {
    const [, , owner, name] = request.url.pathname.split("/");
    return (repositories.get(`${owner}/${name}`) ?? new GitHubDouble()).answer(request);
  });
  const issues = examples.find(({ name }) => name === "issues")?.examples ?? [];
  const [sample] = issues.flatMap((example) => assignedSchema.safeParse(example).data ?? []);
  if (!sample) throw new Error("GitHub publishes no sample of issues.assigned");
  return {
    ...{ kind: "github", host: "api.github.com", url: server.url, done: "rocket" },
    inputs: { token: "github_pat_of_the_bot" },
    place() {
      const full_name = `acme/shop-${newNumber()}`;
      const double = new GitHubDouble("", full_name);
      double.issue = { ...double.issue, title: "Cart fails", body: failing };
      double.assignable.add(sample.sender.login);
      repositories.set(full_name, double);
      const issue = { ...sample.issue, id: newNumber(), number: 7, updated_at: new Date().toISOString() };
      const repository = { ...sample.repository, full_name };
      return {
        ask(secret) {
          const body = JSON.stringify({ ...sample, assignee: gitHubBot, issue, repository });
          const delivery = { "x-github-event": "issues", "x-github-delivery": randomUUID() };
          return { body, headers: { ...json, ...delivery, "x-hub-signature-256": `sha256=${hex(secret, body)}` } };
        },
        said: () => double.comments.map(({ body }) => body),
        shown: () => double.shown("/issues/7"),
        strangers: { "someone without a role": () => void double.assignable.delete(sample.sender.login) },
        publicities: {
          "is public": () => {
            double.repository = { ...double.repository, private: false, visibility: "public" };
          },
          "is read by everyone in the enterprise": () => {
            double.repository = { ...double.repository, private: true, visibility: "internal" };
          },
        },
      };
    },
    close: () => server.close(),
  };
}

async function startGitLab(): Promise<TalkingVendor> {
  const server: VendorServer = await startVendorServer();
  const projects = new Map<string, GitLabDouble>();
  server.answer((request) => {
    const project = /\/projects\/(\d+)/.exec(request.url.pathname)?.[1] ?? "";
    return (projects.get(project) ?? new GitLabDouble()).answer(request);
  });
  const secret = `whsec_${randomBytes(32).toString("base64")}`;
  return {
    ...{ kind: "gitlab", host: "gitlab.com", url: server.url, secret, done: "white_check_mark" },
    inputs: { token: "glpat-of-the-bot", signing_token: secret },
    place() {
      const [project, id, delivery] = [newNumber(), newNumber(), randomUUID()];
      const double = new GitLabDouble(project);
      double.issue = { ...double.issue, title: "Cart fails", description: failing };
      projects.set(String(project), double);
      const { user } = issueHook;
      const at = new Date().toISOString();
      const member = (more: object) => () =>
        void double.members.set(user.id, { ...developer(user), state: "active", ...more });
      return {
        ask(signedWith, sentAt) {
          const body = JSON.stringify({
            ...{ ...issueHook, project: { ...issueHook.project, id: project }, assignees: [gitLabBot] },
            object_attributes: { ...issueHook.object_attributes, id, iid: 17, created_at: at, updated_at: at },
          });
          const signed = { "webhook-id": delivery, "webhook-timestamp": String(Math.floor(sentAt.getTime() / 1_000)) };
          const signature = new Webhook(signedWith).sign(delivery, sentAt, body);
          return { body, headers: { ...json, ...signed, "webhook-signature": signature } };
        },
        said: () => double.notes.map(({ body }) => body),
        shown: () => double.shown(),
        strangers: {
          "someone without a role": () => void double.members.delete(user.id),
          "a guest": member({ access_level: 10 }),
          "someone who is blocked": member({ state: "blocked" }),
        },
        publicities: {
          "is public": () => {
            double.project = { ...double.project, visibility: "public" };
          },
          "is read by everyone who signs in": () => {
            double.project = { ...double.project, visibility: "internal" };
          },
        },
      };
    },
    close: () => server.close(),
  };
}
