import type { ReportedRelease } from "@whence/protocol";
import type { Kysely, Transaction } from "kysely";
import { inTransaction } from "../databases/in-transaction.ts";
import type { ControlTables } from "../tables.ts";
import type { ReleaseDirectory, ReleaseRepository } from "./release-db.ts";
import type { ReportedReleaseTable } from "./release-table.ts";

/** {@link ReleaseRepository} of one scope. */
export function releaseRepository(db: Kysely<ControlTables>, scopeId: string): ReleaseRepository {
  return {
    async report({ reportedBy: reported_by, commit, url, ...name }, now, keptMax) {
      const at = now.toISOString();
      const told = { commit_id: commit, url, reported_by };
      return inTransaction(db, async (transaction) => {
        const same = await sameDeploy(transaction, scopeId, name, at);
        const row = { scope_id: scopeId, ...name, live_at: same?.live_at ?? at, ...told };
        const reported_at = same && same.reported_at > at ? same.reported_at : at;
        const stored = await transaction
          .insertInto("reported_release")
          .values({ ...row, reported_at })
          .onConflict((on) =>
            on.columns(["scope_id", "service", "env", "live_at", "release"]).doUpdateSet({ ...told, reported_at }),
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
      return inTransaction(db, async (transaction) => {
        let removed = 0n;
        for (const table of ["reported_release", "release_commits"] as const) {
          const { numDeletedRows } = await transaction
            .deleteFrom(table)
            .where("scope_id", "=", scopeId)
            .where("service", "=", service)
            .where("release", "=", release)
            .executeTakeFirst();
          removed += numDeletedRows;
        }
        return removed > 0n;
      });
    },
  };
}

/** {@link ReleaseDirectory}. */
export function releaseDirectory(db: Kysely<ControlTables>): ReleaseDirectory {
  return {
    liveBefore: (moment) =>
      db
        .selectFrom(
          db
            .selectFrom("reported_release")
            .select(["scope_id as scopeId", "service", "release", "live_at as at"])
            .unionAll(
              db
                .selectFrom("release_commits")
                .select(["scope_id as scopeId", "service", "release", "announced_at as at"]),
            )
            .as("known"),
        )
        .select(["scopeId", "service", "release"])
        .groupBy(["scopeId", "service", "release"])
        .having(({ fn }) => fn.max("at"), "<", moment.toISOString())
        .orderBy(({ fn }) => fn.max("at"))
        .execute(),
  };
}

function ofScope(db: Kysely<ControlTables>, scopeId: string) {
  return db.selectFrom("reported_release").selectAll().where("scope_id", "=", scopeId);
}

/** The report that this one repeats: the one before or after it in the environment, if it is of the same release. */
async function sameDeploy(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  { service, env, release }: Pick<ReportedReleaseTable, "service" | "env" | "release">,
  at: string,
): Promise<ReportedReleaseTable | undefined> {
  const all = ofScope(transaction, scopeId).where("service", "=", service).where("env", "=", env).limit(1);
  const beside = await Promise.all([
    all.where("live_at", "<=", at).orderBy("live_at", "desc").executeTakeFirst(),
    all.where("live_at", ">", at).orderBy("live_at").executeTakeFirst(),
  ]);
  return beside.find((one) => one?.release === release);
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
  for (const { service, release, env, live_at } of oldest) {
    await transaction
      .deleteFrom("reported_release")
      .where("scope_id", "=", scopeId)
      .where("service", "=", service)
      .where("release", "=", release)
      .where("env", "=", env)
      .where("live_at", "=", live_at)
      .execute();
  }
}

/** More than one report adds, so that a lower limit comes to hold as well. */
const removedAtOnce = 20;

function toRelease({ scope_id, commit_id, ...release }: ReportedReleaseTable): ReportedRelease {
  return { ...release, commit: commit_id };
}
