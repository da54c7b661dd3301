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

it("records nothing of node:sqlite unless asked to", async () => {
  new DatabaseSync(":memory:").exec("CREATE TABLE users (id INT)");
  expect(await callsNow(gateway)).toEqual([]);
});

it("records a statement of node:sqlite that ran, without the values that Node has put in", async () => {
  whenceSqlite();
  whenceSqlite();
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE TABLE users (id INT, name TEXT)");
  database.prepare("INSERT INTO users VALUES (?, ?)").run(7, "it's bob");
  expect(database.prepare('SELECT "name" FROM users WHERE id = :id').all({ id: 7 })).toEqual([{ name: "it's bob" }]);
  const of = (statement: string) => ({ system: "sqlite", operation: statement.split(" ")[0], statement });
  expect(await callsNow(gateway)).toEqual([
    of("CREATE TABLE users (id INT, name TEXT)"),
    of("INSERT INTO users VALUES (?, ?)"),
    of('SELECT "name" FROM users WHERE id = ?'),
  ]);
});
