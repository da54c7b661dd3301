import type { ReportedRelease } from "@whence/protocol";
import type { Kysely, Transaction } from "kysely";
import { inTransaction } from "./in-transaction.ts";
import type { ReleaseDirectory, ReleaseRepository } from "./release-db.ts";
import type { ReportedReleaseTable } from "./release-table.ts";
import type { ControlTables } from "./tables.ts";

/** {@link ReleaseRepository} of one scope. */
export function releaseRepository(db: Kysely<ControlTables>, scopeId: string): ReleaseRepository {
  return {
    async report({ service, release, env, commit, url }, now, keptMax) {
      const row = { scope_id: scopeId, service, release, env, live_at: now.toISOString(), commit_id: commit, url };
      return inTransaction(db, async (transaction) => {
        const stored = await transaction
          .insertInto("reported_release")
          .values(row)
          .onConflict((on) =>
            on.columns(["scope_id", "service", "release", "env"]).doUpdateSet({ commit_id: commit, url }),
          )
          .returningAll()
          .executeTakeFirstOrThrow();
        await removeOldest(transaction, scopeId, keptMax);
        return toRelease(stored);
      });
    },
    async list(env) {
      const all = ofScope(db, scopeId).orderBy("live_at", "desc").orderBy("service").orderBy("release").orderBy("env");
      const rows = await (env === undefined ? all : all.where("env", "=", env)).execute();
      return rows.map(toRelease);
    },
    async commitOf(service, names) {
      if (names.length === 0) return null;
      const found = await ofScope(db, scopeId)
        .where("service", "=", service)
        .where("release", "in", [...names])
        .where("commit_id", "is not", null)
        .orderBy("live_at", "desc")
        .limit(1)
        .executeTakeFirst();
      return found?.commit_id ?? null;
    },
    async remove(service, release) {
      const { numDeletedRows } = await db
        .deleteFrom("reported_release")
        .where("scope_id", "=", scopeId)
        .where("service", "=", service)
        .where("release", "=", release)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
  };
}

/** {@link ReleaseDirectory}. */
export function releaseDirectory(db: Kysely<ControlTables>): ReleaseDirectory {
  return {
    liveBefore: (moment) =>
      db
        .selectFrom("reported_release")
        .select(["scope_id as scopeId", "service", "release"])
        .groupBy(["scope_id", "service", "release"])
        .having(({ fn }) => fn.max("live_at"), "<", moment.toISOString())
        .orderBy(({ fn }) => fn.max("live_at"))
        .execute(),
  };
}

function ofScope(db: Kysely<ControlTables>, scopeId: string) {
  return db.selectFrom("reported_release").selectAll().where("scope_id", "=", scopeId);
}

async function removeOldest(transaction: Transaction<ControlTables>, scopeId: string, keptMax: number): Promise<void> {
  const oldest = await ofScope(transaction, scopeId)
    .orderBy("live_at", "desc")
    .orderBy("service")
    .orderBy("release")
    .orderBy("env")
    .offset(keptMax)
    .limit(removedAtOnce)
    .execute();
  for (const { service, release, env } of oldest) {
    await transaction
      .deleteFrom("reported_release")
      .where("scope_id", "=", scopeId)
      .where("service", "=", service)
      .where("release", "=", release)
      .where("env", "=", env)
      .execute();
  }
}

/** More than one report adds, so that a lower limit comes to hold as well. */
const removedAtOnce = 20;

function toRelease({ service, release, env, live_at, commit_id, url }: ReportedReleaseTable): ReportedRelease {
  return { service, release, env, commit: commit_id, url, live_at };
}
