import { type Kysely, sql } from "kysely";
import type { ControlTables } from "../control/tables.ts";
import type { Keyring } from "./keyring.ts";

const rowsAtOnce = 100;

type Cursor = Pick<ControlTables["secret"], "scope_id" | "name">;

/**
 * Re-encrypts with the current key what other keys encrypted. Each credential is replaced individually, and only if it
 * is still as it was read: one that is set meanwhile stays as set, and the next rotation finishes one that crashed.
 */
export async function rotateSecrets(
  db: Kysely<ControlTables>,
  keyring: Keyring,
  now: Date,
): Promise<{ rotated: number; unreadable: number }> {
  const currentKey = keyring.currentKeyId();
  let [rotated, unreadable] = [0, 0];
  let after: Cursor | null = null;
  for (;;) {
    const rows = await sealedOtherwise(db, currentKey, after);
    for (const row of rows) {
      const place = { scopeId: row.scope_id, name: row.name };
      const text = keyring.open(place, row.envelope);
      if (text === null) {
        unreadable += 1;
        continue;
      }
      const { numUpdatedRows } = await db
        .updateTable("secret")
        .set({ envelope: keyring.seal(place, text), key_id: currentKey, updated_at: now.toISOString() })
        .where("scope_id", "=", row.scope_id)
        .where("name", "=", row.name)
        .where("envelope", "=", row.envelope)
        .executeTakeFirst();
      rotated += Number(numUpdatedRows);
    }
    after = rows.at(-1) ?? null;
    if (after === null) return { rotated, unreadable };
  }
}

function sealedOtherwise(db: Kysely<ControlTables>, currentKey: string, after: Cursor | null) {
  const rows = db
    .selectFrom("secret")
    .select(["scope_id", "name", "envelope"])
    .where("key_id", "<>", currentKey)
    .orderBy("scope_id")
    .orderBy("name")
    .limit(rowsAtOnce);
  if (!after) return rows.execute();
  return rows.where(sql<boolean>`(scope_id, name) > (${after.scope_id}, ${after.name})`).execute();
}
