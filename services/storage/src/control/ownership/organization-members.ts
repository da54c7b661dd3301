import type { Kysely } from "kysely";
import type { ControlTables } from "../tables.ts";
import type { NamedMember } from "./ownership-db.ts";

/** A member, with the id of their membership, which ends with it. */
export interface StoredMember extends NamedMember {
  readonly membershipId: string;
}

/** The members of an organization; none for an agent that no organization has claimed. */
export async function organizationMembers(db: Kysely<ControlTables>, scopeId: string): Promise<StoredMember[]> {
  const rows = await db
    .selectFrom("member")
    .innerJoin("user", "user.id", "member.userId")
    .select(["member.id as membershipId", "user.id as id", "user.name", "user.email", "user.emailVerified"])
    .where("member.organizationId", "=", scopeId)
    .orderBy("member.createdAt")
    .orderBy("member.id")
    .execute();
  return rows.map(({ emailVerified, ...member }) => ({ ...member, isVerified: Boolean(emailVerified) }));
}

/** The member that an id or an email address names. */
export function memberNamed(members: readonly StoredMember[], named: string): StoredMember | undefined {
  return members.find(({ id, email }) => id === named || email === named.toLowerCase());
}
