import { z } from "zod";
import type { AlertSender, ReceivedWebhook } from "../alert-senders/alert-sender.ts";
import type { Announcement, ConversationRequest } from "../alert-senders/announcement.ts";
import { hashOfBody } from "../alert-senders/delivery-id.ts";
import { headerOf } from "../alert-senders/header.ts";
import { instanceUrl, madeSecret, shownSecret } from "../alert-senders/inputs.ts";
import { isSignedBy } from "../alert-senders/proof.ts";
import { numbered } from "../alert-senders/setup-steps.ts";
import { askedOf } from "../conversations/mention.ts";
import { parseBoundedJson } from "../http/bounded-json.ts";
import { identifier, optionalText, time } from "../text/fields.ts";

/** `sha256=757107ea…`. https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries */
const signaturePrefix = "sha256=";

const accountSchema = z.object({ id: z.int(), login: identifier, type: z.string() });
type Account = z.infer<typeof accountSchema>;

const issueSchema = z.object({
  id: z.int(),
  number: z.int().positive(),
  body: optionalText,
  created_at: time,
  updated_at: time,
  user: accountSchema.nullish(),
});
const shared = { issue: issueSchema, repository: z.object({ full_name: identifier }), sender: accountSchema };

/** https://docs.github.com/en/webhooks/webhook-events-and-payloads#issues */
const openedSchema = z.object({ action: z.literal("opened"), ...shared });
const assignedSchema = z.object({
  action: z.enum(["assigned", "unassigned"]),
  ...shared,
  assignee: accountSchema.nullish(),
});
/** https://docs.github.com/en/webhooks/webhook-events-and-payloads#issue_comment */
const commentedSchema = z.object({
  action: z.literal("created"),
  ...shared,
  comment: z.object({ id: z.int(), body: z.string(), created_at: time }),
});
type IssueEvent = z.infer<typeof openedSchema>;

/** The fields that distinguish the events, because the header with their name isn't signed. */
const namedSchema = z.object({
  action: z.unknown().optional(),
  issue: z.unknown().optional(),
  comment: z.unknown().optional(),
});
/** GitHub's pull requests are issues as well. */
const pullRequestSchema = z.object({ pull_request: z.object({}) });
/** What GitHub says about the source's token. */
const botSchema = z.object({ bot: z.string(), bot_id: z.string() });
type Bot = z.infer<typeof botSchema>;

/**
 * A webhook of a repository or organization at GitHub: an issue that is assigned to the bot, or whose text or comment
 * mentions it. The signature covers only the body, so the body determines what a webhook is about, and its hash
 * identifies the delivery: a repeated one has the same bytes.
 */
export const github: AlertSender = {
  kind: "github",
  label: "GitHub",
  inputs: [
    madeSecret("Webhook secret"),
    instanceUrl("URL of GitHub Enterprise Server", "https://github.example.com"),
    shownSecret("Token of the bot account", "token"),
  ],
  setup: () =>
    numbered(
      "Create a GitHub account for the bot, and give it access to your repositories. With it, create a fine-grained personal access token that may read and write **Issues**, and enter the token here.",
      "Under **Settings → Webhooks** of the repository or the organization, add a webhook with this address, the content type `application/json`, and the secret.",
      "Choose the events **Issues** and **Issue comments**.",
      "Assign an issue to the bot, or mention it in a comment.",
    ),
  verify(webhook, { secret = "" }) {
    const given = headerOf(webhook, "x-hub-signature-256") ?? "";
    if (!given.startsWith(signaturePrefix)) return false;
    const hash = given.slice(signaturePrefix.length);
    return isSignedBy([hash], { algorithm: "sha256", key: secret, signed: [webhook.body], encoding: "hex" });
  },
  deliveryId: hashOfBody,
  read(body, webhook, inputs) {
    const [payload, bot] = [body ?? formPayload(webhook), botSchema.parse(inputs)];
    const request = requestIn(payload, bot);
    return request === null ? endIn(payload, bot) : [{ kind: "request", request }];
  },
};

