import type { Transaction } from "kysely";
import type { ControlTables } from "../tables.ts";
import { queuePosts } from "./conversation-posts.ts";

/** How the analysis of an incident ended. */
export interface EndedAnalysis {
  readonly incidentId: string;
  readonly status: "COMPLETED" | "FAILED";
  /** Identifies the outcome, so its answer is queued once. */
  readonly key: string;
  /** Whether the report names another cause than the one that was posted. */
  readonly isCorrected: boolean;
  /** The earliest time to post the answer. */
  readonly notBefore: Date;
  readonly now: Date;
}

/**
 * Ends the conversations of an incident and queues their answers, in the transaction in which its analysis ends. An
 * answered conversation is answered again only when the cause changed.
 */
export async function endConversations(
  transaction: Transaction<ControlTables>,
  { incidentId, status, key, isCorrected, notBefore, now }: EndedAnalysis,
): Promise<void> {
  let open = transaction.updateTable("conversation").where("incident_id", "=", incidentId);
  if (!isCorrected) open = open.where("status", "=", "PROCESSING");
  const ended = await open.set({ status, updated_at: now.toISOString() }).returning(["id", "scope_id"]).execute();
  if (ended.length === 0) return;
  const answer = { key, kind: "answer", request: null, notBefore, now } as const;
  const answers = ended.map(({ id, scope_id: scopeId }) => ({ ...answer, conversationId: id, scopeId }));
  await queuePosts(transaction, answers);
}

/** Ends the conversations that were just linked to an incident that has already ended. */
export async function endIfAnalyzed(
  transaction: Transaction<ControlTables>,
  incidentId: string,
  now: Date,
): Promise<void> {
  const incident = await transaction
    .updateTable("incident")
    // Changes nothing, but waits for an analysis that is just ending, and holds off the end of one under way.
    .set((set) => ({ attempt: set.ref("attempt") }))
    .where("id", "=", incidentId)
    .returning(["status", "version", "attempt"])
    .executeTakeFirst();
  if (incident?.status !== "completed" && incident?.status !== "failed") return;
  const isCompleted = incident.status === "completed";
  await endConversations(transaction, {
    incidentId,
    status: isCompleted ? "COMPLETED" : "FAILED",
    isCorrected: false,
    notBefore: now,
    now,
    key: isCompleted ? answerKey(incidentId, incident.version) : failureKey(incidentId, incident.attempt),
  });
}

/** Names the answer that a version of a report calls for. */
export function answerKey(incidentId: string, version: number): string {
  return `answer:${incidentId}:${version}`;
}

/** Names the answer that a failed attempt calls for. */
export function failureKey(incidentId: string, attempt: number): string {
  return `failure:${incidentId}:${attempt}`;
}
