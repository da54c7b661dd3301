import type { Kysely } from "kysely";
import type { ColumnTypes } from "../column-types.ts";
import { required } from "../columns.ts";

/** Uploaded source files: releases, their files, and the texts that these share. */
export async function createSources(db: Kysely<unknown>, { text, bytes }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("source_bundle")
    .addColumn("scope_id", text, required)
    .addColumn("service", text, required)
    .addColumn("release", text, required)
    .addColumn("uploaded_at", text, required)
    .addColumn("commit_json", text)
    .addColumn("files", "integer", required)
    .addColumn("bytes", "bigint", required)
    .addColumn("key_id", text, required)
    .addPrimaryKeyConstraint("source_bundle_pk", ["scope_id", "service", "release"])
    .execute();
  await db.schema
    .createTable("source_file")
    .addColumn("scope_id", text, required)
    .addColumn("service", text, required)
    .addColumn("release", text, required)
    .addColumn("path", text, required)
    .addColumn("sha256", text, required)
    .addPrimaryKeyConstraint("source_file_pk", ["scope_id", "service", "release", "path"])
    .execute();
  await db.schema.createIndex("source_file_content_idx").on("source_file").columns(["scope_id", "sha256"]).execute();
  await db.schema
    .createTable("source_content")
    .addColumn("scope_id", text, required)
    .addColumn("sha256", text, required)
    .addColumn("text", bytes, required)
    .addColumn("bytes", "bigint", required)
    .addColumn("asked_at", text, required)
    .addPrimaryKeyConstraint("source_content_pk", ["scope_id", "sha256"])
    .execute();
}
