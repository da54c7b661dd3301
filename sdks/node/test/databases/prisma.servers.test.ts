import { once } from "node:events";
import { PrismaPg } from "@prisma/adapter-pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type PostgresServer, startPostgres } from "../../../../test/servers/postgres.ts";
import { whencePrisma } from "../../src/databases/prisma.ts";
import { whenceJob } from "../../src/frameworks/jobs.ts";
import { captureException, close, flush, init } from "../../src/index.ts";
import { startGateway, type TestGateway } from "../gateway.ts";
import { callsNow } from "./breadcrumbs-now.ts";
import { openPrisma, PrismaClient } from "./prisma-client.ts";

let server: PostgresServer;
let gateway: TestGateway;
let client: ReturnType<typeof openPrisma>;
/** The outcomes before the client wrapped anything. */
let before: unknown[];

beforeAll(async () => {
  server = await startPostgres();
  client = openPrisma(new PrismaPg({ connectionString: server.url }));
  await client.$executeRawUnsafe('CREATE TABLE "User" (id int PRIMARY KEY, name text UNIQUE)');
  before = await outcomes();
  whencePrisma(PrismaClient);
  whencePrisma(PrismaClient);
});
afterAll(async () => {
  await client.$disconnect();
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

/** Returns an error with its stack, up to the line in `outcomes`. */
const brief = (error: unknown): unknown =>
  error instanceof Error
    ? {
        ...error,
        name: error.constructor.name,
        stack: error.stack?.replace(/(at (?:async )?outcomes .*)[\s\S]*/, "$1"),
      }
    : error;

/** Runs every kind of operation, and returns the outcomes. */
async function outcomes(): Promise<unknown[]> {
  const bob = { id: 1, name: "bob" };
  const extended = client.$extends({ query: { $allOperations: ({ args, query }) => query(args) } });
  return [
    await client.user.create({ data: bob }),
    await client.user.findMany({ where: { name: "bob" } }),
    await client.user.create({ data: { ...bob, id: 2 } }).catch(brief),
    await client.user.create({ data: { ...bob, id: "secret" } }).catch(brief),
    await client.$transaction([client.user.count(), client.user.findFirst()]),
    await client.$transaction((own) => own.user.update({ where: { id: 1 }, data: { name: "alice" } })),
    await client.$queryRaw`SELECT ${"bob"}::text AS name`,
    await extended.user.count(),
    await client.user.deleteMany(),
  ];
}

describe("an operation of Prisma", () => {
  it("has the same results, errors, and stacks as without the client", async () => {
    expect(await outcomes()).toEqual(before);
    expect(before).toHaveLength(9);
  });

  it("is a breadcrumb of its job, with model and operation but no arguments", async () => {
    await whenceJob("sync", async () => {
      await outcomes();
      captureException(new Error("in the job"));
    })();
    await flush();
    const trail = gateway.events("exception").at(-1)?.breadcrumbs ?? [];
    const of = (statement: string, rest = {}) => {
      const operation = statement.slice(statement.indexOf(".") + 1).toUpperCase();
      return { system: "prisma", operation, statement, duration_ms: expect.any(Number), ...rest };
    };
    expect(trail.map(({ data }) => data)).toEqual([
      of("User.create"),
      of("User.findMany"),
      of("User.create", { error: expect.stringMatching(/^Unique constraint failed/), error_code: "P2002" }),
      of("User.create", { error: expect.stringMatching(/^Argument `id`: Invalid value provided/) }),
      ...[of("User.count"), of("User.findFirst"), of("User.update"), of("queryRaw")],
      ...[of("User.count"), of("User.deleteMany")],
    ]);
    expect(JSON.stringify(trail)).not.toMatch(/bob|secret/);
    expect(await callsNow(gateway)).toEqual([]);
  });

  it("rejects unhandled when no one handles its promise", async () => {
    const theirs = process.listeners("unhandledRejection");
    process.removeAllListeners("unhandledRejection");
    const rejected = once(process, "unhandledRejection");
    void client.user.create({ data: {} }).then(() => undefined);
    const [reason] = await rejected;
    for (const listener of theirs) process.on("unhandledRejection", listener);
    expect(reason).toMatchObject({ name: "PrismaClientValidationError" });
  });
});
