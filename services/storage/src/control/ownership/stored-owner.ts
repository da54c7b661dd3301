import { type Acknowledgment, acknowledgmentSchema, type IncidentOwner } from "@whence/protocol";
import type { Kysely, Selectable } from "kysely";
import type { ControlTables, IncidentTable } from "../tables.ts";

/** The owners of incidents, by the incidents' ids. */
export async function ownersOf(
  db: Kysely<ControlTables>,
  incidentIds: readonly string[],
): Promise<ReadonlyMap<string, IncidentOwner>> {
  // PostgreSQL knows no empty list.
  if (incidentIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("incident")
    .innerJoin("member", "member.id", "incident.owner_id")
    .innerJoin("user", "user.id", "member.userId")
    .select(["incident.id as incidentId", "incident.owner_since as since", "user.id", "user.name"])
    .where("incident.id", "in", incidentIds)
    .execute();
  return new Map(
    rows.flatMap(({ incidentId, since, id, name }) => (since === null ? [] : [[incidentId, { id, name, since }]])),
  );
}

/** The stored acknowledgement of an incident. */
export function acknowledgmentOf({
  acknowledged_json: json,
}: Pick<Selectable<IncidentTable>, "acknowledged_json">): Acknowledgment | null {
  return json === null ? null : acknowledgmentSchema.parse(JSON.parse(json));
}
