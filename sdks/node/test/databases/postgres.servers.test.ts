import { once } from "node:events";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type PostgresServer, startPostgres } from "../../../../test/servers/postgres.ts";
import { whencePostgres } from "../../src/databases/postgres.ts";
import { whenceJob } from "../../src/frameworks/jobs.ts";
import { close, init } from "../../src/index.ts";
import { startGateway, type TestGateway } from "../gateway.ts";
import { callsNow } from "./breadcrumbs-now.ts";

let server: PostgresServer;
let gateway: TestGateway;
let sql: postgres.Sql;
/** The outcomes before the client wrapped anything. */
let before: unknown[];

beforeAll(async () => {
  server = await startPostgres();
  sql = postgres(server.url, { max: 1 });
  await sql`CREATE TABLE users (id int PRIMARY KEY, name text)`;
  before = await outcomes();
  whencePostgres(sql);
  whencePostgres(sql);
});
afterAll(async () => {
  await sql.end();
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

/** Returns an error with its complete stack. */
const brief = (error: unknown): unknown =>
  error instanceof Error
    ? { ...error, name: error.constructor.name, stack: error.stack, message: error.message }
    : error;

/** A class of the program with the same fields as the library's own. */
class Identifier {
  readonly value = "bob's secret";
  toJSON(): unknown {
    return {};
  }
}

/** Runs every kind of query, and returns the outcomes. */
async function outcomes(): Promise<unknown[]> {
  const where = sql`WHERE name = ${"bob"}`;
  const rows: unknown[] = [];
  for await (const some of sql`SELECT n FROM generate_series(1, 5) AS n`.cursor(2)) rows.push(...some);
  for await (const some of sql`SELECT n FROM generate_series(1, 900) AS n`.cursor(2)) {
    rows.push(...some);
    break;
  }
  return [
    await sql`INSERT INTO ${sql("users")} ${sql([{ id: 1, name: "bob" }])} RETURNING id`,
    await sql`SELECT * FROM users ${where} AND name <> 'alice'`,
    await sql`SELECT ${sql(["id"])} FROM users WHERE id IN ${sql([1, 2])}`,
    await sql`SELECT ${sql.json(new Identifier() as unknown as postgres.JSONValue)}::jsonb AS json`,
    await sql.unsafe("SELECT $1::int AS one", [1]).values(),
    await sql`SELECT 'bob' FROM missing WHERE id = ${7}`.catch(brief),
    await sql.begin(async (own) => own`SELECT 2 AS two`),
    await sql.begin((own) => own`SELECT nope`).catch(brief),
    rows,
    await sql`DELETE FROM users`,
  ];
}

describe("a query of postgres.js", () => {
  it("has the same results, errors, stacks, and cursors as without the client", async () => {
    expect(await outcomes()).toEqual(before);
    expect(before).toHaveLength(10);
  });

  it("is a breadcrumb without values, with the error and the duration", async () => {
    await outcomes();
    const { hostname, port } = new URL(server.url);
    const where = { system: "postgresql", host: hostname, port: Number(port), database: "postgres" };
    const of = (statement: string, rest = {}) => ({
      ...where,
      operation: statement.split(" ")[0]?.toUpperCase(),
      statement,
      ...rest,
    });
    const calls = await callsNow(gateway);
    expect(calls).toEqual([
      of("SELECT n FROM generate_series(?, ?) AS n"),
      of("SELECT n FROM generate_series(?, ?) AS n"),
      of('INSERT INTO "users" ? RETURNING id'),
      of("SELECT * FROM users WHERE name = ? AND name <> ?"),
      of("SELECT ? FROM users WHERE id IN ?"),
      of("SELECT ?::jsonb AS json"),
      of("SELECT $1::int AS one"),
      of("SELECT ? FROM missing WHERE id = ?", { error: 'relation "missing" does not exist', error_code: "42P01" }),
      ...[of("begin"), of("SELECT ? AS two"), of("commit"), of("begin")],
      of("SELECT nope", { error: 'column "nope" does not exist', error_code: "42703" }),
      ...[of("rollback"), of("DELETE FROM users")],
    ]);
    expect(JSON.stringify(calls)).not.toContain("bob");
  });

  it("isn't sent by being watched, and is recorded without a server for a `sql` that wasn't passed", async () => {
    const other = postgres(server.url, { max: 1 });
    await other`SELECT 1`;
    expect(await callsNow(gateway)).toEqual([{ system: "postgresql", operation: "SELECT", statement: "SELECT ?" }]);
    await other.end();
  });

  it("isn't recorded, and nothing throws, when something else is passed", async () => {
    for (const passed of [undefined, postgres, () => null]) Reflect.apply(whencePostgres, undefined, [passed]);
    expect(await callsNow(gateway)).toEqual([]);
  });

  it("belongs to the request that made it when it waits for a connection", async () => {
    const taken = await sql.reserve();
    let trail: Promise<unknown[]> | undefined;
    const waited = whenceJob("waits", async () => {
      await sql`SELECT 'waited'`;
      trail = callsNow(gateway);
      await trail;
    })();
    await whenceJob("releases", async () => taken.release())();
    await waited;
    expect(await trail).toMatchObject([{ statement: "SELECT ?" }]);
  });

  it("rejects unhandled when no one handles its promise", async () => {
    const theirs = process.listeners("unhandledRejection");
    process.removeAllListeners("unhandledRejection");
    const rejected = once(process, "unhandledRejection");
    void sql`SELECT nope`.execute();
    const [reason] = await rejected;
    for (const listener of theirs) process.on("unhandledRejection", listener);
    expect(reason).toMatchObject({ code: "42703" });
  });
});
