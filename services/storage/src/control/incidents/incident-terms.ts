import type { LifecycleState } from "@whence/protocol";
import { type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from "kysely";
import type { ControlTables } from "../tables.ts";
import type { IncidentTerm } from "./incident-db.ts";

type Incidents = ExpressionBuilder<ControlTables, "incident">;
type Condition = (incidents: Incidents) => Expression<SqlBool>;

/** Returns the condition that a term of a search sets. */
export function meets(term: IncidentTerm): Condition {
  const condition = conditionOf(term);
  // A field without a value has none of the values, where SQL would call that unknown.
  return (incidents) =>
    term.isNegated
      ? incidents.not(incidents.fn.coalesce(condition(incidents), sql<SqlBool>`false`))
      : condition(incidents);
}

function conditionOf(term: IncidentTerm): Condition {
  if (term.field === "text") return () => contains(term.text);
  if (term.field === "release") return ({ or }) => or(term.oneOf.map(occurredIn));
  if (term.field === "state")
    return (incidents) => incidents.or(term.oneOf.map((is) => isInState(is, term.at)(incidents)));
  if (term.field === "owner")
    return (incidents) => incidents.or(term.oneOf.map((owner) => isOwnedBy(owner)(incidents)));
  const column = term.field === "trigger" ? "trigger_kind" : term.field;
  return ({ eb }) => eb(column, "in", term.oneOf);
}

/** That a state is the present one: a mute for a time that has passed is over. */
export function isInState(is: LifecycleState, at: string): Condition {
  return ({ and, or, eb, not }) => {
    const isOver = and([eb("state", "=", "muted"), eb("muted_until", "is not", null), eb("muted_until", "<=", at)]);
    if (is === "open") return or([eb("state", "=", is), isOver]);
    return and([eb("state", "=", is), not(isOver)]);
  };
}

/** That a member of its organization owns it, by their id or email address; null: that no one does. */
function isOwnedBy(owner: string | null): Condition {
  return ({ eb, exists, selectFrom }) => {
    if (owner === null) return eb("owner_id", "is", null);
    return exists(
      selectFrom("member")
        .innerJoin("user", "user.id", "member.userId")
        .select("member.id")
        .whereRef("member.id", "=", "incident.owner_id")
        .where((member) => member.or([member("user.id", "=", owner), member("user.email", "=", owner.toLowerCase())])),
    );
  };
}

function contains(text: string): RawBuilder<SqlBool> {
  const pattern = `%${escaped(text.toLowerCase())}%`;
  const searched = ["id", "title", "service", "root_cause_summary"].map(
    (column) => sql<SqlBool>`lower(coalesce(${sql.ref(`incident.${column}`)}, '')) like ${pattern} escape '\\'`,
  );
  return sql<SqlBool>`(${sql.join(searched, sql` or `)})`;
}

/** The condition that a failure of the incident occurred in a release: the latest one, or one of the first in its history. */
function occurredIn(release: string): RawBuilder<SqlBool> {
  const value = escaped(JSON.stringify(release));
  const histories = [`%"release":${value}%`, `%"releases":[%${value}%]%`].map(
    (pattern) => sql<SqlBool>`failure.history_json like ${pattern} escape '\\'`,
  );
  return sql<SqlBool>`exists (
    select 1 from failure
    where failure.scope_id = incident.scope_id
      and (failure.incident_id = incident.id
        or (failure.fingerprint = incident.fingerprint and failure.env = incident.env))
      and (${sql.join(histories, sql` or `)})
  )`;
}

/** Escapes characters that are special in a pattern. */
function escaped(text: string): string {
  return text.replace(/[\\%_]/g, (character) => `\\${character}`);
}
