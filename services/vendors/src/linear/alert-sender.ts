import { secondMs } from "@whence/protocol";
import { z } from "zod";
import type { AlertSender } from "../alert-senders/alert-sender.ts";
import type { Announcement, ConversationRequest, Place } from "../alert-senders/announcement.ts";
import { idOrHash } from "../alert-senders/delivery-id.ts";
import { headerOf } from "../alert-senders/header.ts";
import { shownSecret } from "../alert-senders/inputs.ts";
import { hasSignedBody, isRecent } from "../alert-senders/proof.ts";
import type { SenderInputs } from "../alert-senders/sender-inputs.ts";
import { numbered } from "../alert-senders/setup-steps.ts";
import { parseBoundedJson } from "../http/bounded-json.ts";
import { identifier, optionalText, time } from "../text/fields.ts";
import { textFrom, titleFrom } from "../text/plain-text.ts";

/** When Linear sent the webhook, in milliseconds since 1970. */
const sentSchema = z
  .object({ webhookTimestamp: z.number().min(0) })
  .transform(({ webhookTimestamp }) => webhookTimestamp);

/** https://linear.app/developers/webhooks */
const webhookSchema = z.object({ type: z.string(), action: z.string(), organizationId: optionalText });

const optionalId = identifier.nullish();
const userSchema = z.object({ id: identifier, name: optionalText }).nullish();

/** https://linear.app/developers/agent-interaction, by the schema of Linear's webhooks. */
const sessionEventSchema = z.object({
  appUserId: identifier,
  agentSession: z.object({
    id: identifier,
    createdAt: time,
    issueId: optionalId,
    issue: z.object({ id: identifier }).nullish(),
    sourceCommentId: optionalId,
    comment: z.object({ id: identifier, body: z.string() }).nullish(),
    creator: userSchema,
  }),
  agentActivity: z
    .object({
      id: identifier,
      createdAt: time,
      signal: optionalText,
      sourceCommentId: optionalId,
      content: z.object({ type: z.string(), body: optionalText }),
      user: userSchema,
    })
    .nullish(),
});
type SessionEvent = z.infer<typeof sessionEventSchema>;

/** The comment that Linear creates at the start of a session without a comment. Only its text distinguishes it. */
const ownRootPattern = /^This thread is for an agent session\b/;
/** Characters with a special meaning in a pattern. https://tc39.es/ecma262/#prod-SyntaxCharacter */
const syntaxCharacter = /[\\^$.*+?()[\]{}|/]/g;
/** The name for a requester that Linear doesn't name: an automation, another application. */
const unnamed = "Linear";

/**
 * Linear's webhooks of an application that is an agent. Issues and comments arrive as agent sessions, so webhooks for
 * issues and comments themselves aren't needed.
 */
export const linear: AlertSender = {
  kind: "linear",
  label: "Linear",
  inputs: [
    {
      name: "client_id",
      label: "Client ID of the application",
      is_secret: false,
      is_made: false,
      is_shown_later: true,
    },
    shownSecret("Client secret of the application", "client_secret"),
    shownSecret("Signing secret of the application's webhook"),
  ],
  setup: () =>
    numbered(
      "Under **Settings → API → OAuth applications**, create an application. Its name and its icon are those of the bot. As the callback URL, enter the address of this page: Linear asks for one, and it isn't used.",
      "Turn on **Client credentials**, and **Webhooks** with this address and **Agent session events**.",
      "Save the application. Linear shows its client ID, its client secret, and the signing secret: enter them here.",
      "Delegate an issue to the bot, or mention it in a comment.",
    ),
  verify(webhook, inputs, { now }) {
    if (!hasSignedBody(webhook, inputs, { header: "linear-signature", algorithm: "sha256" })) return false;
    const { data: sentMs } = sentSchema.safeParse(parseBoundedJson(webhook.body.toString("utf8")));
    return sentMs !== undefined && isRecent(String(Math.floor(sentMs / secondMs)), now);
  },
  // A retry is sent, and signed, at another time.
  deliveryId: (webhook) => idOrHash(headerOf(webhook, "linear-delivery"), webhook),
  read(body, _webhook, inputs) {
    const { type, action, organizationId } = webhookSchema.parse(body);
    // An application that other workspaces also installed gets their webhooks, but has no access to their issues.
    if (inputs.organization_id !== undefined && organizationId !== inputs.organization_id) return [];
    if (type === "OAuthApp" && action === "revoked") return [{ kind: "removed", by: null }];
    if (type !== "AgentSessionEvent") return [];
    if (action === "created") return createdBy(sessionEventSchema.parse(body), inputs);
    return action === "prompted" ? promptedBy(sessionEventSchema.parse(body), inputs) : [];
  },
};

