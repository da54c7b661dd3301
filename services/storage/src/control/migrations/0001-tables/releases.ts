import type { Kysely } from "kysely";
import type { ColumnTypes } from "../column-types.ts";
import { required } from "../columns.ts";

/** Releases that were reported as live. */
export async function createReleases(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("reported_release")
    .addColumn("scope_id", text, required)
    .addColumn("service", text, required)
    .addColumn("release", text, required)
    .addColumn("env", text, required)
    .addColumn("live_at", text, required)
    .addColumn("reported_at", text, required)
    .addColumn("reported_by", text, required)
    .addColumn("commit_id", text)
    .addColumn("url", text)
    .addPrimaryKeyConstraint("reported_release_pk", ["scope_id", "service", "env", "live_at", "release"])
    .execute();
  await db.schema
    .createIndex("reported_release_live_idx")
    .on("reported_release")
    .columns(["scope_id", "live_at"])
    .execute();
}
