import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** The expressions that queries order lists of incidents by, besides their ids. */
const orders: Readonly<Record<string, RawBuilder<unknown>>> = {
  last_seen: sql`coalesce(last_event_at, created_at)`,
  events: sql`case when last_event_at is null then 0 else events end`,
  confidence: sql`coalesce(confidence, -1)`,
};

/** An index for each order of a list, so that the cost of a page doesn't depend on the number of incidents. */
export function incidentOrderMigration(): Migration {
  return {
    async up(db: Kysely<unknown>) {
      for (const [name, compared] of Object.entries(orders)) {
        await sql`create index ${sql.ref(`incident_${name}_idx`)} on incident (scope_id, (${compared}), id)`.execute(
          db,
        );
      }
    },
  };
}
