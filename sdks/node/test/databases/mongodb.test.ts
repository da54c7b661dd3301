import { MongoClient } from "mongodb";
import { createConnection, Schema } from "mongoose";
import { afterEach, beforeEach, expect, it } from "vitest";
import { whenceMongodb } from "../../src/databases/mongodb.ts";
import { whenceJob } from "../../src/frameworks/jobs.ts";
import { captureException, close, flush, init } from "../../src/index.ts";
import { startGateway, type TestGateway } from "../gateway.ts";
import { callsNow } from "./breadcrumbs-now.ts";
import { type MongoServer, startMongoServer } from "./mongo-server.ts";

let server: MongoServer;
let gateway: TestGateway;
beforeEach(async () => {
  server = await startMongoServer();
  gateway = await startGateway();
  init({ apiKey: "k", endpoint: gateway.url });
});
afterEach(async () => {
  await close(1_000);
  server.close();
  await gateway.close();
});

/** Finds and inserts; returns the outcomes. */
async function outcomes(client: MongoClient): Promise<unknown[]> {
  const users = client.db("shop").collection("users");
  return [
    await users.find({ email: "bob@example.com" }).toArray(),
    await users
      .insertOne({ email: "bob@example.com" })
      .catch((error) => [error.constructor.name, error.message, error.code]),
  ];
}

it("records the commands of a MongoClient with their collection and no values, in the request that sent them", async () => {
  const url = `mongodb://127.0.0.1:${server.port}/?directConnection=true`;
  const [plain, watched] = [new MongoClient(url), new MongoClient(url)];
  whenceMongodb(watched);
  whenceMongodb(watched);
  const before = await outcomes(plain);
  const after = await whenceJob("sync", async () => {
    const results = await outcomes(watched);
    captureException(new Error("in the job"));
    return results;
  })();
  expect(after).toEqual(before);
  await flush();
  const trail = gateway.events("exception").at(-1)?.breadcrumbs ?? [];
  const where = { system: "mongodb", host: "127.0.0.1", port: server.port, database: "shop" };
  const duration_ms = expect.any(Number);
  expect(trail.map(({ data }) => data)).toEqual([
    { ...where, operation: "FIND", statement: "find users", duration_ms },
    {
      ...where,
      operation: "INSERT",
      statement: "insert users",
      duration_ms,
      error: "duplicate key",
      error_code: "11000",
    },
  ]);
  expect(await callsNow(gateway)).not.toContainEqual(expect.objectContaining({ operation: "FIND" }));
  await Promise.all([plain.close(), watched.close()]);
});

it("records each call of Mongoose once, with its client", async () => {
  const url = `mongodb://127.0.0.1:${server.port}/shop?directConnection=true`;
  const connection = await createConnection(url, { monitorCommands: true }).asPromise();
  whenceMongodb(connection.getClient());
  const user = connection.model("users", new Schema({ email: String }, { autoIndex: false, autoCreate: false }));
  await whenceJob("sync", async () => {
    await user.find({ email: "bob@example.com" });
    await user.create({ email: "bob@example.com" }).catch(captureException);
  })();
  await flush();
  const [event] = gateway.events("exception");
  expect(event).toMatchObject({ message: "duplicate key" });
  expect(event?.breadcrumbs?.map(({ data }) => [data?.statement, data?.error])).toEqual([
    ["find users", undefined],
    ["insert users", "duplicate key"],
  ]);
  await connection.close();
});
