import type { KnownFailure, Scope, StoredConversation } from "@whence/storage";
import type { ConversationRequest, Discussion } from "@whence/vendors";
import { discussedFailures } from "./discussed-failures.ts";
import { incidentUrl } from "./incident-url.ts";

/** The request in a discussion: who asks, where, and what people said there. */
export interface ConversationOrigin {
  readonly conversation: StoredConversation;
  readonly request: ConversationRequest;
  readonly discussion: Discussion;
}

/** The number of linked incidents that are looked up. */
const linksMax = 20;

/**
 * Returns the first incident of the scope that the discussion links to, since people reply to our notifications; null
 * without one.
 */
export async function linkedIncident(
  { incidents }: Pick<Scope, "incidents">,
  { request, discussion }: ConversationOrigin,
  appUrl: string,
): Promise<string | null> {
  const afterLinks = wordsOf({ request, discussion }).split(incidentUrl(appUrl, "")).slice(1);
  const ids = afterLinks.flatMap((text) => /^inc_[0-9a-f]+/.exec(text)?.[0] ?? []);
  for (const id of [...new Set(ids)].slice(0, linksMax)) {
    const found = await incidents.find(id);
    if (found) return found.id;
  }
  return null;
}

/** Returns the failures in telemetry that the discussion is most likely about, the most likely first. */
export function failuresOfDiscussion(
  { failures }: Pick<Scope, "failures">,
  origin: ConversationOrigin,
): Promise<readonly KnownFailure[]> {
  return discussedFailures(failures, { text: wordsOf(origin), at: origin.discussion.at });
}

function wordsOf({ request, discussion }: Pick<ConversationOrigin, "request" | "discussion">): string {
  return `${discussion.title}\n${discussion.text}\n${request.question}`;
}
