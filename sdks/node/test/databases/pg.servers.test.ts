import { AsyncLocalStorage } from "node:async_hooks";
import { once } from "node:events";
import pg from "pg";
import Cursor from "pg-cursor";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type PostgresServer, startPostgres } from "../../../../test/servers/postgres.ts";
import { whencePg } from "../../src/databases/pg.ts";
import { whenceJob } from "../../src/frameworks/jobs.ts";
import { close, init } from "../../src/index.ts";
import { startGateway, type TestGateway } from "../gateway.ts";
import { callsNow } from "./breadcrumbs-now.ts";

let server: PostgresServer;
let gateway: TestGateway;
let client: pg.Client;
/** The outcomes before the client wrapped anything. */
let before: unknown[];

beforeAll(async () => {
  server = await startPostgres();
  client = new pg.Client(server.url);
  await client.connect();
  await client.query("CREATE TABLE users (id int PRIMARY KEY, name text)");
  before = await outcomes();
  whencePg(pg);
  whencePg(pg);
});
afterAll(async () => {
  await client.end();
  await server.stop();
});
beforeEach(async () => {
  gateway = await startGateway();
  init({ apiKey: "k", endpoint: gateway.url });
});
afterEach(async () => {
  await close(1_000);
  await gateway.close();
});

const failing = "SELECT 'bob' FROM missing WHERE id = 7";

/** Returns the arguments and `this` of a call's callback. */
const byCallback = (ask: (callback: (...results: unknown[]) => void) => unknown): Promise<unknown> =>
  new Promise((resolve) => {
    const returned = ask(function (this: unknown, ...results) {
      resolve([results.map(brief), typeof returned, this === undefined]);
    });
  });

const brief = (value: unknown): unknown => {
  if (value instanceof pg.Result) return value.rows;
  if (!(value instanceof Error)) return value;
  const frames = (value.stack ?? "").split("\n").filter((line) => line.includes("pg.servers.test"));
  return [value.constructor.name, value.message, Reflect.get(value, "code"), frames.length > 0];
};

/** Returns a query object with its own callback, which pg's types don't know. */
const inObject = (callback: (...results: unknown[]) => void) => ({
  text: "SELECT $1::int AS six",
  values: [6],
  callback,
});

/** Runs every kind of query, and returns the outcomes. */
async function outcomes(): Promise<unknown[]> {
  const cursor = client.query(new Cursor("SELECT * FROM generate_series(1, 5) AS n WHERE n > $1", [1]));
  const rows = [await cursor.read(2), await cursor.read(9)];
  await cursor.close();
  const broken = client.query(new Cursor("SELECT nope"));
  const submitted = client.query(new pg.Query("SELECT 5 AS five"));
  const [ended] = await once(submitted, "end");
  return [
    brief(await client.query("SELECT 1 AS one")),
    brief(await client.query("SELECT $1::text AS one", ["bob"])),
    brief(await client.query({ text: "SELECT $1::int AS one", values: [7], rowMode: "array" })),
    await client.query(failing).catch(brief),
    await byCallback((callback) => client.query("SELECT 2 AS two", callback)),
    await byCallback((callback) => client.query("SELECT $1::int AS two", [2], callback)),
    await byCallback((callback) => client.query(failing, callback)),
    await byCallback((callback) => client.query(inObject(callback))),
    rows,
    await broken.read(1).catch(brief),
    brief(ended),
    await client.query("SELECT 3").then(({ command, fields }) => [command, fields.length]),
    client.query("SELECT 4") instanceof Promise,
    (() => {
      try {
        return Reflect.apply(client.query, client, [null]);
      } catch (error) {
        return brief(error);
      }
    })(),
  ];
}

describe("a query of pg", () => {
  it("has the same results, errors, callbacks, and cursors as without the client", async () => {
    expect(await outcomes()).toEqual(before);
    expect(before).toHaveLength(14);
  });

  it("is a breadcrumb without values, with the error and the duration", async () => {
    await outcomes();
    const { hostname, port } = new URL(server.url);
    const where = { system: "postgresql", host: hostname, port: Number(port), database: "postgres" };
    const select = (statement: string, rest = {}) => ({ ...where, operation: "SELECT", statement, ...rest });
    const missing = { error: 'relation "missing" does not exist', error_code: "42P01" };
    const calls = await callsNow(gateway);
    expect(calls).toEqual([
      select("SELECT * FROM generate_series(?, ?) AS n WHERE n > $1"),
      select("SELECT nope", { error: 'column "nope" does not exist', error_code: "42703" }),
      select("SELECT ? AS five"),
      select("SELECT ? AS one"),
      select("SELECT $1::text AS one"),
      select("SELECT $1::int AS one"),
      select("SELECT ? FROM missing WHERE id = ?", missing),
      select("SELECT ? AS two"),
      select("SELECT $1::int AS two"),
      select("SELECT ? FROM missing WHERE id = ?", missing),
      select("SELECT $1::int AS six"),
      select("SELECT ?"),
      select("SELECT ?", { isOpen: true }),
      { ...where, statement: "", error: expect.stringContaining("null or undefined query") },
    ]);
    expect(JSON.stringify(calls)).not.toContain("bob");
  });

  it("on an exhausted pool belongs to the request that waited for the connection", async () => {
    const pool = new pg.Pool({ connectionString: server.url, max: 1 });
    const taken = await pool.connect();
    const seen = new AsyncLocalStorage<string>();
    let trail: Promise<unknown[]> | undefined;
    const waited = whenceJob("waits", async () => {
      await pool.query("SELECT 'waited'");
      trail = callsNow(gateway);
      await trail;
    })();
    await whenceJob("releases", async () => seen.run("releases", () => taken.release()))();
    await waited;
    expect(await trail).toMatchObject([{ statement: "SELECT ?" }]);
    await pool.end();
  });

  it("rejects unhandled, once, when no one handles its promise", async () => {
    const theirs = process.listeners("unhandledRejection");
    process.removeAllListeners("unhandledRejection");
    const rejected = once(process, "unhandledRejection");
    void client.query(failing);
    const [reason] = await rejected;
    for (const listener of theirs) process.on("unhandledRejection", listener);
    expect(reason).toMatchObject({ code: "42P01" });
  });

  it("isn't recorded with `databases: false`", async () => {
    await close(1_000);
    init({ apiKey: "k", endpoint: gateway.url, databases: false });
    await client.query("SELECT 1");
    expect(await callsNow(gateway)).toEqual([]);
  });
});
