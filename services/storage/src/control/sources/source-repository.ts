import { createHash } from "node:crypto";
import { type SourceBundle, sourceCommitSchema } from "@whence/protocol";
import type { Kysely, Transaction } from "kysely";
import { inTransaction } from "../databases/in-transaction.ts";
import { holdOrganization } from "../incidents/input-room.ts";
import type { ControlTables } from "../tables.ts";
import { pack, unpack } from "./packed-text.ts";
import type {
  AddSources,
  NewSourceBundle,
  PutSources,
  ReleaseName,
  SourceDirectory,
  SourceRepository,
  SourceRoom,
  StoredSources,
} from "./source-db.ts";
import {
  chunks,
  filesOf,
  removeUnlisted,
  type SourceManifest,
  sourceRowBytes,
  storedSourceBytes,
  storeManifest,
  toManifest,
} from "./source-manifest.ts";
import type { SourceBundleTable, SourceManifestTable, SourceOrigin } from "./source-tables.ts";
import { findWords, type NamedWords, packWords } from "./source-words.ts";

/** The scope's sources have no room for a release: what was written with it is taken back. */
export class NoSourceRoom extends Error {
  override readonly name = "NoSourceRoom";
}

type Reader = Pick<Kysely<ControlTables>, "selectFrom">;

function bundles(db: Reader, scopeId: string) {
  return db
    .selectFrom("source_bundle")
    .innerJoin("source_manifest", (join) =>
      join
        .onRef("source_manifest.scope_id", "=", "source_bundle.scope_id")
        .onRef("source_manifest.sha256", "=", "source_bundle.manifest"),
    )
    .where("source_bundle.scope_id", "=", scopeId);
}

/** Resolves with the files of a release that were uploaded, or sent by its processes; with null without any. */
export async function storedSources(
  db: Reader,
  scopeId: string,
  { service, release, origin }: ReleaseName & { readonly origin: SourceOrigin },
): Promise<StoredSources | null> {
  const row = await bundles(db, scopeId)
    .select(["commit_json", "uploaded_at", "source_manifest.text"])
    .where("service", "=", service)
    .where("release", "=", release)
    .where("origin", "=", origin)
    .executeTakeFirst();
  if (!row) return null;
  return { commit: commitOf(row), uploadedAt: row.uploaded_at, files: await filesOf(row.text) };
}

/** {@link SourceRepository} of one scope. */
export function sourceRepository(db: Kysely<ControlTables>, scopeId: string): SourceRepository {
  return {
    async addContents(texts, bytesMax, now) {
      const packed = await Promise.all(
        texts.map(async (text) => {
          const bytes = await pack(text);
          const words = packWords(text);
          const sha256 = createHash("sha256").update(text, "utf8").digest("hex");
          const asked_at = now.toISOString();
          const row = { scope_id: scopeId, sha256, asked_at, words, text: bytes };
          return { ...row, bytes: bytes.length + words.length + sourceRowBytes };
        }),
      );
      const adding = packed.reduce((sum, { bytes }) => sum + bytes, 0);
      if ((await storedSourceBytes(db, scopeId)) + adding > bytesMax) return false;
      // In the order of their digests: two uploads of the same texts wait for each other.
      const inOrder = packed.toSorted((left, right) => (left.sha256 < right.sha256 ? -1 : 1));
      await inTransaction(db, async (transaction) => {
        // One by one: each may be large.
        for (const row of inOrder) {
          const again = { asked_at: row.asked_at };
          const conflict = ["scope_id", "sha256"] as const;
          await transaction
            .insertInto("source_content")
            .values({ ...row, manifests: 0 })
            .onConflict((on) => on.columns(conflict).doUpdateSet(again))
            .execute();
        }
      });
      return true;
    },
    async put(bundle, room) {
      const manifest = await toManifest(bundle.files);
      return withinRoom(db, (transaction) =>
        putBundle(transaction, scopeId, { ...bundle, origin: "uploaded" }, manifest, room),
      );
    },
    async add({ files: added, ...bundle }, { filesMax, ...room }) {
      return withinRoom<AddSources>(db, async (transaction) => {
        await holdOrganization(transaction, scopeId);
        const stored = await storedSources(transaction, scopeId, { ...bundle, origin: "uploaded" });
        const files = [...new Map([...(stored?.files ?? []), ...added].map((file) => [file.path, file])).values()];
        if (files.length > filesMax) return { outcome: "too-many-files" };
        const merged = { ...bundle, commit: stored?.commit ?? null, files, origin: "uploaded" } as const;
        return putBundle(transaction, scopeId, merged, await toManifest(files), room);
      });
    },
    async list() {
      const rows = await bundles(db, scopeId)
        .selectAll("source_bundle")
        .select(["files", "content_bytes", "source_manifest.bytes as manifest_bytes"])
        .orderBy("uploaded_at", "desc")
        .orderBy("service")
        .orderBy("release")
        .execute();
      return rows.map(toBundle);
    },
    files: (service, release) => storedSources(db, scopeId, { service, release, origin: "uploaded" }),
    async content(sha256) {
      const row = await db
        .selectFrom("source_content")
        .select("text")
        .where("scope_id", "=", scopeId)
        .where("sha256", "=", sha256)
        .executeTakeFirst();
      return row ? unpack(row.text) : null;
    },
    naming: (sha256s, words) => textsNaming(db, scopeId, sha256s, words),
    async remove(service, release) {
      return inTransaction(db, (transaction) => removeBundles(transaction, scopeId, { service, release }));
    },
  };
}

