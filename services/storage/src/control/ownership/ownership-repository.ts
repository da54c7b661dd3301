import { type Activity, type Actor, type AuditAction, mentionedIn, type OwnerChange } from "@whence/protocol";
import type { Kysely, Selectable, Transaction, Updateable } from "kysely";
import { writeEntry } from "../audit/audit-log.ts";
import { inTransaction } from "../databases/in-transaction.ts";
import { isAgentScope } from "../ids.ts";
import { writeActivity } from "../lifecycle/incident-activity.ts";
import { lockIncident } from "../lifecycle/lock-incident.ts";
import type { ControlTables, IncidentTable } from "../tables.ts";
import { memberNamed, organizationMembers, type StoredMember } from "./organization-members.ts";
import type { CommentOutcome, OwnerOutcome, OwnershipRepository } from "./ownership-db.ts";

/** The owners of one scope's incidents, and the comments of its members. */
export function ownershipRepository(db: Kysely<ControlTables>, scopeId: string): OwnershipRepository {
  return {
    change: (incidentId, change, by, now) =>
      inTransaction(db, (transaction) => changeOwner(transaction, { scopeId, incidentId, by, now }, change)),
    comment: (incidentId, text, by, now) =>
      inTransaction(db, (transaction) => addComment(transaction, { scopeId, incidentId, by, now }, text)),
    members: () => organizationMembers(db, scopeId),
  };
}

/** Someone who does something to an incident. */
interface Act {
  readonly scopeId: string;
  readonly incidentId: string;
  readonly by: Actor;
  readonly now: Date;
}

type OwnerActivity = "taken" | "handed-over" | "let-go" | "acknowledged";
type OwnerColumns = Pick<Updateable<IncidentTable>, "owner_id" | "owner_since" | "acknowledged_json">;

/** What a change of the owner leads to. */
interface Step {
  readonly kind: OwnerActivity;
  readonly owner: StoredMember | null;
  readonly columns: OwnerColumns;
}

async function changeOwner(
  transaction: Transaction<ControlTables>,
  act: Act,
  change: OwnerChange,
): Promise<OwnerOutcome> {
  const incident = await lockIncident(transaction, act.scopeId, act.incidentId);
  if (!incident) return { outcome: "unknown" };
  if (incident.merged_into !== null) return { outcome: "merged", into: incident.merged_into };
  const step = await stepOf(transaction, act, change, incident);
  if (step === "unchanged" || step === "no-member") return { outcome: step };
  const { kind, owner, columns } = step;
  await transaction.updateTable("incident").set(columns).where("id", "=", act.incidentId).execute();
  await note(transaction, act, kind, kind === "handed-over" && owner ? { to: named(owner) } : {});
  return { outcome: "changed", owner };
}

async function stepOf(
  transaction: Transaction<ControlTables>,
  act: Act,
  change: OwnerChange,
  incident: Selectable<IncidentTable>,
): Promise<Step | "unchanged" | "no-member"> {
  const since = act.now.toISOString();
  const seen = JSON.stringify({ at: since, by: act.by });
  if (change.action === "acknowledge") {
    if (incident.acknowledged_json !== null) return "unchanged";
    return { kind: "acknowledged", owner: null, columns: { acknowledged_json: seen } };
  }
  if (change.action === "let-go") {
    if (incident.owner_id === null) return "unchanged";
    return {
      kind: "let-go",
      owner: null,
      columns: { owner_id: null, owner_since: since, acknowledged_json: null },
    };
  }
  const members = await organizationMembers(transaction, act.scopeId);
  const self = await memberActing(transaction, act);
  const asked = change.action === "take" ? self : change.to;
  const owner = asked === null ? undefined : memberNamed(members, asked);
  if (!owner) return "no-member";
  const isTaking = owner.id === self;
  const isOwner = owner.membershipId === incident.owner_id;
  if (isOwner && (!isTaking || incident.acknowledged_json !== null)) return "unchanged";
  const acknowledged = isTaking ? seen : null;
  const columns = { owner_id: owner.membershipId, owner_since: since, acknowledged_json: acknowledged };
  return { kind: isTaking ? "taken" : "handed-over", owner, columns };
}

/** The member who acts, or for whom an agent does; null for a key of the organization. */
async function memberActing(
  transaction: Transaction<ControlTables>,
  { scopeId, by }: Pick<Act, "scopeId" | "by">,
): Promise<string | null> {
  if (by.kind === "member") return by.id;
  if (by.kind !== "agent") return null;
  const agent = await transaction
    .selectFrom("agent")
    .select("responsible_id")
    .where("id", "=", by.id)
    .where("organization_id", "=", scopeId)
    .executeTakeFirst();
  return agent?.responsible_id ?? null;
}

async function addComment(transaction: Transaction<ControlTables>, act: Act, text: string): Promise<CommentOutcome> {
  const incident = await lockIncident(transaction, act.scopeId, act.incidentId);
  if (!incident) return { outcome: "unknown" };
  if (incident.merged_into !== null) return { outcome: "merged", into: incident.merged_into };
  const mentioned = mentionedIn(text, await organizationMembers(transaction, act.scopeId));
  await note(transaction, act, "commented", { comment: { text, mentions: mentioned.map(named) } });
  return { outcome: "added", mentioned };
}

const audited: Readonly<Record<OwnerActivity | "commented", AuditAction>> = {
  taken: "incident.taken",
  "handed-over": "incident.handed-over",
  "let-go": "incident.let-go",
  acknowledged: "incident.acknowledged",
  commented: "incident.commented",
};

/** Writes what someone did to the incident's activity and to the audit log. */
async function note(
  transaction: Transaction<ControlTables>,
  { scopeId, incidentId, by, now }: Act,
  kind: keyof typeof audited,
  more: Pick<Activity, "to" | "comment">,
): Promise<void> {
  const none = { mute: null, resolved_in: null, release: null };
  await writeActivity(transaction, incidentId, { at: now.toISOString(), kind, by, ...none, ...more });
  // An agent that no organization has claimed has no audit log.
  if (!isAgentScope(scopeId))
    await writeEntry(transaction, scopeId, { action: audited[kind], target: incidentId, by, now });
}

function named({ id, name }: StoredMember): { id: string; name: string } {
  return { id, name };
}
