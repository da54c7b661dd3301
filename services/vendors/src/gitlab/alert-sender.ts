import { z } from "zod";
import type { AlertSender } from "../alert-senders/alert-sender.ts";
import type { Announcement, ConversationRequest } from "../alert-senders/announcement.ts";
import { idOrHash } from "../alert-senders/delivery-id.ts";
import { headerOf } from "../alert-senders/header.ts";
import { instanceUrl, madeSecret, shownSecret } from "../alert-senders/inputs.ts";
import { isSameToken } from "../alert-senders/same-token.ts";
import { numbered } from "../alert-senders/setup-steps.ts";
import { askedOf } from "../conversations/mention.ts";
import { hasStandardSignature } from "../standard-webhooks/proof.ts";
import { identifier, optionalText, time } from "../text/fields.ts";

/** GitLab also writes `2015-05-17 17:06:40 UTC`. */
const gitLabTime = z
  .string()
  .transform((text) => text.replace(/^(\S{10}) (\S{8}) UTC$/, "$1T$2Z"))
  .pipe(time);

const accountSchema = z.object({ id: z.int().optional(), username: identifier });
type Account = z.infer<typeof accountSchema>;
const accountsSchema = z.array(accountSchema).nullish();
const shared = { user: accountSchema, project: z.object({ id: z.int() }) };

/** https://docs.gitlab.com/user/project/integrations/webhook_events/#work-item-events */
const issueHookSchema = z.object({
  ...shared,
  object_attributes: z.object({
    id: z.int(),
    iid: z.int(),
    type: optionalText,
    action: optionalText,
    description: optionalText,
    author_id: z.int().nullish(),
    created_at: gitLabTime,
    updated_at: gitLabTime,
  }),
  assignees: accountsSchema,
  changes: z.object({ assignees: z.object({ previous: accountsSchema, current: accountsSchema }).nullish() }).nullish(),
});
type IssueHook = z.infer<typeof issueHookSchema>;

/** https://docs.gitlab.com/user/project/integrations/webhook_events/#comment-on-an-issue */
const noteHookSchema = z.object({
  ...shared,
  object_attributes: z.object({
    id: z.int(),
    note: z.string(),
    system: z.boolean().nullish(),
    internal: z.boolean().nullish(),
    action: optionalText,
    discussion_id: optionalText,
    created_at: gitLabTime,
  }),
  issue: z.object({ id: z.int(), iid: z.int() }),
});

/** The fields that distinguish the hooks, because the header with their name isn't always signed. */
const kindSchema = z.object({
  object_kind: z.string(),
  object_attributes: z.object({ noteable_type: optionalText }).nullish(),
});
/** What GitLab says about the source's token. */
const botSchema = z.object({ bot: z.string(), bot_id: z.string() });
type Bot = z.infer<typeof botSchema>;

/** Work items of other types, such as tasks and epics, aren't about failures. */
const issueTypes: readonly string[] = ["Issue", "Incident"];
/** The accounts of access tokens, and the one that opens issues for alerts. https://docs.gitlab.com/user/project/settings/project_access_tokens/#bot-users-for-projects */
const otherBots = /^(?:(?:project|group)_\d+_bot|alert-bot$)/;

/**
 * A webhook of a project or group at GitLab: an issue or incident that is assigned to the bot, or whose text or comment
 * mentions it. With a signing token it is signed according to Standard Webhooks; otherwise it carries the secret token.
 */
export const gitlab: AlertSender = {
  kind: "gitlab",
  label: "GitLab",
  inputs: [
    madeSecret("Secret token"),
    instanceUrl("URL of GitLab", "https://gitlab.example.com"),
    shownSecret("Access token of the bot", "token"),
    { ...shownSecret("Signing token of the webhook", "signing_token"), is_optional: true },
  ],
  setup: () =>
    numbered(
      "Under **Settings → Access tokens** of the project or the group, create a token with the role **Reporter** and the scope `api`, and enter it here. Its name is the bot's.",
      "Under **Settings → Webhooks**, add a webhook with this address and the secret token. If you generate a signing token as well, enter it here.",
      "Choose the triggers **Comments**, **Confidential comments**, **Work item events**, and **Confidential work item events**.",
      "Assign an issue or incident to the bot, or mention it in a comment.",
    ),
  verify(webhook, { secret = "", signing_token: signingToken = "" }, { now }) {
    if (hasStandardSignature(webhook, signingToken || secret, now)) return true;
    const given = headerOf(webhook, "x-gitlab-token") ?? "";
    return signingToken === "" && secret !== "" && isSameToken(given, secret);
  },
  deliveryId: (webhook) => idOrHash(headerOf(webhook, "webhook-id") ?? headerOf(webhook, "idempotency-key"), webhook),
  read(body, _webhook, inputs) {
    const bot = botSchema.parse(inputs);
    const request = requestIn(body, bot);
    return request === null ? endIn(body, bot) : [{ kind: "request", request }];
  },
};

