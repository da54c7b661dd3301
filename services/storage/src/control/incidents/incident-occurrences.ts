import type { Incident } from "@whence/protocol";
import type { Selectable, Transaction } from "kysely";
import type { ControlTables, IncidentTable } from "../tables.ts";

/** How often the failure has occurred since the incident opened; nothing for an incident without counts. */
export function occurrencesOf({
  events,
  last_event_at: last,
}: Pick<Selectable<IncidentTable>, "events" | "last_event_at">): Pick<Incident, "occurrences"> {
  return last === null ? {} : { occurrences: { events: Number(events), last_seen: last } };
}

/** Counts occurrences on the incident, the latest of them at `lastAt`. */
export async function countOccurrences(
  transaction: Transaction<ControlTables>,
  incidentId: string,
  events: number,
  lastAt: string,
): Promise<void> {
  await transaction
    .updateTable("incident")
    .set((set) => ({
      events: set("events", "+", events),
      last_event_at: set.case().when("last_event_at", ">", lastAt).then(set.ref("last_event_at")).else(lastAt).end(),
    }))
    .where("id", "=", incidentId)
    .execute();
}
