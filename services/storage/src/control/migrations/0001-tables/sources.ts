import type { Kysely } from "kysely";
import type { ColumnTypes } from "../column-types.ts";
import { required, zero } from "../columns.ts";

/**
 * Source files: the lists of files that releases share, the releases, the texts that the lists share, and the files
 * that investigations lack.
 */
export async function createSources(db: Kysely<unknown>, { text, bytes }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("source_manifest")
    .addColumn("scope_id", text, required)
    .addColumn("sha256", text, required)
    .addColumn("files", "integer", required)
    .addColumn("bytes", "bigint", required)
    .addColumn("content_bytes", "bigint", required)
    .addColumn("text", bytes, required)
    .addPrimaryKeyConstraint("source_manifest_pk", ["scope_id", "sha256"])
    .execute();
  await db.schema
    .createTable("source_bundle")
    .addColumn("scope_id", text, required)
    .addColumn("service", text, required)
    .addColumn("release", text, required)
    .addColumn("origin", text, required)
    .addColumn("uploaded_at", text, required)
    .addColumn("commit_json", text)
    .addColumn("manifest", text, required)
    .addColumn("bytes", "bigint", required)
    .addColumn("key_id", text, required)
    .addPrimaryKeyConstraint("source_bundle_pk", ["scope_id", "service", "release", "origin"])
    .execute();
  await db.schema
    .createIndex("source_bundle_manifest_idx")
    .on("source_bundle")
    .columns(["scope_id", "manifest"])
    .execute();
  // The text comes last: what is before it is read without it.
  await db.schema
    .createTable("source_content")
    .addColumn("scope_id", text, required)
    .addColumn("sha256", text, required)
    .addColumn("bytes", "bigint", required)
    .addColumn("asked_at", text, required)
    .addColumn("manifests", "integer", zero)
    .addColumn("words", bytes, required)
    .addColumn("text", bytes, required)
    .addPrimaryKeyConstraint("source_content_pk", ["scope_id", "sha256"])
    .execute();
  await db.schema
    .createTable("wanted_source")
    .addColumn("scope_id", text, required)
    .addColumn("service", text, required)
    .addColumn("release", text, required)
    .addColumn("paths_json", text, required)
    .addColumn("rounds_json", text, required)
    .addColumn("asked_at", text, required)
    .addPrimaryKeyConstraint("wanted_source_pk", ["scope_id", "service", "release"])
    .execute();
}
