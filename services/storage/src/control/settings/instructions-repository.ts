import type { Instructions } from "@whence/protocol";
import type { Kysely } from "kysely";
import { inTransaction } from "../databases/in-transaction.ts";
import type { ControlTables, InstructionsTable } from "../tables.ts";
import type { InstructionsRepository } from "./settings-db.ts";

/** Versions that are kept. */
export const instructionsVersionsMax = 100;

const none: Instructions = { version: 0, text: "", changed_at: null, changed_by: null };

/** The custom instructions of one scope. */
export function instructionsRepository(db: Kysely<ControlTables>, scopeId: string): InstructionsRepository {
  const versions = () =>
    db.selectFrom("instructions").selectAll().where("scope_id", "=", scopeId).orderBy("version", "desc");
  return {
    async read() {
      const latest = await versions().limit(1).executeTakeFirst();
      return latest ? toInstructions(latest) : none;
    },
    async write({ text, version, by, now }) {
      return inTransaction(db, async (transaction) => {
        const { latest } = await transaction
          .selectFrom("instructions")
          .select(({ fn }) => fn.max("version").as("latest"))
          .where("scope_id", "=", scopeId)
          .executeTakeFirstOrThrow();
        if ((latest ?? 0) !== version) return null;
        const row: InstructionsTable = {
          scope_id: scopeId,
          version: version + 1,
          text,
          changed_at: now.toISOString(),
          user_id: by.id,
          user_name: by.name,
        };
        // Of two at once the second meets the first's row, is tried again, and sees another latest version.
        await transaction.insertInto("instructions").values(row).execute();
        await transaction
          .deleteFrom("instructions")
          .where("scope_id", "=", scopeId)
          .where("version", "<=", row.version - instructionsVersionsMax)
          .execute();
        return toInstructions(row);
      });
    },
    async history() {
      return (await versions().execute()).map(toInstructions);
    },
  };
}

function toInstructions({ version, text, changed_at, user_id: id, user_name: name }: InstructionsTable): Instructions {
  return { version, text, changed_at, changed_by: { id, name } };
}
