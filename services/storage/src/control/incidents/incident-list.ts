import { type IncidentOwner, incidentSummarySchema } from "@whence/protocol";
import type { Kysely, Selectable, SelectQueryBuilder } from "kysely";
import { joinedServices } from "../failures/joined-failures.ts";
import { isAgentScope } from "../ids.ts";
import { lifecycleOf } from "../lifecycle/stored-lifecycle.ts";
import { acknowledgmentOf, ownersOf } from "../ownership/stored-owner.ts";
import type { ControlTables, IncidentTable } from "../tables.ts";
import type { IncidentCount, IncidentFacets, IncidentFilter, StoredIncidentSummary } from "./incident-db.ts";
import { occurrencesOf } from "./incident-occurrences.ts";
import { beyond, ordered } from "./incident-order.ts";
import { isInState, meets } from "./incident-terms.ts";
import { refinementOf } from "./report-versions.ts";

const summarySchema = incidentSummarySchema.omit({ url: true });
/** More values than a person picks from. */
const facetValuesMax = 500;

/** All but the report, which is large and which a list does not show. */
const columns = [
  ...(["id", "scope_id", "status", "title", "severity", "trigger_json", "service", "env", "fingerprint"] as const),
  ...(["decision_json", "created_at", "started_at", "completed_at", "failure_json"] as const),
  ...(["category", "root_cause_summary", "confidence", "events", "last_event_at"] as const),
  ...(["version", "refine_at", "refined_at", "refined_until", "merged_into"] as const),
  ...(["state", "lifecycle_json", "acknowledged_json"] as const),
] as const;

type SummaryRow = Pick<Selectable<IncidentTable>, (typeof columns)[number]>;
type Query<Row> = SelectQueryBuilder<ControlTables, "incident", Row>;

/** The incidents of a scope that a filter lets through, in its order, without their reports. */
export async function listIncidents(
  db: Kysely<ControlTables>,
  scopeId: string,
  filter: IncidentFilter,
): Promise<StoredIncidentSummary[]> {
  const query = db.selectFrom("incident").select(columns).where("scope_id", "=", scopeId);
  const rows = await ordered(filtered(query, filter), filter.sort ?? "newest")
    .limit(filter.limit)
    .execute();
  const ids = rows.map(({ id }) => id);
  const services = await joinedServices(db, ids);
  const owners = await ownersOf(db, ids);
  return rows.map((row) => toSummary(row, services.get(row.id) ?? [], owners.get(row.id) ?? null));
}

function filtered<Row>(query: Query<Row>, filter: IncidentFilter): Query<Row> {
  const { sort = "newest", before, since, until, terms = [] } = filter;
  const equal = [
    ["service", filter.service],
    ["env", filter.env],
    ["status", filter.status],
    ["severity", filter.severity],
    ["trigger_kind", filter.trigger],
    ["fingerprint", filter.fingerprint],
  ] as const;
  let all = query;
  for (const [column, value] of equal) if (value !== undefined) all = all.where(column, "=", value);
  // What was merged is shown as the incident that it belongs to, unless it is asked for.
  const asksForStatus = filter.status !== undefined || terms.some(({ field }) => field === "status");
  if (!asksForStatus) all = all.where("status", "!=", "merged");
  if (filter.state !== undefined) all = all.where(isInState(filter.state.is, filter.state.at));
  for (const term of terms) all = all.where(meets(term));
  if (before !== undefined) all = beyond(all, sort, before);
  if (since !== undefined) all = all.where("created_at", ">=", since);
  if (until !== undefined) all = all.where("created_at", "<", until);
  return all;
}

/** The services and environments that the scope's incidents have. */
export async function incidentFacets(db: Kysely<ControlTables>, scopeId: string): Promise<IncidentFacets> {
  const [services, envs] = await Promise.all(
    (["service", "env"] as const).map(async (column) => {
      const rows = await db
        .selectFrom("incident")
        .select(column)
        .distinct()
        .where("scope_id", "=", scopeId)
        .where(column, "is not", null)
        .orderBy(column)
        .limit(facetValuesMax)
        .execute();
      return rows.map((row) => row[column]).filter((value) => value !== null);
    }),
  );
  return { services: services ?? [], envs: envs ?? [] };
}

/** Incidents of services that opened since then. */
export async function countIncidents(
  db: Kysely<ControlTables>,
  scopeId: string,
  since: string,
): Promise<IncidentCount[]> {
  const rows = await db
    .selectFrom("incident")
    .select(["service", "env"])
    .select(({ fn }) => fn.countAll().as("incidents"))
    .where("scope_id", "=", scopeId)
    .where("created_at", ">=", since)
    .where("status", "!=", "merged")
    .groupBy(["service", "env"])
    .execute();
  return rows.flatMap(({ service, env, incidents }) =>
    service === null || env === null ? [] : { service, env, incidents: Number(incidents) },
  );
}

function toSummary(row: SummaryRow, joined: readonly string[], owner: IncidentOwner | null): StoredIncidentSummary {
  const { scope_id: scopeId, trigger_json: trigger, decision_json: decision, failure_json: failure, ...others } = row;
  const { events, last_event_at, version, refine_at, refined_at, refined_until, merged_into, ...more } = others;
  const { state: _, lifecycle_json: __, acknowledged_json: ___, ...rest } = more;
  return summarySchema.parse({
    ...rest,
    lifecycle: lifecycleOf(row),
    owner,
    acknowledged: acknowledgmentOf(row),
    also_in: joined.filter((service) => service !== row.service),
    organization_id: isAgentScope(scopeId) ? null : scopeId,
    trigger: JSON.parse(trigger),
    decision: JSON.parse(decision),
    ...occurrencesOf({ events, last_event_at }),
    ...(version > 0 ? { refinement: refinementOf(row) } : {}),
    ...(merged_into === null ? {} : { merged_into }),
    ...(failure === null ? {} : { failure: JSON.parse(failure) }),
  });
}
