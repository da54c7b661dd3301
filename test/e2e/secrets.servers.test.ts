import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PostgresServer, startPostgres } from "../servers/postgres.ts";
import { findProgram } from "../servers/programs.ts";
import { type RunWithSecrets, runWithSecrets } from "./secrets/run-with-secrets.ts";
import { findSecrets } from "./secrets/search-secrets.ts";

const dumpBytesMax = 100_000_000;

let folder: string;
let postgres: PostgresServer;
let dump: Buffer;
let ran: RunWithSecrets;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "whence-secrets-"));
  postgres = await startPostgres();
  const url = await postgres.database();
  ran = await runWithSecrets(folder, { DATABASE_URL: url });
  const pgDump = findProgram("pg_dump", "postgresql");
  const dumped = await promisify(execFile)(pgDump, ["--inserts", url], { maxBuffer: dumpBytesMax });
  dump = Buffer.from(dumped.stdout);
});
afterAll(async () => {
  await postgres?.stop();
  await rm(folder, { recursive: true, force: true });
});

describe("a service on PostgreSQL with every kind of integration connected", () => {
  it("has no secret in a dump of its database, or anywhere else", () => {
    expect(dump.includes("incident-management")).toBe(true);
    expect(findSecrets(ran.secrets, [["the dump", dump], ...ran.places])).toEqual([]);
  });

  it("doesn't print the password of its database", () => {
    const { password } = new URL(postgres.url);
    expect(findSecrets({ password }, ran.places)).toEqual([]);
  });
});
