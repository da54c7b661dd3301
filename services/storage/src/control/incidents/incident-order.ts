import type { IncidentSort } from "@whence/protocol";
import { type Expression, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import type { ControlTables } from "../tables.ts";
import type { IncidentPosition } from "./incident-db.ts";

type Query<Row> = SelectQueryBuilder<ControlTables, "incident", Row>;

/** What each order compares, as `sortValue` of the protocol and the indexes have it. Ids alone sort by time. */
const compared: Readonly<Record<Exclude<IncidentSort, "newest">, Expression<string | number>>> = {
  "last-seen": sql<string>`coalesce(last_event_at, created_at)`,
  events: sql<number>`case when last_event_at is null then 0 else events end`,
  confidence: sql<number>`coalesce(confidence, -1)`,
};

/** Orders incidents, the largest value first. */
export function ordered<Row>(query: Query<Row>, sort: IncidentSort): Query<Row> {
  const first = sort === "newest" ? query : query.orderBy(compared[sort], "desc");
  return first.orderBy("id", "desc");
}

/** Leaves out the incidents up to a position in their order. */
export function beyond<Row>(query: Query<Row>, sort: IncidentSort, { id, value }: IncidentPosition): Query<Row> {
  if (sort === "newest") return query.where("id", "<", id);
  // Compared as a row, which an index on both answers.
  return query.where(sql<SqlBool>`(${compared[sort]}, id) < (${value}, ${id})`);
}
