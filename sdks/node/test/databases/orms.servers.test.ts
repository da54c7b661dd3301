import { drizzle as drizzlePg } from "drizzle-orm/node-postgres";
import { integer, pgTable, text } from "drizzle-orm/pg-core";
import { drizzle as drizzlePostgres } from "drizzle-orm/postgres-js";
import knex from "knex";
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import postgres from "postgres";
import { DataTypes, Sequelize } from "sequelize";
import { DataSource, EntitySchema } from "typeorm";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { type PostgresServer, startPostgres } from "../../../../test/servers/postgres.ts";
import { whencePg } from "../../src/databases/pg.ts";
import { whencePostgres } from "../../src/databases/postgres.ts";
import { whenceJob } from "../../src/frameworks/jobs.ts";
import { captureException, close, flush, init } from "../../src/index.ts";
import { startGateway, type TestGateway } from "../gateway.ts";
import { callsNow } from "./breadcrumbs-now.ts";

/** A library on top of the driver: it finds and inserts a user, and closes. */
interface Opened {
  /** Additional setup to `whencePg(pg)`. */
  readonly watch?: () => void;
  find(name: string): PromiseLike<unknown>;
  insert(name: string): PromiseLike<unknown>;
  close(): PromiseLike<unknown>;
}

const users = pgTable("users", { id: integer().primaryKey(), name: text() });

const libraries: Readonly<Record<string, (url: string) => Promise<Opened>>> = {
  async Knex(url) {
    const database = knex({ client: "pg", connection: url });
    const table = () => database("users");
    return {
      find: (name) => table().where({ name }),
      insert: (name) => table().insert({ id: 1, name }),
      close: () => database.destroy(),
    };
  },
  async Sequelize(url) {
    const database = new Sequelize(url, { logging: false });
    const columns = { id: { type: DataTypes.INTEGER, primaryKey: true }, name: DataTypes.TEXT };
    const user = database.define("user", columns, { timestamps: false, tableName: "users" });
    await database.authenticate();
    return {
      find: (name) => user.findAll({ where: { name }, raw: true }),
      insert: (name) => user.create({ id: 1, name }),
      close: () => database.close(),
    };
  },
  async TypeORM(url) {
    const columns = { id: { type: Number, primary: true }, name: { type: String } } as const;
    const user = new EntitySchema<{ id: number; name: string }>({ name: "users", columns });
    const database = await new DataSource({ type: "postgres", url, entities: [user] }).initialize();
    const repository = database.getRepository(user);
    return {
      find: (name) => repository.findBy({ name }),
      insert: (name) => repository.insert({ id: 1, name }),
      close: () => database.destroy(),
    };
  },
  async Kysely(url) {
    const pool = new pg.Pool({ connectionString: url });
    const database = new Kysely<{ users: { id: number; name: string } }>({ dialect: new PostgresDialect({ pool }) });
    return {
      find: (name) => database.selectFrom("users").selectAll().where("name", "=", name).execute(),
      insert: (name) => database.insertInto("users").values({ id: 1, name }).execute(),
      close: () => database.destroy(),
    };
  },
  async "Drizzle over pg"(url) {
    const pool = new pg.Pool({ connectionString: url });
    const database = drizzlePg(pool);
    return {
      find: () => database.select().from(users),
      insert: (name) => database.insert(users).values({ id: 1, name }),
      close: () => pool.end(),
    };
  },
  async "Drizzle over postgres.js"(url) {
    const sql = postgres(url, { max: 1 });
    const database = drizzlePostgres(sql);
    return {
      watch: () => whencePostgres(sql),
      find: () => database.select().from(users),
      insert: (name) => database.insert(users).values({ id: 1, name }),
      close: () => sql.end(),
    };
  },
};

let server: PostgresServer;
let gateway: TestGateway;
/** The results of each library before the client wrapped anything. */
const before = new Map<string, { opened: Opened; results: unknown[] }>();

beforeAll(async () => {
  server = await startPostgres();
  const client = new pg.Client(server.url);
  await client.connect();
  await client.query("CREATE TABLE users (id int PRIMARY KEY, name text)");
  await client.query("INSERT INTO users VALUES (1, 'bob')");
  await client.end();
  for (const [name, open] of Object.entries(libraries)) {
    const opened = await open(server.url);
    before.set(name, { opened, results: await outcomes(opened) });
  }
  whencePg(pg);
  for (const { opened } of before.values()) opened.watch?.();
});
afterAll(async () => {
  for (const { opened } of before.values()) await opened.close();
  await server.stop();
});
beforeEach(async () => {
  gateway = await startGateway();
});
afterEach(async () => {
  await close(1_000);
  await gateway.close();
});

/** Returns an error with its stack, up to the line in `outcomes`. */
const brief = (error: unknown): unknown =>
  error instanceof Error
    ? {
        name: error.constructor.name,
        message: error.message,
        keys: Object.keys(error),
        stack: error.stack?.replace(/(at (?:async )?outcomes .*)[\s\S]*/, "$1"),
      }
    : error;

async function outcomes(opened: Opened): Promise<unknown[]> {
  const found = await opened.find("bob");
  const inserted = await opened.insert("bob").then(undefined, brief);
  return [found, inserted];
}

it.each(Object.keys(libraries))("records each call of %s once, with the job that made it", async (name) => {
  const known = before.get(name);
  init({ apiKey: "k", endpoint: gateway.url });
  const after = await whenceJob("sync", async () => {
    const results = known && (await outcomes(known.opened));
    captureException(new Error("in the job"));
    return results;
  })();
  expect(after).toEqual(known?.results);
  expect(after).toMatchObject([[{ id: 1, name: "bob" }], { stack: expect.any(String) }]);
  await flush();
  const trail = gateway.events("exception").at(-1)?.breadcrumbs ?? [];
  const from = /^select .* from "(?:public"\.")?users"/i;
  expect(trail.map(({ data }) => data)).toMatchObject([
    {
      system: "postgresql",
      operation: "SELECT",
      statement: expect.stringMatching(from),
      duration_ms: expect.any(Number),
    },
    { operation: "INSERT", statement: expect.stringMatching(/^insert into "users"/i), error_code: "23505" },
  ]);
  expect(JSON.stringify(trail)).not.toContain("bob");
  expect(await callsNow(gateway)).toEqual([]);
});
