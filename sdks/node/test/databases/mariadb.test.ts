import { createConnection, createPool, type Pool } from "mariadb";
import { createPool as createCallbackPool } from "mariadb/callback";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { whenceMariadb } from "../../src/databases/mariadb.ts";
import { whenceJob } from "../../src/frameworks/jobs.ts";
import { close, init } from "../../src/index.ts";
import { startGateway, type TestGateway } from "../gateway.ts";
import { callsNow } from "./breadcrumbs-now.ts";
import { type MysqlServer, startMysqlServer } from "./mysql-server.ts";

let server: MysqlServer;
let gateway: TestGateway;

beforeAll(async () => {
  server = await startMysqlServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  gateway = await startGateway();
  init({ apiKey: "k", endpoint: gateway.url });
});
afterEach(async () => {
  await close(1_000);
  await gateway.close();
});

const settings = () => ({ host: "127.0.0.1", port: server.port, user: "u", password: "p", connectionLimit: 1 });
const failing = "SELECT fails FROM t WHERE a = 'bob'";
const brief = (error: unknown): unknown =>
  error instanceof Error
    ? [error.constructor.name, error.message.replace(/conn:\d+/, "conn"), Object.keys(error)]
    : error;

/** Runs every kind of query, and returns the outcomes. */
async function outcomes(watch: (opened: object) => void): Promise<unknown[]> {
  const pool = createPool(settings());
  const byCallback = createCallbackPool(settings());
  watch(pool);
  watch(byCallback);
  const connection = await pool.getConnection();
  const streamed = [];
  for await (const row of connection.queryStream("SELECT 5")) streamed.push(row);
  const results = [
    await connection.query("SELECT 1"),
    await connection.query({ sql: "SELECT ?" }, ["it's bob"]),
    await connection.query(failing).catch(brief),
    await connection.execute("DELETE FROM a"),
    streamed,
    await new Promise((resolve) => {
      connection
        .queryStream(failing)
        .on("error", (error) => resolve(brief(error)))
        .resume();
    }),
  ];
  await connection.release();
  results.push(
    await pool.query("SELECT 6"),
    await pool.query(failing).catch(brief),
    await new Promise((resolve) => {
      byCallback.query("SELECT 7", (error: unknown, rows: unknown) => resolve([brief(error), rows]));
    }),
    await new Promise((resolve) => {
      byCallback.query(failing, (error: unknown, rows: unknown) => resolve([brief(error), rows]));
    }),
  );
  await pool.end();
  await new Promise<void>((resolve) => {
    byCallback.end(() => resolve());
  });
  return results;
}

describe("a query of mariadb", () => {
  it("is a breadcrumb without values, with the same results and errors as without the client", async () => {
    const before = await outcomes(() => undefined);
    expect(await outcomes(whenceMariadb)).toEqual(before);
    expect(before).toHaveLength(10);
    const plain = { system: "mysql", operation: "SELECT", statement: "SELECT ?" };
    const failed = {
      system: "mysql",
      operation: "SELECT",
      statement: "SELECT fails FROM t WHERE a = ?",
      error: "no such thing",
      error_code: expect.any(String),
    };
    const calls = await callsNow(gateway);
    expect(calls).toEqual([
      ...[plain, plain, plain, failed],
      { ...plain, operation: "DELETE", statement: "DELETE FROM a" },
      ...[failed, plain, failed, plain, failed],
    ]);
    expect(JSON.stringify(calls)).not.toContain("bob");
  });

  it("is recorded for a single connection", async () => {
    const connection = await createConnection(settings());
    whenceMariadb(connection);
    await connection.query("SELECT 'bob'");
    await connection.beginTransaction();
    expect(await callsNow(gateway)).toMatchObject([{ statement: "SELECT ?" }, { statement: "START TRANSACTION" }]);
    await connection.end();
  });

  it("on an exhausted pool belongs to the request that waited for the connection", async () => {
    const pool: Pool = createPool(settings());
    whenceMariadb(pool);
    const taken = await pool.getConnection();
    let trail: Promise<unknown[]> | undefined;
    const waited = whenceJob("waits", async () => {
      await pool.query("SELECT 'waited'");
      trail = callsNow(gateway);
      await trail;
    })();
    await whenceJob("releases", async () => taken.release())();
    await waited;
    expect(await trail).toMatchObject([{ statement: "SELECT ?" }]);
    await pool.end();
  });

  it("rejects unhandled when no one handles its promise", async () => {
    const pool = createPool(settings());
    whenceMariadb(pool);
    const theirs = process.listeners("unhandledRejection");
    process.removeAllListeners("unhandledRejection");
    const rejected = new Promise((resolve) => process.once("unhandledRejection", resolve));
    void pool.query(failing);
    const reason = await rejected;
    for (const listener of theirs) process.on("unhandledRejection", listener);
    expect(reason).toMatchObject({ sqlMessage: "no such thing" });
    await pool.end();
  });
});
