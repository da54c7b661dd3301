import type { Transaction } from "kysely";
import type { NewMessage } from "../../queue/queue.ts";
import { investigationsTopic } from "../../queue/topics.ts";
import type { ControlTables } from "../tables.ts";

interface AskedIncident {
  readonly incidentId: string;
  readonly scopeId: string;
  /** The order within the scope: higher first. */
  readonly priority?: number | undefined;
}

/** Queues the first investigation of an incident. The message has the incident's id. */
export function askForInvestigation(transaction: Transaction<ControlTables>, asked: AskedIncident): Promise<void> {
  return leave(transaction, asked.incidentId, asked);
}

/**
 * Queues another investigation. A queue drops ids that it has seen, so the message's id is derived from what preceded
 * it, such as the last attempt: asking twice for the same reason queues it once.
 */
export function askAgain(
  transaction: Transaction<ControlTables>,
  { after, ...asked }: AskedIncident & { readonly after: string },
): Promise<void> {
  return leave(transaction, `${asked.incidentId}:${after}`, asked);
}

async function leave(
  transaction: Transaction<ControlTables>,
  id: string,
  { incidentId, scopeId, priority = 0 }: AskedIncident,
): Promise<void> {
  const body = JSON.stringify({ incident_id: incidentId, scope_id: scopeId });
  await transaction
    .insertInto("outbox")
    .values({ id, body, topic: investigationsTopic.name, scope_id: scopeId, priority })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
}

/** Queues the refinement of the report of an attempt; again when a claim moved the incident. */
export function refinementMessage(incidentId: string, scopeId: string, attempt: number): NewMessage {
  return {
    id: `${incidentId}:refine-${attempt}:${scopeId}`,
    body: JSON.stringify({ incident_id: incidentId, scope_id: scopeId, refine: true }),
  };
}
