import type { Transaction } from "kysely";
import type { NewMessage } from "../../queue/queue.ts";
import { investigationsTopic } from "../../queue/topics.ts";
import type { ControlTables } from "../tables.ts";

interface AskedIncident {
  readonly incidentId: string;
  readonly scopeId: string;
  /** Which incident of the scope is investigated first: higher before lower. */
  readonly priority?: number | undefined;
}

/** Leaves a message that asks for the first investigation of an incident. Its id is the incident's. */
export function askForInvestigation(transaction: Transaction<ControlTables>, asked: AskedIncident): Promise<void> {
  return leave(transaction, asked.incidentId, asked);
}

/**
 * Leaves a message that asks for another investigation. A queue drops an id it has seen, so this one has an id of its own,
 * made of what came before, such as the last attempt; asking twice after the same thing is asking once.
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

/** Asks for the refinement of the report that the attempt made; again when a claim moved the incident. */
export function refinementMessage(incidentId: string, scopeId: string, attempt: number): NewMessage {
  return {
    id: `${incidentId}:refine-${attempt}:${scopeId}`,
    body: JSON.stringify({ incident_id: incidentId, scope_id: scopeId, refine: true }),
  };
}
