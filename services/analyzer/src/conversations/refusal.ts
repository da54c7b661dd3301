import type { KnownAlertSource, TakenPost } from "@whence/storage";
import type { ConversationClient, Place } from "@whence/vendors";

/** Why nothing is posted where {@link isReadByOthers}. */
export const readByOthers = "people from outside of the organization can read it, and the source doesn't answer there";

/**
 * Returns why nothing may be posted at a place; null when it may. The vendor is asked before each message, since
 * projects become public and people leave. Rejects when the vendor doesn't answer, in which case nothing may be posted
 * either.
 */
export async function refusalAt(
  client: ConversationClient,
  place: Place,
  source: Pick<KnownAlertSource, "answersPublicly"> & Pick<TakenPost, "asked">,
  signal: AbortSignal,
): Promise<string | null> {
  if (await isReadByOthers(client, place, source, signal)) return readByOthers;
  if (await client.isAskedByMember(place, signal)) return null;
  return `${source.asked?.author ?? "who asked"} has no role there`;
}

/** Returns whether people from outside of the organization can read a place in which the source may not answer them. */
export async function isReadByOthers(
  client: ConversationClient,
  place: Place,
  { answersPublicly }: Pick<KnownAlertSource, "answersPublicly">,
  signal: AbortSignal,
): Promise<boolean> {
  return !answersPublicly && (await client.isPublic(place, signal));
}
