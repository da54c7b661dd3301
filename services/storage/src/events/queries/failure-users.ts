import { z } from "zod";
import type { FailureSpan } from "../event-store.ts";
import { failureParameters, inFailure } from "./failure-by-minute.ts";
import type { Ask } from "./query.ts";

/** Events that are read whole to count the users in them. */
const eventsMax = 10_000;

const rowSchema = z.object({ users: z.coerce.number() });

/** How many users the events of one failure name: those of the latest ten thousand, as an event is read for its user. */
export async function failureUsers(ask: Ask, scopeId: string, span: FailureSpan): Promise<number> {
  const [row] = await ask(
    `SELECT uniqExact(user) AS users FROM (
       SELECT JSONExtractRaw(payload, 'event', 'user', 'id') AS user
       FROM {database:Identifier}.events WHERE ${inFailure(span)} ORDER BY timestamp DESC LIMIT ${eventsMax}
     ) WHERE user NOT IN ('', 'null', '""')`,
    failureParameters(scopeId, span),
  );
  return rowSchema.parse(row).users;
}
