import type { KnownFailure, NewIncident } from "@whence/storage";
import { packText } from "@whence/storage/packed-text";
import { type AlertSender, linkFrom, textFrom, titleFrom } from "@whence/vendors";
import type { ConversationOrigin } from "./incident-of-discussion.ts";

/** Returns a discussion's name, on one line, and its address for people. */
export function headOf({ request, discussion }: ConversationOrigin): { title: string; url: string | null } {
  return {
    title: titleFrom(discussion.title, discussion.text, request.question, "A conversation"),
    url: linkFrom(discussion.url),
  };
}

/**
 * Returns the incident for a conversation: on an event of the failure that it is about, or else on what people said.
 */
export async function incidentFromConversation(
  origin: ConversationOrigin,
  sender: Pick<AlertSender, "kind" | "label">,
  about: { readonly failure: KnownFailure; readonly eventId: string } | null,
  now: Date,
): Promise<NewIncident> {
  const { conversation, request, discussion } = origin;
  const { title, url } = headOf(origin);
  const opened = {
    severity: discussion.severity ?? "medium",
    trigger: {
      kind: "conversation",
      source: sender.kind,
      sender: sender.label,
      source_id: conversation.sourceId,
      thread: conversation.thread,
      url,
      author: request.author,
      at: discussion.at,
    },
    decision: {
      outcome: "opened",
      rule: "conversation",
      reason: `${request.author} asked in ${sender.label}`,
    },
    now,
  } as const;
  if (about) {
    const { service, env, fingerprint } = about.failure;
    return {
      ...opened,
      title: about.failure.title,
      service,
      env,
      fingerprint,
      input: { kind: "event", eventId: about.eventId },
    };
  }
  const text = textFrom(discussion.title, discussion.text);
  const input = await packText(text === "" ? title : text, []);
  return { ...opened, title, service: null, env: null, fingerprint: null, input };
}
