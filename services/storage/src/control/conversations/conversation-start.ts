import type { Transaction } from "kysely";
import type { ControlTables } from "../tables.ts";
import type { AskedInConversation } from "./conversation-db.ts";

/** Restarts a conversation that failed before its incident opened. Does nothing for any other. */
export async function startOver(
  transaction: Transaction<ControlTables>,
  { id, postId }: { readonly id: string; readonly postId: string },
  { at, how, place }: Pick<AskedInConversation, "at" | "how" | "place">,
  now: Date,
): Promise<boolean> {
  const restarted = await transaction
    .updateTable("conversation")
    .set({ updated_at: now.toISOString(), asked_at: at, how, status: "PROCESSING", message_id: null })
    .set({ place_json: JSON.stringify(place) })
    .where("id", "=", id)
    .where("status", "=", "FAILED")
    .where("incident_id", "is", null)
    .returning("id")
    .executeTakeFirst();
  if (!restarted) return false;
  await transaction.updateTable("conversation_post").set({ kind: "start" }).where("id", "=", postId).execute();
  return true;
}
