import type { Migration } from "kysely/migration";
import { columnTypesOf, type DatabaseType } from "./column-types.ts";
import { required } from "./columns.ts";

/** The commits of releases, as build tools set them. */
export function releaseCommitsMigration(type: DatabaseType): Migration {
  const { text } = columnTypesOf(type);
  return {
    async up(db) {
      await db.schema
        .createTable("release_commits")
        .addColumn("scope_id", text, required)
        .addColumn("service", text, required)
        .addColumn("release", text, required)
        .addColumn("announced_at", text, required)
        .addColumn("commits_json", text, required)
        .addPrimaryKeyConstraint("release_commits_pk", ["scope_id", "service", "release"])
        .execute();
      await db.schema
        .createIndex("release_commits_announced_idx")
        .on("release_commits")
        .columns(["scope_id", "announced_at"])
        .execute();
    },
  };
}
