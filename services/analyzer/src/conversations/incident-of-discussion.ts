import type { KnownFailure, Scope, StoredConversation } from "@whence/storage";
import type { ConversationRequest, Discussion } from "@whence/vendors";
import { incidentUrl } from "../incidents/incident-url.ts";
import { failureNamedIn } from "../triggers/alerted-failure.ts";

/** What someone asks about: who asks, where, and what people said there. */
export interface ConversationOrigin {
  readonly conversation: StoredConversation;
  readonly request: ConversationRequest;
  readonly discussion: Discussion;
}

/** Incidents that a discussion links to and that are looked up. */
const linksMax = 20;

/** The incident of the scope that the discussion links to first: people reply to one of our notifications. Null when none. */
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

/** The failure in telemetry that the discussion is most likely about: of a service that it names. Null when there is none. */
export function discussedFailure(
  { failures }: Pick<Scope, "failures">,
  origin: ConversationOrigin,
): Promise<KnownFailure | null> {
  return failureNamedIn(failures, { text: wordsOf(origin), at: origin.discussion.at });
}

function wordsOf({ request, discussion }: Pick<ConversationOrigin, "request" | "discussion">): string {
  return `${discussion.title}\n${discussion.text}\n${request.question}`;
}
