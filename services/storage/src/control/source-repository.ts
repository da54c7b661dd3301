import { createHash } from "node:crypto";
import { type SourceBundle, sourceCommitSchema } from "@whence/protocol";
import { type Kysely, sql, type Transaction } from "kysely";
import { inTransaction } from "./in-transaction.ts";
import { pack, unpack } from "./packed-text.ts";
import type { SourceDirectory, SourceRepository } from "./source-db.ts";
import type { SourceBundleTable } from "./source-tables.ts";
import type { ControlTables } from "./tables.ts";

/** Rows written by one statement, whose parameters are bounded. */
const rowsAtOnce = 500;

/** {@link SourceRepository} of one scope. */
export function sourceRepository(db: Kysely<ControlTables>, scopeId: string): SourceRepository {
  const bundles = () => db.selectFrom("source_bundle").selectAll().where("scope_id", "=", scopeId);
  return {
    async missing(sha256s, now) {
      const found = await inTransaction(db, (transaction) => keepContents(transaction, scopeId, sha256s, now));
      return [...new Set(sha256s)].filter((sha256) => !found.has(sha256));
    },
    async addContents(texts, bytesMax, now) {
      const packed = await Promise.all(
        texts.map(async (text) => {
          const bytes = await pack(text);
          const sha256 = createHash("sha256").update(text, "utf8").digest("hex");
          return { scope_id: scopeId, sha256, text: bytes, bytes: bytes.length, asked_at: now.toISOString() };
        }),
      );
      const adding = packed.reduce((sum, { bytes }) => sum + bytes, 0);
      if ((await storedBytes(db, scopeId)) + adding > bytesMax) return false;
      // One by one: each may be large.
      for (const row of packed) {
        const again = { asked_at: row.asked_at };
        const conflict = ["scope_id", "sha256"] as const;
        await db
          .insertInto("source_content")
          .values(row)
          .onConflict((on) => on.columns(conflict).doUpdateSet(again))
          .execute();
      }
      return true;
    },
    async put({ service, release, commit, files, keyId, now }, keptMax) {
      return inTransaction(db, async (transaction) => {
        const wanted = files.map(({ sha256 }) => sha256);
        const found = await keepContents(transaction, scopeId, wanted, now);
        const missing = [...new Set(wanted)].filter((sha256) => !found.has(sha256));
        if (missing.length > 0) return missing;
        await removeBundles(transaction, scopeId, { service, release });
        const name = { scope_id: scopeId, service, release };
        const commit_json = commit && JSON.stringify(commit);
        const bytes = [...found.values()].reduce((sum, of) => sum + of, 0);
        const bundle = {
          ...{ ...name, commit_json, files: files.length, bytes, key_id: keyId, uploaded_at: now.toISOString() },
        };
        await transaction.insertInto("source_bundle").values(bundle).execute();
        for (const some of chunks(files)) {
          const rows = some.map(({ path, sha256 }) => ({ ...name, path, sha256 }));
          await transaction.insertInto("source_file").values(rows).execute();
        }
        await removeOldest(transaction, scopeId, service, keptMax);
        return [];
      });
    },
    async list() {
      const rows = await bundles().orderBy("uploaded_at", "desc").orderBy("service").orderBy("release").execute();
      return rows.map(toBundle);
    },
    async files(service, release) {
      const bundle = await bundles().where("service", "=", service).where("release", "=", release).executeTakeFirst();
      if (!bundle) return null;
      const files = await db
        .selectFrom("source_file")
        .select(["path", "sha256"])
        .where("scope_id", "=", scopeId)
        .where("service", "=", service)
        .where("release", "=", release)
        .orderBy("path")
        .execute();
      return { commit: toBundle(bundle).commit, uploadedAt: bundle.uploaded_at, files };
    },
    async content(sha256) {
      const row = await db
        .selectFrom("source_content")
        .select("text")
        .where("scope_id", "=", scopeId)
        .where("sha256", "=", sha256)
        .executeTakeFirst();
      return row ? unpack(row.text) : null;
    },
    async remove(service, release) {
      return inTransaction(db, (transaction) => removeBundles(transaction, scopeId, { service, release }));
    },
  };
}

/** {@link SourceDirectory}. */
export function sourceDirectory(db: Kysely<ControlTables>): SourceDirectory {
  return {
    async uploadedBefore(moment) {
      const rows = await db
        .selectFrom("source_bundle")
        .select(["scope_id as scopeId", "service", "release"])
        .where("uploaded_at", "<", moment.toISOString())
        .orderBy("uploaded_at")
        .execute();
      return rows;
    },
    async removeUnused(notAskedSince) {
      const { numDeletedRows } = await db
        .deleteFrom("source_content")
        .where("asked_at", "<", notAskedSince.toISOString())
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom("source_file")
                .select("source_file.path")
                .whereRef("source_file.scope_id", "=", "source_content.scope_id")
                .whereRef("source_file.sha256", "=", "source_content.sha256"),
            ),
          ),
        )
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

/** Removes a release, or all of a service, and leaves the texts to {@link SourceDirectory.removeUnused}. */
export async function removeBundles(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  { service, release }: { readonly service: string; readonly release?: string },
): Promise<boolean> {
  let removed = 0n;
  for (const table of ["source_file", "source_bundle"] as const) {
    const ofService = transaction.deleteFrom(table).where("scope_id", "=", scopeId).where("service", "=", service);
    const which = release === undefined ? ofService : ofService.where("release", "=", release);
    removed = (await which.executeTakeFirst()).numDeletedRows;
  }
  return removed > 0n;
}

async function removeOldest(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  service: string,
  keptMax: number,
): Promise<void> {
  const releases = await transaction
    .selectFrom("source_bundle")
    .select("release")
    .where("scope_id", "=", scopeId)
    .where("service", "=", service)
    .orderBy("uploaded_at", "desc")
    .execute();
  for (const { release } of releases.slice(keptMax)) await removeBundles(transaction, scopeId, { service, release });
}

/** Those of the texts that are stored, which are now asked for, with what each takes. */
async function keepContents(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  sha256s: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for (const some of chunks([...new Set(sha256s)].sort())) {
    const rows = await transaction
      .updateTable("source_content")
      .set({ asked_at: now.toISOString() })
      .where("scope_id", "=", scopeId)
      .where("sha256", "in", some)
      .returning(["sha256", "bytes"])
      .execute();
    for (const { sha256, bytes } of rows) found.set(sha256, Number(bytes));
  }
  return found;
}

async function storedBytes(db: Kysely<ControlTables>, scopeId: string): Promise<number> {
  const { bytes } = await db
    .selectFrom("source_content")
    .select(sql<number | string | null>`sum(bytes)`.as("bytes"))
    .where("scope_id", "=", scopeId)
    .executeTakeFirstOrThrow();
  return Number(bytes ?? 0);
}

function toBundle(row: SourceBundleTable): SourceBundle {
  const { service, release, commit_json, files, bytes, key_id, uploaded_at } = row;
  const commit = commit_json === null ? null : sourceCommitSchema.parse(JSON.parse(commit_json));
  return { service, release, commit, files, bytes: Number(bytes), key_id, uploaded_at };
}

function chunks<Item>(items: readonly Item[]): Item[][] {
  const parts: Item[][] = [];
  for (let from = 0; from < items.length; from += rowsAtOnce) parts.push(items.slice(from, from + rowsAtOnce));
  return parts;
}
