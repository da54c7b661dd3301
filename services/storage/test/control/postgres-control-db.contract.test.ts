import { randomBytes } from "node:crypto";
import { afterAll, beforeAll } from "vitest";
import { type PostgresServer, startPostgres } from "../../../../test/servers/postgres.ts";
import { openPostgresControlDb } from "../../src/control/postgres-control-db.ts";
import { describeControlDb } from "./control-db.contract.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

describeControlDb("postgres", async () =>
  openPostgresControlDb({ url: await server.database(), secretKeys: [randomBytes(32)] }),
);
