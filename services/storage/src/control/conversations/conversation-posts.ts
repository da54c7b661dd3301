import type { Transaction } from "kysely";
import { newId } from "../ids.ts";
import type { ControlTables } from "../tables.ts";

/** Something to post in a conversation, or to take from it. */
interface NewPost {
  readonly conversationId: string;
  readonly scopeId: string;
  /** Unique in its conversation. */
  readonly key: string;
  readonly kind: "start" | "reply" | "stop" | "answer";
  /** What was asked; null for an answer. */
  readonly request: object | null;
  /** The earliest time to handle it; now when absent. */
  readonly notBefore?: Date;
  readonly now: Date;
}

/** Queues posts, and returns the ids of those that weren't queued before. */
export async function queuePosts(
  transaction: Transaction<ControlTables>,
  posts: readonly NewPost[],
): Promise<readonly string[]> {
  const queued = await transaction
    .insertInto("conversation_post")
    .values(
      posts.map(({ conversationId, scopeId, key, kind, request, now, notBefore = now }) => ({
        id: newId("cpo_"),
        conversation_id: conversationId,
        scope_id: scopeId,
        key,
        kind,
        request_json: request && JSON.stringify(request),
        said: null,
        state: "waiting",
        attempts: 0,
        next_attempt_at: notBefore.toISOString(),
        created_at: now.toISOString(),
        settled_at: null,
        reason: null,
      })),
    )
    .onConflict((conflict) => conflict.columns(["conversation_id", "key"]).doNothing())
    .returning("id")
    .execute();
  return queued.map(({ id }) => id);
}
