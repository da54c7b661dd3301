import type { Migration } from "kysely/migration";
import { columnTypesOf, type DatabaseType } from "./column-types.ts";
import { required } from "./columns.ts";

/** Parts of bundles that are being uploaded, and where built files with a debug ID are. */
export function artifactsMigration(type: DatabaseType): Migration {
  const { text, bytes } = columnTypesOf(type);
  return {
    async up(db) {
      await db.schema
        .createTable("artifact_chunk")
        .addColumn("scope_id", text, required)
        .addColumn("sha1", text, required)
        .addColumn("bytes", "integer", required)
        .addColumn("asked_at", text, required)
        .addColumn("data", bytes, required)
        .addPrimaryKeyConstraint("artifact_chunk_pk", ["scope_id", "sha1"])
        .execute();
      await db.schema.createIndex("artifact_chunk_asked_idx").on("artifact_chunk").column("asked_at").execute();
      await db.schema
        .createTable("debug_file")
        .addColumn("scope_id", text, required)
        .addColumn("service", text, required)
        .addColumn("debug_id", text, required)
        .addColumn("release", text, required)
        .addColumn("path", text, required)
        .addPrimaryKeyConstraint("debug_file_pk", ["scope_id", "service", "debug_id"])
        .execute();
    },
  };
}
