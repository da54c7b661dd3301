import type { Kysely } from "kysely";
import type { ColumnTypes } from "../column-types.ts";
import { required, zero } from "../columns.ts";

/** Uploaded source files: the lists of files that releases share, the releases, and the texts that the lists share. */
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
    .addColumn("uploaded_at", text, required)
    .addColumn("commit_json", text)
    .addColumn("manifest", text, required)
    .addColumn("bytes", "bigint", required)
    .addColumn("key_id", text, required)
    .addPrimaryKeyConstraint("source_bundle_pk", ["scope_id", "service", "release"])
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
    .addColumn("text", bytes, required)
    .addPrimaryKeyConstraint("source_content_pk", ["scope_id", "sha256"])
    .execute();
}
