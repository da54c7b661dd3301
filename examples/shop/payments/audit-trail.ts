import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { config } from "./config.ts";

/** Something that the accountants must be able to find again. */
export interface AuditEntry {
  readonly action: "refund";
  readonly paymentId: string;
  readonly cents: number;
}

/** An entry could not be kept; the cause says why. */
class AuditError extends Error {
  override readonly name = "AuditError";
}

/** Appends an entry to the trail of the day; resolves when it is in the file, or rejects with {@link AuditError}. */
export async function recordAudit(entry: AuditEntry): Promise<void> {
  const at = new Date().toISOString();
  const file = join(config.auditDirectory, `audit-${at.slice(0, 10)}.jsonl`);
  try {
    await appendFile(file, `${JSON.stringify({ at, ...entry })}\n`);
  } catch (error) {
    throw new AuditError(`the ${entry.action} of ${entry.paymentId} is not on record`, { cause: error });
  }
}
