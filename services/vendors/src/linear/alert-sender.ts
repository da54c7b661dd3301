import { secondMs } from "@whence/protocol";
import { z } from "zod";
import type { AlertSender, SenderInputs } from "../alert-senders/alert-sender.ts";
import type { Announcement, ConversationRequest, Place } from "../alert-senders/announcement.ts";
import { idOrHash } from "../alert-senders/delivery-id.ts";
import { headerOf } from "../alert-senders/header.ts";
import { hasSignedBody, isRecent } from "../alert-senders/proof.ts";
import { parseBoundedJson } from "../http/bounded-json.ts";
import { identifier, optionalText, time } from "../text/fields.ts";
import { textFrom, titleFrom } from "../text/plain-text.ts";

/** Milliseconds since the epoch at which Linear sent the webhook. */
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

/** The comment that Linear makes at the head of a session that no comment started. Only its text tells it apart. */
const ownRootPattern = /^This thread is for an agent session\b/;
/** What stands for something else in a pattern. https://tc39.es/ecma262/#prod-SyntaxCharacter */
const syntaxCharacter = /[\\^$.*+?()[\]{}|/]/g;
/** Someone whom Linear doesn't name: an automation, another application. */
const unnamed = "Linear";

/**
 * Linear's webhooks of an application that is an agent. Its issues and comments come as agent sessions; webhooks of issues
 * and comments themselves aren't needed.
 */
export const linear: AlertSender = {
  kind: "linear",
  verify(webhook, inputs, { now }) {
    if (!hasSignedBody(webhook, inputs, { header: "linear-signature", algorithm: "sha256" })) return false;
    const { data: sentMs } = sentSchema.safeParse(parseBoundedJson(webhook.body.toString("utf8")));
    return sentMs !== undefined && isRecent(String(Math.floor(sentMs / secondMs)), now);
  },
  // A second try is sent, and signed, at another time.
  deliveryId: (webhook) => idOrHash(headerOf(webhook, "linear-delivery"), webhook),
  read(body, _webhook, inputs) {
    const { type, action, organizationId } = webhookSchema.parse(body);
    // An application that other workspaces installed too gets their webhooks, and has no access to their issues.
    if (inputs.organization_id !== undefined && organizationId !== inputs.organization_id) return [];
    if (type === "OAuthApp" && action === "revoked") return [{ kind: "removed", by: null }];
    if (type !== "AgentSessionEvent") return [];
    if (action === "created") return createdBy(sessionEventSchema.parse(body), inputs);
    return action === "prompted" ? promptedBy(sessionEventSchema.parse(body), inputs) : [];
  },
};

/** Someone delegated the issue, or mentioned the bot in a comment. A session without an issue is about no failure. */
function createdBy({ agentSession: session, appUserId }: SessionEvent, inputs: SenderInputs): readonly Announcement[] {
  const issue = issueOf(session);
  if (!issue || session.creator?.id === appUserId) return [];
  const root = session.comment && !ownRootPattern.test(session.comment.body) ? session.comment : null;
  const comment = session.sourceCommentId ?? root?.id;
  const request: ConversationRequest = {
    ...{ thread: issue, requestId: session.id, how: comment ? "mentioned" : "assigned" },
    question: firstQuestion(root?.body ?? "", inputs),
    ...{ author: authorOf(session.creator), at: session.createdAt },
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
    ...{ thread: issue, requestId: activity.id, how: "mentioned" },
    question: withoutMention(activity.content.body ?? "", inputs).trim(),
    ...{ author: authorOf(activity.user), at: activity.createdAt, place },
  };
  return [{ kind: "request", request }];
}

function issueOf({ issueId, issue }: SessionEvent["agentSession"]): string | undefined {
  return issueId ?? issue?.id;
}

/** As the vendor's `linearPlaceSchema` has it. */
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

/** A mention in a reply comes with the first comment of its thread, which asks nothing of the bot. */
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
