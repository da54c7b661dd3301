import { once } from "node:events";
import mysql, { type Connection, type Pool } from "mysql2";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { whenceMysql2 } from "../../src/databases/mysql2.ts";
import { whenceJob } from "../../src/frameworks/jobs.ts";
import { close, init } from "../../src/index.ts";
import { startGateway, type TestGateway } from "../gateway.ts";
import { callsNow } from "./breadcrumbs-now.ts";
import { type MysqlServer, startMysqlServer } from "./mysql-server.ts";

let server: MysqlServer;
let gateway: TestGateway;
let pool: Pool;
let connection: Connection;
let before: unknown[];

beforeAll(async () => {
  server = await startMysqlServer();
  const where = { host: "127.0.0.1", port: server.port, user: "u", password: "p", database: "shop" };
  pool = mysql.createPool({ ...where, connectionLimit: 1 });
  connection = mysql.createConnection(where);
  before = await outcomes();
  whenceMysql2(mysql);
  whenceMysql2(mysql);
});
afterAll(async () => {
  connection.destroy();
  await pool.promise().end();
  server.close();
});
beforeEach(async () => {
  gateway = await startGateway();
  init({ apiKey: "k", endpoint: gateway.url });
});
afterEach(async () => {
  await close(1_000);
  await gateway.close();
});

const failing = "SELECT fails FROM t WHERE a = 'bob'";
const brief = (value: unknown): unknown =>
  value instanceof Error ? [value.constructor.name, value.message, { ...value }] : value;
const byCallback = (ask: (callback: (...results: unknown[]) => void) => unknown): Promise<unknown> =>
  new Promise((resolve) => {
    ask(function (this: unknown, ...[error, rows]) {
      resolve([brief(error), rows]);
    });
  });

/** Runs every kind of query, and returns the outcomes. */
async function outcomes(): Promise<unknown[]> {
  const emitted: unknown[] = [];
  const rows = connection.query("SELECT 4");
  rows.on("result", (row) => emitted.push(row));
  await once(rows, "end");
  const streamed = [];
  for await (const row of connection.query("SELECT 5").stream()) streamed.push(row);
  const failed = connection.query(failing);
  const [error] = await once(failed, "error", { signal: AbortSignal.timeout(100_000) }).catch((reason) => [reason]);
  return [
    await byCallback((callback) => connection.query("SELECT 1", callback)),
    await byCallback((callback) => connection.query("SELECT ?", ["it's bob"], callback)),
    await byCallback((callback) => connection.query({ sql: "SELECT 2" }, callback)),
    await byCallback((callback) => connection.query(failing, callback)),
    (await connection.promise().query("SELECT 3"))[0],
    await connection.promise().query(failing).catch(brief),
    emitted,
    streamed,
    brief(error),
    await byCallback((callback) => pool.query("SELECT 6", callback)),
    (await pool.promise().query("SELECT 7"))[0],
    await byCallback((callback) => pool.query(failing, callback)),
    await byCallback((callback) => connection.execute("DELETE FROM a", callback)),
    await connection.promise().execute("DELETE fails to prepare").catch(brief),
    await byCallback((callback) => pool.execute("DELETE fails", callback)),
  ];
}

describe("a query of mysql2", () => {
  it("has the same results, errors, events, and streams as without the client", async () => {
    expect(await outcomes()).toEqual(before);
    expect(before).toHaveLength(15);
  });

  it("is a breadcrumb without values, with the error", async () => {
    await outcomes();
    const where = { system: "mysql", host: "127.0.0.1", port: server.port, database: "shop", operation: "SELECT" };
    const plain = { ...where, statement: "SELECT ?" };
    const failed = {
      ...where,
      statement: "SELECT fails FROM t WHERE a = ?",
      error: "no such thing",
      error_code: "ER_UNKNOWN_ERROR",
    };
    const calls = await callsNow(gateway);
    expect(calls.slice(0, 12)).toEqual([
      ...[plain, plain, failed, plain, plain, plain, failed, plain, failed, plain, plain, failed],
    ]);
    const deletes = { ...where, operation: "DELETE" };
    expect(calls.slice(12)).toEqual([
      { ...deletes, statement: "DELETE FROM a" },
      { ...failed, ...deletes, statement: "DELETE fails to prepare" },
      { ...failed, ...deletes, statement: "DELETE fails" },
    ]);
  });

  it("on an exhausted pool belongs to the request that waited for the connection", async () => {
    const taken = await pool.promise().getConnection();
    let trail: Promise<unknown[]> | undefined;
    const waited = whenceJob("waits", async () => {
      await pool.promise().query("SELECT 'waited'");
      trail = callsNow(gateway);
      await trail;
    })();
    await whenceJob("releases", async () => taken.release())();
    await waited;
    expect(await trail).toMatchObject([{ statement: "SELECT ?" }]);
  });

  it("that fails without a callback or listener still throws", async () => {
    const theirs = process.listeners("uncaughtException");
    process.removeAllListeners("uncaughtException");
    const thrown = once(process, "uncaughtException");
    connection.query(failing);
    const [error] = await thrown;
    for (const listener of theirs) process.on("uncaughtException", listener);
    expect(error).toMatchObject({ message: "no such thing" });
  });
});
