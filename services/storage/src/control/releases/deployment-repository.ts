import type { Kysely, Selectable, Transaction } from "kysely";
import type { AlertName } from "../alerts/alert-db.ts";
import { inTransaction } from "../databases/in-transaction.ts";
import type { ControlTables } from "../tables.ts";
import type { Deployment, DeploymentDirectory, DeploymentRepository, TakenDeployment } from "./deployment-db.ts";
import type { DeploymentTable } from "./deployment-table.ts";

/** {@link DeploymentRepository} of one scope. */
export function deploymentRepository(db: Kysely<ControlTables>, scopeId: string): DeploymentRepository {
  return {
    async watch(deployment, firstCheckAt, keptMax) {
      const { sourceId, key, service, env, release, commit, url, liveAt } = deployment;
      const about = { service, env, release, commit_id: commit, url, live_at: liveAt };
      const watched = { ...about, next_check_at: firstCheckAt.toISOString() };
      await inTransaction(db, async (transaction) => {
        await transaction
          .insertInto("deployment")
          .values({ scope_id: scopeId, source_id: sourceId, key, ...watched, checks: 0 })
          .onConflict((conflict) =>
            conflict
              .columns(["scope_id", "source_id", "key"])
              .doUpdateSet(({ eb, ref }) => ({ ...watched, checks: eb(ref("deployment.checks"), "+", 1) }))
              .where("deployment.live_at", "<", liveAt),
          )
          .execute();
        await removeOldest(transaction, scopeId, { sourceId, keptMax });
      });
    },
    async find({ sourceId, key }) {
      const row = await ofSource(db, scopeId, sourceId).where("key", "=", key).executeTakeFirst();
      return row ? toDeployment(row) : null;
    },
  };
}

/** {@link DeploymentDirectory}. */
export function deploymentDirectory(db: Kysely<ControlTables>): DeploymentDirectory {
  return {
    async take(now, { holdMs, max }) {
      const due = await db
        .selectFrom("deployment")
        .selectAll()
        .where("next_check_at", "<=", now.toISOString())
        .orderBy("next_check_at")
        .limit(max)
        .execute();
      const until = new Date(now.getTime() + holdMs).toISOString();
      const taken: TakenDeployment[] = [];
      for (const row of due) {
        const check = row.checks + 1;
        const name = { scopeId: row.scope_id, sourceId: row.source_id, key: row.key };
        const isOurs = await change(db, { ...name, check: row.checks }, { checks: check, next_check_at: until });
        if (isOurs) taken.push({ ...toDeployment(row), scopeId: row.scope_id, check });
      }
      return taken;
    },
    postpone: (taken, nextCheckAt) => change(db, taken, { next_check_at: nextCheckAt.toISOString() }),
    end: (taken) => change(db, taken, { next_check_at: null }),
  };
}

/** Changes it while it is watched and that check is its latest: of two processes, one succeeds. */
async function change(
  db: Kysely<ControlTables>,
  { scopeId, sourceId, key, check }: AlertName & Pick<TakenDeployment, "scopeId" | "check">,
  values: Partial<DeploymentTable>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("deployment")
    .set(values)
    .where("scope_id", "=", scopeId)
    .where("source_id", "=", sourceId)
    .where("key", "=", key)
    .where("checks", "=", check)
    .where("next_check_at", "is not", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

function ofSource(db: Kysely<ControlTables>, scopeId: string, sourceId: string) {
  return db.selectFrom("deployment").selectAll().where("scope_id", "=", scopeId).where("source_id", "=", sourceId);
}

async function removeOldest(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  { sourceId, keptMax }: { readonly sourceId: string; readonly keptMax: number },
): Promise<void> {
  const oldest = await ofSource(transaction, scopeId, sourceId)
    .orderBy("live_at", "desc")
    .orderBy("key")
    .offset(keptMax)
    .limit(removedAtOnce)
    .execute();
  for (const { key } of oldest) {
    await transaction
      .deleteFrom("deployment")
      .where("scope_id", "=", scopeId)
      .where("source_id", "=", sourceId)
      .where("key", "=", key)
      .execute();
  }
}

/** More than one deployment adds, so that a lower limit comes to hold as well. */
const removedAtOnce = 20;

function toDeployment(row: Selectable<DeploymentTable>): Deployment {
  const { source_id: sourceId, key, service, env, release, commit_id: commit, url, live_at: liveAt } = row;
  return { sourceId, key, service, env, release, commit, url, liveAt };
}
