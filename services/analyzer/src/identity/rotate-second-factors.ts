import type { AccountStore } from "@whence/storage";
import { symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto";
import { sessionSecrets, versioned } from "./session-secrets.ts";

interface SecondFactor {
  readonly id: string;
  readonly secret: string;
  readonly backupCodes: string;
}

const columns = ["secret", "backupCodes"] as const;

/**
 * Re-encrypts the authenticator secrets and backup codes that a former secret key encrypted with the first one. Each is
 * replaced only if it is still as it was read, so a code that is used meanwhile stays used; the next run finishes.
 */
export async function rotateSecondFactors(
  { identity }: Pick<AccountStore, "identity">,
  secretKeys: readonly Buffer[],
): Promise<{ rotated: number; unreadable: number }> {
  const db = identity.db.withTables<{ twoFactor: SecondFactor }>();
  const { current, former } = sessionSecrets(secretKeys);
  const secrets = [current, ...former].map(versioned);
  const currentVersion = versioned(current).version;
  const key = { keys: new Map(secrets.map(({ version, value }) => [version, value])), currentVersion };
  let [rotated, unreadable] = [0, 0];
  for (const row of await db.selectFrom("twoFactor").select(["id", "secret", "backupCodes"]).execute()) {
    for (const column of columns) {
      const sealed = row[column];
      if (sealed.startsWith(`$ba$${currentVersion}$`)) continue;
      const text = await symmetricDecrypt({ key, data: sealed }).catch(() => null);
      if (text === null) {
        unreadable += 1;
        continue;
      }
      const { numUpdatedRows } = await db
        .updateTable("twoFactor")
        .set({ [column]: await symmetricEncrypt({ key, data: text }) })
        .where("id", "=", row.id)
        .where(column, "=", sealed)
        .executeTakeFirst();
      rotated += Number(numUpdatedRows);
    }
  }
  return { rotated, unreadable };
}
