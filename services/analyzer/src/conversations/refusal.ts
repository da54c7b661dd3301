import type { KnownAlertSource, TakenPost } from "@whence/storage";
import type { ConversationClient, Place } from "@whence/vendors";

const readByOthers = "people from outside of the organization can read it, and the source doesn't answer there";

/**
 * Why nothing may be said at a place; null when it may. The vendor is asked before each message, since projects become public
 * and people leave. Rejects when the vendor doesn't say: then nothing may be said either.
 */
export async function refusalAt(
  client: ConversationClient,
  place: Place,
  { answersPublicly, asked }: Pick<KnownAlertSource, "answersPublicly"> & Pick<TakenPost, "asked">,
  signal: AbortSignal,
): Promise<string | null> {
  if (!answersPublicly && (await client.isPublic(place, signal))) return readByOthers;
  if (await client.isAskedByMember(place, signal)) return null;
  return `${asked?.author ?? "who asked"} has no role there`;
}
