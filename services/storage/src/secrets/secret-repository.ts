import type { Kysely } from "kysely";
import type { SecretRepository } from "../control/settings/secret-db.ts";
import type { ControlTables } from "../control/tables.ts";
import { storageErrors } from "../errors.ts";
import type { Keyring } from "./keyring.ts";

/** The credentials of one scope. */
export function secretRepository(db: Kysely<ControlTables>, keyring: Keyring, scopeId: string): SecretRepository {
  const sealedRow = (name: string, value: string, now: Date) => ({
    envelope: keyring.seal({ scopeId, name }, value),
    key_id: keyring.currentKeyId(),
    updated_at: now.toISOString(),
  });
  const get = async (name: string): Promise<string | null> => {
    const row = await db
      .selectFrom("secret")
      .select("envelope")
      .where("scope_id", "=", scopeId)
      .where("name", "=", name)
      .executeTakeFirst();
    if (!row) return null;
    const value = keyring.open({ scopeId, name }, row.envelope);
    if (value === null) throw storageErrors.create("WHENCE_ERR_SECRET_UNREADABLE", [name, scopeId]);
    return value;
  };
  return {
    get,
    async put(name, value, now) {
      const sealed = sealedRow(name, value, now);
      await db
        .insertInto("secret")
        .values({ scope_id: scopeId, name, ...sealed })
        .onConflict((conflict) => conflict.columns(["scope_id", "name"]).doUpdateSet(sealed))
        .execute();
    },
    async ensure(name, make, now) {
      const known = await get(name);
      if (known !== null) return known;
      const made = make();
      await db
        .insertInto("secret")
        .values({ scope_id: scopeId, name, ...sealedRow(name, made, now) })
        .onConflict((conflict) => conflict.columns(["scope_id", "name"]).doNothing())
        .execute();
      return (await get(name)) ?? made;
    },
    async remove(name) {
      const { numDeletedRows } = await db
        .deleteFrom("secret")
        .where("scope_id", "=", scopeId)
        .where("name", "=", name)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
  };
}