/** Takes back what was written when the scope has no room for it. */
async function withinRoom<Outcome extends AddSources>(
  db: Kysely<ControlTables>,
  write: (transaction: Transaction<ControlTables>) => Promise<Outcome>,
): Promise<Outcome | { readonly outcome: "no-room" }> {
  try {
    return await inTransaction(db, write);
  } catch (error) {
    if (error instanceof NoSourceRoom) return { outcome: "no-room" };
    throw error;
  }
}

async function textsNaming(
  db: Reader,
  scopeId: string,
  sha256s: Iterable<string>,
  words: readonly string[],
): Promise<ReadonlyMap<string, NamedWords>> {
  const found = new Map<string, NamedWords>();
  for (const some of chunks([...new Set(sha256s)].sort())) {
    const rows = await db
      .selectFrom("source_content")
      .select(["sha256", "words"])
      .where("scope_id", "=", scopeId)
      .where("sha256", "in", some)
      .execute();
    for (const row of rows) {
      const named = findWords(row.words, words);
      if (named.contains.length > 0) found.set(row.sha256, named);
    }
  }
  return found;
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
        .where("manifests", "=", 0)
        .executeTakeFirst();
      await db.deleteFrom("wanted_source").where("asked_at", "<", notAskedSince.toISOString()).execute();
      await db.deleteFrom("artifact_chunk").where("asked_at", "<", notAskedSince.toISOString()).execute();
      await removeLostFiles(db);
      return Number(numDeletedRows);
    },
  };
}

/** Forgets where files with a debug ID were, once their release is gone. */
async function removeLostFiles(db: Kysely<ControlTables>): Promise<void> {
  await db
    .deleteFrom("debug_file")
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("source_bundle")
            .select("source_bundle.release")
            .whereRef("source_bundle.scope_id", "=", "debug_file.scope_id")
            .whereRef("source_bundle.service", "=", "debug_file.service")
            .whereRef("source_bundle.release", "=", "debug_file.release"),
        ),
      ),
    )
    .execute();
}

/** Removes a release, or all of a service, and leaves the texts to {@link SourceDirectory.removeUnused}. */
export async function removeBundles(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  { service, release, origin }: { readonly service: string; readonly release?: string; readonly origin?: SourceOrigin },
): Promise<boolean> {
  await holdOrganization(transaction, scopeId);
  const ofService = transaction
    .deleteFrom("source_bundle")
    .where("scope_id", "=", scopeId)
    .where("service", "=", service);
  const ofRelease = release === undefined ? ofService : ofService.where("release", "=", release);
  const which = origin === undefined ? ofRelease : ofRelease.where("origin", "=", origin);
  const { numDeletedRows } = await which.executeTakeFirst();
  await removeUnlisted(transaction, scopeId);
  return numDeletedRows > 0n;
}

/** Stores or replaces the files of a release that came from one origin. Rejects with {@link NoSourceRoom}. */
export async function putBundle(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  { service, release, origin, commit, files, keyId, now }: NewSourceBundle & { readonly origin: SourceOrigin },
  manifest: SourceManifest,
  { releasesPerServiceMax, bytesMax }: SourceRoom,
): Promise<PutSources> {
  await holdOrganization(transaction, scopeId);
  const wanted = new Set(files.map(({ sha256 }) => sha256));
  const found = await keepContents(transaction, scopeId, wanted, now);
  const missing = [...wanted].filter((sha256) => !found.has(sha256));
  if (missing.length > 0) return { outcome: "missing", sha256s: missing };
  await storeManifest(transaction, scopeId, manifest, found);
  const commit_json = commit && JSON.stringify(commit);
  const values = { uploaded_at: now.toISOString(), commit_json, manifest: manifest.sha256, key_id: keyId };
  const bytes = sourceRowBytes + Buffer.byteLength(`${service}${release}${commit_json ?? ""}`);
  await transaction
    .insertInto("source_bundle")
    .values({ scope_id: scopeId, service, release, origin, ...values, bytes })
    .onConflict((on) => on.columns(["scope_id", "service", "release", "origin"]).doUpdateSet({ ...values, bytes }))
    .execute();
  await removeOldest(transaction, scopeId, { service, origin }, releasesPerServiceMax);
  await removeUnlisted(transaction, scopeId);
  if ((await storedSourceBytes(transaction, scopeId)) > bytesMax) throw new NoSourceRoom();
  return { outcome: "stored" };
}

async function removeOldest(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  { service, origin }: { readonly service: string; readonly origin: SourceOrigin },
  keptMax: number,
): Promise<void> {
  const releases = await transaction
    .selectFrom("source_bundle")
    .select("release")
    .where("scope_id", "=", scopeId)
    .where("service", "=", service)
    .where("origin", "=", origin)
    .orderBy("uploaded_at", "desc")
    .execute();
  for (const { release } of releases.slice(keptMax)) {
    await removeBundles(transaction, scopeId, { service, release, origin });
  }
}

/** Those of the texts that are stored, which are now asked for, with what each takes. */
async function keepContents(
  transaction: Transaction<ControlTables>,
  scopeId: string,
  sha256s: ReadonlySet<string>,
  now: Date,
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for (const some of chunks([...sha256s].sort())) {
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

type ListedBundle = SourceBundleTable &
  Pick<SourceManifestTable, "files" | "content_bytes"> & { readonly manifest_bytes: number };

function toBundle(row: ListedBundle): SourceBundle {
  const { service, release, origin, files, key_id, uploaded_at } = row;
  const bytes = Number(row.content_bytes) + Number(row.manifest_bytes) + Number(row.bytes);
  return { service, release, origin, commit: commitOf(row), files, bytes, key_id, uploaded_at };
}

function commitOf({ commit_json }: Pick<SourceBundleTable, "commit_json">): SourceBundle["commit"] {
  return commit_json === null ? null : sourceCommitSchema.parse(JSON.parse(commit_json));
}