/** The other content type that GitHub offers: a form with the JSON in one field. */
function formPayload({ body }: ReceivedWebhook): unknown {
  return parseBoundedJson(new URLSearchParams(body.toString("utf8")).get("payload") ?? "");
}

function requestIn(body: unknown, bot: Bot): ConversationRequest | null {
  if (!isOnIssue(body)) return null;
  const { action, comment } = namedSchema.parse(body);
  if (action === "created" && comment !== undefined) return requestOfComment(commentedSchema.parse(body), bot);
  if (action === "opened") return requestOfIssue(openedSchema.parse(body), bot);
  return action === "assigned" ? requestOfAssignment(assignedSchema.parse(body), bot) : null;
}

function isOnIssue(body: unknown): boolean {
  const { issue } = namedSchema.parse(body);
  return issue !== undefined && !pullRequestSchema.safeParse(issue).success;
}

/** The bot was unassigned, so its answer isn't wanted. */
function endIn(body: unknown, bot: Bot): readonly Announcement[] {
  if (!isOnIssue(body) || namedSchema.parse(body).action !== "unassigned") return [];
  const event = assignedSchema.parse(body);
  if (!event.assignee || !isBot(event.assignee, bot)) return [];
  const { thread, place } = sharedOf(event);
  return [{ kind: "stop", stopped: { thread, at: event.issue.updated_at, place } }];
}

function requestOfComment(event: z.infer<typeof commentedSchema>, bot: Bot): ConversationRequest | null {
  const { comment } = event;
  const question = questionOf(event, comment.body, bot);
  if (question === null) return null;
  const asked = { requestId: `comment-${comment.id}`, how: "mentioned", question, at: comment.created_at } as const;
  return { ...asked, ...sharedOf(event, { comment: String(comment.id) }) };
}

function requestOfIssue(event: IssueEvent, bot: Bot): ConversationRequest | null {
  const { issue } = event;
  // The person who transfers an issue here opens it, but its author wrote the text.
  const author = issue.user;
  const question = author ? questionOf({ sender: author }, issue.body ?? "", bot) : null;
  if (!author || question === null) return null;
  const asked = { requestId: openingOf(issue), how: "mentioned", question, at: issue.created_at } as const;
  return { ...asked, ...sharedOf({ ...event, sender: author }) };
}

/** Automation may assign, but not the bot itself. */
function requestOfAssignment(event: z.infer<typeof assignedSchema>, bot: Bot): ConversationRequest | null {
  const { issue, assignee, sender } = event;
  if (!assignee || !isBot(assignee, bot) || isBot(sender, bot)) return null;
  // An issue that was assigned from the beginning asks once, even when its text mentions the bot.
  const isFromBeginning = issue.updated_at === issue.created_at;
  const requestId = isFromBeginning ? openingOf(issue) : `assignment-${issue.id}-${issue.updated_at}`;
  const asked = { requestId, how: "assigned", question: "", at: issue.updated_at } as const;
  return { ...asked, ...sharedOf(event) };
}

/** Null when the text doesn't mention the bot, or is from an application or the bot itself. */
function questionOf({ sender }: Pick<IssueEvent, "sender">, text: string, bot: Bot): string | null {
  return sender.type === "Bot" || isBot(sender, bot) ? null : askedOf(bot.bot, text);
}

function sharedOf(
  { issue, repository, sender }: Pick<IssueEvent, keyof typeof shared>,
  place: Readonly<Record<string, string>> = {},
): Pick<ConversationRequest, "thread" | "author" | "place"> {
  return {
    thread: String(issue.id),
    author: sender.login,
    place: { repository: repository.full_name, issue: String(issue.number), ...askerOf(sender), ...place },
  };
}

function askerOf({ login: asker, type }: Account): Readonly<Record<string, string>> {
  return type === "Bot" ? { asker, app: "true" } : { asker };
}

function openingOf({ id }: IssueEvent["issue"]): string {
  return `issue-${id}`;
}

function isBot({ id }: Account, bot: Bot): boolean {
  return String(id) === bot.bot_id;
}