function requestIn(body: unknown, bot: Bot): ConversationRequest | null {
  const { object_kind: kind, object_attributes: attributes } = kindSchema.parse(body);
  if (kind === "issue" || kind === "work_item") return requestOfIssue(issueHookSchema.parse(body), bot);
  const isOnIssue = kind === "note" && attributes?.noteable_type === "Issue";
  return isOnIssue ? requestOfNote(noteHookSchema.parse(body), bot) : null;
}

/** The bot was unassigned, so its answer isn't wanted. */
function endIn(body: unknown, bot: Bot): readonly Announcement[] {
  const { object_kind: kind } = kindSchema.parse(body);
  if (kind !== "issue" && kind !== "work_item") return [];
  const { object_attributes: issue, changes, user, project } = issueHookSchema.parse(body);
  const { previous, current } = changes?.assignees ?? {};
  if (!includesBot(previous, bot) || includesBot(current, bot) || isBot(user, bot)) return [];
  const place = { project: String(project.id), issue: String(issue.iid), ...askerOf(user.id) };
  return [{ kind: "stop", stopped: { thread: String(issue.id), at: issue.updated_at, place } }];
}

function requestOfIssue({ object_attributes: issue, ...hook }: IssueHook, bot: Bot): ConversationRequest | null {
  const { user, project, assignees, changes } = hook;
  const { id, iid, type, action, description, author_id: authorId } = issue;
  const { created_at: createdAt, updated_at: updatedAt } = issue;
  if (isBot(user, bot) || !issueTypes.includes(type ?? "Issue")) return null;
  const place = { project: String(project.id), issue: String(iid) };
  const shared = { thread: String(id), author: user.username, place: { ...place, ...askerOf(user.id) } };
  if (action === "open") {
    const question = otherBots.test(user.username) ? null : askedOf(bot.bot, description ?? "");
    if (question === null && !includesBot(assignees, bot)) return null;
    const opened = { ...shared, requestId: `issue-${id}`, question: question ?? "", at: createdAt };
    if (includesBot(assignees, bot)) return { ...opened, how: "assigned" };
    // The person who moves an issue here opens it, but its author wrote the text.
    return { ...opened, how: "mentioned", place: { ...place, ...askerOf(authorId) } };
  }
  const { previous, current } = changes?.assignees ?? {};
  if (!includesBot(current, bot) || includesBot(previous, bot)) return null;
  return { ...shared, requestId: `assignment-${id}-${updatedAt}`, how: "assigned", question: "", at: updatedAt };
}

/** An edited comment asks nothing. */
function requestOfNote(hook: z.infer<typeof noteHookSchema>, bot: Bot): ConversationRequest | null {
  const { user, project, issue, object_attributes: note } = hook;
  const isNew = (note.action ?? "create") === "create" && note.system !== true;
  if (!isNew || isBot(user, bot) || otherBots.test(user.username)) return null;
  const question = askedOf(bot.bot, note.note);
  if (question === null) return null;
  return {
    thread: String(issue.id),
    requestId: `note-${note.id}`,
    how: "mentioned",
    question,
    author: user.username,
    at: note.created_at,
    place: {
      project: String(project.id),
      issue: String(issue.iid),
      note: String(note.id),
      ...askerOf(user.id),
      ...(note.discussion_id ? { discussion: note.discussion_id } : {}),
      ...(note.internal === true ? { internal: "true" } : {}),
    },
  };
}

function askerOf(id: number | null | undefined): { readonly asker?: string } {
  return id ? { asker: String(id) } : {};
}

function includesBot(accounts: readonly Account[] | null | undefined, bot: Bot): boolean {
  return accounts?.some((account) => isBot(account, bot)) ?? false;
}

/** Account names are case-insensitive. */
function isBot({ id, username }: Account, bot: Bot): boolean {
  return id === undefined ? username.toLowerCase() === bot.bot.toLowerCase() : String(id) === bot.bot_id;
}
