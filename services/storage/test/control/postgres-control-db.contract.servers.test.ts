import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type PostgresServer, startPostgres } from "../../../../test/servers/postgres.ts";
import { openPostgresControlDb } from "../../src/control/databases/postgres-control-db.ts";
import { describeControlDb } from "./control-db.contract.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

describeControlDb("postgres", async () =>
  openPostgresControlDb({ url: await server.database(), secretKeys: [randomBytes(32)] }),
);

it("orders text by its bytes in every column, on a server that wouldn't by default", async () => {
  const db = await openPostgresControlDb({ url: await server.database(), secretKeys: [] });
  const { db: raw } = db.identity;
  const { rows } = await sql`select 'B' < 'a' as by_bytes`.execute(raw);
  const columns = await sql`select table_name, column_name from information_schema.columns
    where table_schema = 'public' and table_name not like 'kysely%' and data_type = 'text'
      and collation_name is distinct from 'C'`.execute(raw);
  await db.close();
  expect(rows).toEqual([{ by_bytes: false }]);
  expect(columns.rows).toEqual([]);
});
