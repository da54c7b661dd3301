import { join } from "node:path";
import { type Generated, Kysely, sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { nodeSqliteDialect } from "../../src/control/databases/node-sqlite-dialect.ts";
import { temporaryDirectory } from "../temporary-directory.ts";

interface Tables {
  counter: { id: Generated<number>; value: unknown };
}

async function open(): Promise<Kysely<Tables>> {
  const db = new Kysely<Tables>({ dialect: nodeSqliteDialect(join(temporaryDirectory(), "test.sqlite")) });
  onTestFinished(() => db.destroy());
  await sql`create table counter (id integer primary key, value)`.execute(db);
  return db;
}

describe("node:sqlite dialect", () => {
  it("returns what was inserted and changed, and the rows of a query and of RETURNING", async () => {
    const db = await open();
    const inserted = await db.insertInto("counter").values({ value: 1 }).executeTakeFirstOrThrow();
    expect(inserted).toMatchObject({ insertId: 1n, numInsertedOrUpdatedRows: 1n });
    const returned = await db.insertInto("counter").values({ value: 2 }).returning("id").execute();
    expect(returned).toEqual([{ id: 2 }]);
    const updated = await db.updateTable("counter").set({ value: 3 }).executeTakeFirstOrThrow();
    expect(updated.numUpdatedRows).toBe(2n);
    expect(await db.selectFrom("counter").selectAll().execute()).toEqual([
      { id: 1, value: 3 },
      { id: 2, value: 3 },
    ]);
    expect(await db.deleteFrom("counter").where("id", "=", 9).executeTakeFirst()).toEqual({ numDeletedRows: 0n });
  });

  it("binds what the identity library passes, and rejects what has no form", async () => {
    const db = await open();
    const values = [null, "text", 1.5, 7n, true, new Date(0), new Uint8Array([1, 2])];
    for (const value of values) await db.insertInto("counter").values({ value }).execute();
    const rows = await db.selectFrom("counter").select("value").orderBy("id").execute();
    const stored = [null, "text", 1.5, 7, 1, "1970-01-01T00:00:00.000Z", new Uint8Array([1, 2])];
    expect(rows.map(({ value }) => value)).toEqual(stored);
    await expect(
      db
        .insertInto("counter")
        .values({ value: { a: 1 } })
        .execute(),
    ).rejects.toThrow("cannot be stored");
  });

  it("gives the connection to one transaction at a time", async () => {
    const db = await open();
    await db.insertInto("counter").values({ id: 1, value: 0 }).execute();
    const increment = (): Promise<unknown> =>
      db.transaction().execute(async (transaction) => {
        const { value } = await transaction.selectFrom("counter").select("value").executeTakeFirstOrThrow();
        await transaction
          .updateTable("counter")
          .set({ value: Number(value) + 1 })
          .execute();
      });
    const outside = Array.from({ length: 20 }, () => db.selectFrom("counter").selectAll().execute());
    await Promise.all([...Array.from({ length: 50 }, increment), ...outside]);
    expect(await db.selectFrom("counter").select("value").executeTakeFirst()).toEqual({ value: 50 });
  });

  it("answers a query during a transaction, from what was committed before", async () => {
    const db = await open();
    await db.insertInto("counter").values({ id: 1, value: "before" }).execute();
    const value = () => db.selectFrom("counter").select("value").executeTakeFirstOrThrow();
    await db.transaction().execute(async (transaction) => {
      await transaction.updateTable("counter").set({ value: "after" }).execute();
      expect(await value()).toEqual({ value: "before" });
      expect(await transaction.selectFrom("counter").select("value").execute()).toEqual([{ value: "after" }]);
    });
    expect(await value()).toEqual({ value: "after" });
  });

  it("keeps the connection for its holder, from one transaction to the next", async () => {
    const db = await open();
    const steps: string[] = [];
    const held = db.connection().execute(async (connection) => {
      await connection.transaction().execute((transaction) => transaction.deleteFrom("counter").execute());
      steps.push("first");
      const insert = connection.insertInto("counter").values({ id: 1, value: 1 });
      await connection.transaction().execute((transaction) => transaction.executeQuery(insert));
      steps.push("second");
    });
    const waiting = db
      .updateTable("counter")
      .set({ value: 2 })
      .execute()
      .then(() => steps.push("waiting"));
    await Promise.all([held, waiting]);
    expect(steps).toEqual(["first", "second", "waiting"]);
    expect(await db.selectFrom("counter").selectAll().execute()).toEqual([{ id: 1, value: 2 }]);
  });

  it("rolls a failed transaction back completely, and continues", async () => {
    const db = await open();
    const failing = db.transaction().execute(async (transaction) => {
      await transaction.insertInto("counter").values({ id: 1, value: 1 }).execute();
      await transaction.insertInto("counter").values({ id: 1, value: 2 }).execute();
    });
    await expect(failing).rejects.toThrow("UNIQUE");
    expect(await db.selectFrom("counter").selectAll().execute()).toEqual([]);
    await db.insertInto("counter").values({ id: 1, value: 3 }).execute();
  });

  it("rejects a path that can't be opened", async () => {
    const db = new Kysely<Tables>({ dialect: nodeSqliteDialect(join(temporaryDirectory(), "missing", "test.sqlite")) });
    await expect(db.selectFrom("counter").selectAll().execute()).rejects.toThrow("unable to open database file");
  });
});
