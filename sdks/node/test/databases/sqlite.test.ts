import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import { whenceSqlite } from "../../src/databases/sqlite.ts";
import { close, init } from "../../src/index.ts";
import { startGateway, type TestGateway } from "../gateway.ts";
import { callsNow } from "./breadcrumbs-now.ts";

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startGateway();
  init({ apiKey: "k", endpoint: gateway.url });
});
afterEach(async () => {
  await close(1_000);
  await gateway.close();
});

/** Returns what a call throws, without the lines of its stack. */
function failure(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    const depth = String(Reflect.get(Object(error), "stack")).split("\n").length;
    return { ...Object(error), name: Object(error).constructor.name, message: String(error), hasStack: depth > 2 };
  }
}

/** Runs a statement in every way, and returns the outcomes. */
function outcomes(): unknown[] {
  const database = new DatabaseSync(":memory:");
  const insert =
    database.exec("CREATE TABLE users (id INT PRIMARY KEY, name TEXT)") ?? "INSERT INTO users VALUES (?, ?)";
  const rows = database.prepare(insert);
  const tagged = database.createTagStore();
  const [first] = database.prepare("SELECT 'first' AS a UNION SELECT 'second'").iterate();
  return [
    rows.run(7, "it's bob"),
    database.prepare('SELECT "name" FROM users WHERE id = :id').all({ id: 7 }),
    database.prepare("SELECT count(*) AS users FROM users").get(),
    [...database.prepare("SELECT id FROM users").iterate()],
    first,
    failure(() => rows.run(7, "it's bob")),
    failure(() => database.prepare("SELECT 'x' FROM missing")),
    failure(() => database.exec("DELETE FROM missing WHERE name = 'bob'")),
    failure(() => [...database.prepare("SELECT abs(-9223372036854775808)").iterate()]),
    tagged.get`SELECT name FROM users WHERE id = ${7}`,
  ];
}

it("records nothing of node:sqlite unless asked to", async () => {
  outcomes();
  expect(await callsNow(gateway)).toEqual([]);
});

it("records the statements of node:sqlite without values, with unchanged results and errors", async () => {
  const before = outcomes();
  whenceSqlite(DatabaseSync);
  whenceSqlite(DatabaseSync);
  expect(outcomes()).toEqual(before);
  expect(before).toHaveLength(10);
  const of = (statement: string, error?: string) => ({
    system: "sqlite",
    operation: statement.split(" ")[0],
    statement,
    ...(error === undefined ? {} : { error, error_code: "ERR_SQLITE_ERROR" }),
  });
  expect(await callsNow(gateway)).toEqual([
    of("CREATE TABLE users (id INT PRIMARY KEY, name TEXT)"),
    of("SELECT ? AS a UNION SELECT ?"),
    of("INSERT INTO users VALUES (?, ?)"),
    of('SELECT "name" FROM users WHERE id = :id'),
    of("SELECT count(*) AS users FROM users"),
    of("SELECT id FROM users"),
    of("INSERT INTO users VALUES (?, ?)", "UNIQUE constraint failed: users.id"),
    of("SELECT ? FROM missing", "no such table: missing"),
    of("DELETE FROM missing WHERE name = ?", "no such table: missing"),
    of("SELECT abs(-?)", "integer overflow"),
    of("SELECT name FROM users WHERE id = ?"),
  ]);
});

it("adds one line to the stack of an error, below its message", () => {
  whenceSqlite(DatabaseSync);
  const database = new DatabaseSync(":memory:");
  let lines: string[] = [];
  try {
    database.exec("DELETE FROM missing");
  } catch (error) {
    lines = String(Reflect.get(Object(error), "stack")).split("\n");
  }
  expect(lines[0]).toBe("Error: no such table: missing");
  expect(lines[1]).toContain("databases/sqlite.ts");
  expect(lines[2]).toContain("sqlite.test.ts");
});