/** Someone delegated the issue, or mentioned the bot in a comment. A session without an issue isn't about a failure. */
function createdBy({ agentSession: session, appUserId }: SessionEvent, inputs: SenderInputs): readonly Announcement[] {
  const issue = issueOf(session);
  if (!issue || session.creator?.id === appUserId) return [];
  const root = session.comment && !ownRootPattern.test(session.comment.body) ? session.comment : null;
  const comment = session.sourceCommentId ?? root?.id;
  const request: ConversationRequest = {
    thread: issue,
    requestId: session.id,
    how: comment ? "mentioned" : "assigned",
    question: firstQuestion(root?.body ?? "", inputs),
    author: authorOf(session.creator),
    at: session.createdAt,
    place: placeOf(issue, session.id, { comment, asker: session.creator?.id }),
  };
  return [{ kind: "request", request }];
}

/** Someone writes in a session, or stops it. https://linear.app/developers/agent-signals */
function promptedBy(event: SessionEvent, inputs: SenderInputs): readonly Announcement[] {
  const { agentSession: session, agentActivity: activity, appUserId } = event;
  const isFromPerson = activity?.content.type === "prompt" && activity.user?.id !== appUserId;
  const issue = issueOf(session);
  if (!issue || !activity || !isFromPerson) return [];
  const place = placeOf(issue, session.id, { comment: activity.sourceCommentId, asker: activity.user?.id });
  if (activity.signal === "stop") return [{ kind: "stop", stopped: { thread: issue, at: activity.createdAt, place } }];
  const request: ConversationRequest = {
    thread: issue,
    requestId: activity.id,
    how: "mentioned",
    question: withoutMention(activity.content.body ?? "", inputs).trim(),
    author: authorOf(activity.user),
    at: activity.createdAt,
    place,
  };
  return [{ kind: "request", request }];
}

function issueOf({ issueId, issue }: SessionEvent["agentSession"]): string | undefined {
  return issueId ?? issue?.id;
}

/** In the form of the vendor's `linearPlaceSchema`. */
function placeOf(
  issue: string,
  session: string,
  { comment, asker }: { readonly comment: string | null | undefined; readonly asker: string | undefined },
): Place {
  return { issue, session, ...(comment ? { comment } : {}), ...(asker ? { asker } : {}) };
}

function authorOf(user: z.infer<typeof userSchema>): string {
  return titleFrom(user?.name, unnamed);
}

/** A mention in a reply comes with the first comment of its thread, which doesn't ask the bot anything. */
function firstQuestion(body: string, inputs: SenderInputs): string {
  const question = withoutMention(body, inputs);
  const isNamed = inputs.bot_name === undefined || question !== textFrom(body);
  return isNamed ? question.trim() : "";
}

/** A mention is the name or the handle after `@`, or the address of the profile. */
function withoutMention(body: string, { bot_name: name, bot_handle: handle }: SenderInputs): string {
  const names = [name, handle].flatMap((one) => (one ? [one.replaceAll(syntaxCharacter, "\\$&")] : [])).join("|");
  if (names === "") return textFrom(body);
  const address = String.raw`<?https://linear\.app/[\w-]+/profiles/(?:${names})>?`;
  const forms = [String.raw`\[@?[^[\]\n]{1,200}\]\(${address}\)`, address, String.raw`@(?:${names})(?![\w-])`];
  return textFrom(body.replaceAll(new RegExp(forms.join("|"), "giu"), ""));
}
