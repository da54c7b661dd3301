import {
  firstMatch,
  memberCalled,
  type OwnershipChange,
  ownershipSchema,
  type Report,
  readInstructions,
} from "@whence/protocol";
import type { Kysely, Selectable, Transaction } from "kysely";
import { inTransaction } from "../databases/in-transaction.ts";
import { writeActivity } from "../lifecycle/incident-activity.ts";
import { instructionsRepository } from "../settings/instructions-repository.ts";
import type { ControlTables, IncidentTable } from "../tables.ts";
import { memberNamed, organizationMembers } from "./organization-members.ts";
import type { OwnershipRules } from "./ownership-db.ts";

/** The ownership rules of one scope. */
export function ownershipRules(db: Kysely<ControlTables>, scopeId: string): OwnershipRules {
  return {
    async read() {
      const rules = await storedRules(db, scopeId);
      return ownershipSchema.parse({
        rules: rules.map(({ match, pattern, id, name, email }) => ({ match, pattern, owner: { id, name, email } })),
      });
    },
    replace: (rules) => inTransaction(db, (transaction) => replaceRules(transaction, scopeId, rules)),
  };
}

function storedRules(db: Kysely<ControlTables>, scopeId: string) {
  return db
    .selectFrom("ownership_rule")
    .innerJoin("member", "member.id", "ownership_rule.member_id")
    .innerJoin("user", "user.id", "member.userId")
    .select(["ownership_rule.match", "ownership_rule.pattern", "ownership_rule.member_id as membershipId"])
    .select(["user.id", "user.name", "user.email"])
    .where("ownership_rule.scope_id", "=", scopeId)
    .orderBy("ownership_rule.position")
    .execute();
}

/** The rules that the custom instructions state. A line that names no single member is none. */
async function instructedRules(transaction: Transaction<ControlTables>, scopeId: string) {
  const { text } = await instructionsRepository(transaction, scopeId).read();
  const owned = readInstructions(text).understood.flatMap((one) => (one.setting === "owners" ? [one] : []));
  const members = owned.length === 0 ? [] : await organizationMembers(transaction, scopeId);
  return owned.flatMap(({ value: pattern, owner }) => {
    const member = memberCalled(members, owner);
    return member ? [{ match: "service", pattern, ...member }] : [];
  });
}

async function replaceRules(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  rules: OwnershipChange["rules"],
): Promise<{ readonly unknown: string | null }> {
  const members = await organizationMembers(transaction, scopeId);
  const rows = [];
  for (const [position, { match, pattern, owner }] of rules.entries()) {
    const member = memberNamed(members, owner);
    if (!member) return { unknown: owner };
    rows.push({ scope_id: scopeId, position, match, pattern, member_id: member.membershipId });
  }
  await transaction.deleteFrom("ownership_rule").where("scope_id", "=", scopeId).execute();
  if (rows.length > 0) await transaction.insertInto("ownership_rule").values(rows).execute();
  return { unknown: null };
}

/**
 * Gives an incident whose first investigation ends the owner that the first matching rule names, or else the custom
 * instructions. Does nothing once a person decided who owns it.
 */
export async function assignByRules(
  transaction: Transaction<ControlTables>,
  { id, scope_id: scopeId, service, owner_since: decidedAt }: Selectable<IncidentTable>,
  report: Report | null,
  now: Date,
): Promise<void> {
  if (decidedAt !== null) return;
  const path = report?.root_cause.location?.file ?? null;
  const rules = [...(await storedRules(transaction, scopeId)), ...(await instructedRules(transaction, scopeId))];
  const rule = firstMatch(rules, { service, path });
  if (!rule) return;
  const at = now.toISOString();
  const owned = await transaction
    .updateTable("incident")
    .set({ owner_id: rule.membershipId, owner_since: at })
    .where("id", "=", id)
    .where("owner_since", "is", null)
    .returning("id")
    .executeTakeFirst();
  if (!owned) return;
  const none = { mute: null, resolved_in: null, release: null };
  await writeActivity(transaction, id, {
    at,
    kind: "assigned",
    by: null,
    ...none,
    to: { id: rule.id, name: rule.name },
  });
}
