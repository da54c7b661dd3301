import { sourceCommitSchema } from "@whence/protocol";
import type { Kysely, Transaction } from "kysely";
import { z } from "zod";
import { inTransaction } from "../databases/in-transaction.ts";
import type { ControlTables } from "../tables.ts";
import type { ReleaseCommit, ReleaseCommitRepository } from "./release-commit-db.ts";

const noCommits = "[]";
const storedSchema = z.array(sourceCommitSchema.extend({ paths: z.array(z.string()).nullable() }));

/** {@link ReleaseCommitRepository} of one scope. */
export function releaseCommitRepository(db: Kysely<ControlTables>, scopeId: string): ReleaseCommitRepository {
  return {
    async announce(release, services, now, keptMax) {
      const announced_at = now.toISOString();
      const row = { scope_id: scopeId, release, announced_at, commits_json: noCommits };
      // In one order: two requests of the same services wait for each other.
      const rows = [...new Set(services)].sort().map((service) => ({ ...row, service }));
      if (rows.length === 0) return;
      await inTransaction(db, async (transaction) => {
        await transaction
          .insertInto("release_commits")
          .values(rows)
          .onConflict((on) =>
            on
              .columns(["scope_id", "service", "release"])
              .doUpdateSet({ announced_at })
              // Of a release with commits, it is when they were set: a rebuild isn't the release before the next one.
              .where("release_commits.commits_json", "=", noCommits),
          )
          .execute();
        await removeOldest(transaction, scopeId, keptMax);
      });
    },
    async services(release) {
      const having = await servicesOf(db, scopeId, release).orderBy("service").execute();
      return having.map(({ service }) => service);
    },
    async set(release, commits, now) {
      const updated = await db
        .updateTable("release_commits")
        .set({ announced_at: now.toISOString(), commits_json: JSON.stringify(commits) })
        .where("scope_id", "=", scopeId)
        .where("release", "=", release)
        .returning("service")
        .execute();
      return updated.map(({ service }) => service).sort();
    },
    async of(service, names) {
      if (names.length === 0) return [];
      const found = await withCommits(db, scopeId)
        .where("service", "=", service)
        .where("release", "in", [...names])
        .executeTakeFirst();
      return found ? parseCommits(found.commits_json) : [];
    },
    async before(release) {
      const found = await withCommits(db, scopeId)
        .where("service", "in", servicesOf(db, scopeId, release))
        .where("release", "!=", release)
        .executeTakeFirst();
      const [newest] = found ? parseCommits(found.commits_json) : [];
      return found && newest ? { release: found.release, setAt: found.announced_at, commit: newest.id } : null;
    },
  };
}

function servicesOf(db: Kysely<ControlTables>, scopeId: string, release: string) {
  return db
    .selectFrom("release_commits")
    .select("service")
    .where("scope_id", "=", scopeId)
    .where("release", "=", release);
}

/** Releases with commits, the last one first. */
function withCommits(db: Kysely<ControlTables>, scopeId: string) {
  return db
    .selectFrom("release_commits")
    .selectAll()
    .where("scope_id", "=", scopeId)
    .where("commits_json", "!=", noCommits)
    .orderBy("announced_at", "desc")
    .orderBy("release", "desc")
    .limit(1);
}

function parseCommits(json: string): readonly ReleaseCommit[] {
  return storedSchema.parse(JSON.parse(json));
}

async function removeOldest(transaction: Transaction<ControlTables>, scopeId: string, keptMax: number): Promise<void> {
  const oldest = await transaction
    .selectFrom("release_commits")
    .select(["service", "release"])
    .where("scope_id", "=", scopeId)
    .orderBy("announced_at", "desc")
    .orderBy("service")
    .orderBy("release")
    .offset(keptMax)
    .limit(removedAtOnce)
    .execute();
  for (const { service, release } of oldest) {
    await transaction
      .deleteFrom("release_commits")
      .where("scope_id", "=", scopeId)
      .where("service", "=", service)
      .where("release", "=", release)
      .execute();
  }
}

/** More than one announcement adds, so that a lower limit comes to hold as well. */
const removedAtOnce = 40;
