import type { Kysely } from "kysely";
import { inTransaction } from "../databases/in-transaction.ts";
import { chunks, sourceRowBytes, storedSourceBytes } from "../sources/source-manifest.ts";
import type { ControlTables } from "../tables.ts";
import type { ArtifactRepository } from "./artifact-db.ts";

/** {@link ArtifactRepository} of one scope. */
export function artifactRepository(db: Kysely<ControlTables>, scopeId: string): ArtifactRepository {
  return {
    async addChunk({ sha1, data }, bytesMax, now) {
      const asked_at = now.toISOString();
      const again = await db
        .updateTable("artifact_chunk")
        .set({ asked_at })
        .where("scope_id", "=", scopeId)
        .where("sha1", "=", sha1)
        .returning("sha1")
        .executeTakeFirst();
      if (again) return true;
      const bytes = data.length + sourceRowBytes;
      if ((await storedSourceBytes(db, scopeId)) + bytes > bytesMax) return false;
      await db
        .insertInto("artifact_chunk")
        .values({ scope_id: scopeId, sha1, bytes, asked_at, data })
        .onConflict((on) => on.columns(["scope_id", "sha1"]).doUpdateSet({ asked_at }))
        .execute();
      return true;
    },
    async missingChunks(sha1s, now) {
      const found = new Set<string>();
      for (const some of chunks([...new Set(sha1s)].sort())) {
        const rows = await db
          .updateTable("artifact_chunk")
          .set({ asked_at: now.toISOString() })
          .where("scope_id", "=", scopeId)
          .where("sha1", "in", some)
          .returning("sha1")
          .execute();
        for (const { sha1 } of rows) found.add(sha1);
      }
      return sha1s.filter((sha1) => !found.has(sha1));
    },
    async chunk(sha1) {
      const row = await db
        .selectFrom("artifact_chunk")
        .select("data")
        .where("scope_id", "=", scopeId)
        .where("sha1", "=", sha1)
        .executeTakeFirst();
      return row?.data ?? null;
    },
    async removeChunks(sha1s) {
      for (const some of chunks(sha1s)) {
        await db.deleteFrom("artifact_chunk").where("scope_id", "=", scopeId).where("sha1", "in", some).execute();
      }
    },
    async putFiles(service, files) {
      const rows = files.map(({ debugId: debug_id, release, path }) => {
        return { scope_id: scopeId, service, debug_id, release, path };
      });
      // In one order: two uploads of the same files wait for each other.
      const inOrder = rows.toSorted((left, right) => (left.debug_id < right.debug_id ? -1 : 1));
      await inTransaction(db, async (transaction) => {
        for (const some of chunks(inOrder)) {
          await transaction
            .insertInto("debug_file")
            .values(some)
            .onConflict((on) =>
              on.columns(["scope_id", "service", "debug_id"]).doUpdateSet(({ ref }) => {
                return { release: ref("excluded.release"), path: ref("excluded.path") };
              }),
            )
            .execute();
        }
      });
    },
    async files(service, debugIds) {
      const found = await db
        .selectFrom("debug_file")
        .select(["debug_id as debugId", "release", "path"])
        .where("scope_id", "=", scopeId)
        .where("service", "=", service)
        .where("debug_id", "in", debugIds)
        .execute();
      return found;
    },
  };
}
