import { sql, type Transaction } from "kysely";
import type { InputQuota, InputRoom } from "../access/allowance.ts";
import { readSettings } from "../access/organization-settings.ts";
import { agentScopesFrom, agentScopesTo, isAgentScope } from "../ids.ts";
import type { ControlTables } from "../tables.ts";

/** The owner of an input, for its quotas. */
export interface InputOwner {
  readonly scopeId: string;
  readonly keyId: string | null;
}

/** The quota that the input would exceed, with its bound; null when there is room under all of them. */
export async function exceededQuota(
  transaction: Transaction<ControlTables>,
  { scopeId, keyId }: InputOwner,
  bytes: number,
  room: InputRoom,
): Promise<{ quota: InputQuota; bytesMax: number } | null> {
  const exceeds = (quota: InputQuota, stored: number, bytesMax: number) =>
    stored + bytes > bytesMax ? { quota, bytesMax } : null;
  if (isAgentScope(scopeId)) {
    return (
      exceeds("unclaimed-agent", await storedBytes(transaction, { scopeId }), room.unclaimedAgentBytesMax) ??
      exceeds("unclaimed-agents", await storedBytes(transaction, {}), room.unclaimedAgentsBytesMax)
    );
  }
  await holdOrganization(transaction, scopeId);
  const { inputBytesMax } = await readSettings(transaction, scopeId);
  const bytesMax = inputBytesMax ?? room.organizationBytesMax;
  return (
    (keyId === null ? null : exceeds("key", await storedBytes(transaction, { scopeId, keyId }), room.keyBytesMax)) ??
    exceeds("organization", await storedBytes(transaction, { scopeId }), bytesMax)
  );
}

/** The size of stored inputs: of one key, of one scope, or, without a scope, of all unclaimed agents together. */
export async function storedBytes(
  db: Pick<Transaction<ControlTables>, "selectFrom">,
  { scopeId, keyId }: { readonly scopeId?: string; readonly keyId?: string },
): Promise<number> {
  let query = db
    .selectFrom("incident")
    .select(sql<number | string>`coalesce(sum(input_bytes), 0)`.as("bytes"))
    .where("input_bytes", ">", 0);
  query =
    scopeId === undefined
      ? query.where("scope_id", ">=", agentScopesFrom).where("scope_id", "<", agentScopesTo)
      : query.where("scope_id", "=", scopeId);
  if (keyId !== undefined) query = query.where("asked_by_key_id", "=", keyId);
  const { bytes } = await query.executeTakeFirstOrThrow();
  return Number(bytes);
}

/** Locks the organization's row, which serializes quota checks on every database. */
export async function holdOrganization(transaction: Transaction<ControlTables>, id: string): Promise<void> {
  await transaction
    .updateTable("organization")
    .set((set) => ({ slug: set.ref("slug") }))
    .where("id", "=", id)
    .execute();
}
