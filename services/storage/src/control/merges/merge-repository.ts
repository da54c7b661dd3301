import type { Actor } from "@whence/protocol";
import type { Kysely, Selectable, Transaction } from "kysely";
import { inTransaction } from "../databases/in-transaction.ts";
import { repointMerged } from "../incidents/merge-incident.ts";
import { lifecycleOf } from "../lifecycle/stored-lifecycle.ts";
import { moveOccasions, noteOccasion } from "../notifications/notification-occasion.ts";
import type { ControlTables, IncidentTable } from "../tables.ts";
import type { MergeOutcome, MergeRepository, SeparationOutcome } from "./merge-db.ts";
import { giveFailures, lockFailures } from "./merged-failures.ts";
import { noteMerge } from "./note-merge.ts";
import { giveBack, lockAll } from "./separate-merged.ts";

type IncidentRow = Selectable<IncidentTable>;

interface Asked {
  readonly scopeId: string;
  readonly by: Actor;
  readonly now: Date;
}

/** Rolls a merge back. */
class MergeRefused extends Error {
  readonly refusal: Exclude<MergeOutcome, { outcome: "changed" }>;

  constructor(refusal: Exclude<MergeOutcome, { outcome: "changed" }>) {
    super(refusal.outcome);
    this.refusal = refusal;
  }
}

/** What people merge and separate among the incidents of one scope. */
export function mergeRepository(db: Kysely<ControlTables>, scopeId: string): MergeRepository {
  return {
    async merge(into, ids, by, now) {
      const others = [...new Set(ids)].filter((id) => id !== into);
      try {
        return await inTransaction(db, (transaction) => merge(transaction, { scopeId, by, now }, into, others));
      } catch (error) {
        if (error instanceof MergeRefused) return error.refusal;
        throw error;
      }
    },
    separate: (id, by, now) => inTransaction(db, (transaction) => separate(transaction, { scopeId, by, now }, id)),
  };
}

async function merge(
  transaction: Transaction<ControlTables>,
  asked: Asked,
  into: string,
  ids: readonly string[],
): Promise<MergeOutcome> {
  await lockFailures(transaction, asked.scopeId, ids);
  const rows = await lockAll(transaction, asked.scopeId, [into, ...ids]);
  const target = mergeable(rows, into);
  for (const id of ids) {
    const other = mergeable(rows, id);
    if (other.status === "queued" || other.status === "investigating")
      throw new MergeRefused({ outcome: "under-investigation", id });
    await giveFailures(transaction, { scopeId: asked.scopeId, other, target, now: asked.now });
    await repointMerged(transaction, id, into);
    await endAsMerged(transaction, asked, other, into);
    await noteMerge(transaction, { ...asked, what: "merged", other, target });
  }
  return { outcome: "changed" };
}

function mergeable(rows: ReadonlyMap<string, IncidentRow>, id: string): IncidentRow {
  const row = rows.get(id);
  if (!row) throw new MergeRefused({ outcome: "unknown", id });
  if (row.merged_into !== null) throw new MergeRefused({ outcome: "merged", id, into: row.merged_into });
  return row;
}

/** Takes it from the lists, and ends what a rule opened in a pager for it: the other incident has its own. */
async function endAsMerged(
  transaction: Transaction<ControlTables>,
  { scopeId, now }: Asked,
  incident: IncidentRow,
  into: string,
): Promise<void> {
  const { id, status } = incident;
  await transaction
    .updateTable("incident")
    .set({ status: "merged", merged_status: status, merged_into: into, held_until: null, refine_at: null })
    .where("id", "=", id)
    .execute();
  await moveOccasions(transaction, id, null);
  const { state, returns } = lifecycleOf(incident);
  if (state === "resolved") return;
  const version = returns === 0 ? {} : { version: returns };
  await noteOccasion(transaction, { scopeId, incidentId: id, kind: "resolved", ...version }, now);
}

async function separate(transaction: Transaction<ControlTables>, asked: Asked, id: string): Promise<SeparationOutcome> {
  const { scopeId } = asked;
  const found = await transaction
    .selectFrom("incident")
    .select("merged_into")
    .where("id", "=", id)
    .where("scope_id", "=", scopeId)
    .executeTakeFirst();
  if (!found) return { outcome: "unknown" };
  const { merged_into: into } = found;
  if (into === null) return { outcome: "not-merged" };
  await lockFailures(transaction, scopeId, [into]);
  const rows = await lockAll(transaction, scopeId, [into, id]);
  const [target, other] = [rows.get(into), rows.get(id)];
  // Of two at once, the second finds it separated, or without the incident that it was merged into.
  const isSeparated = target && other && (await giveBack(transaction, { ...asked, other, target }));
  return { outcome: isSeparated ? "changed" : "not-merged" };
}
