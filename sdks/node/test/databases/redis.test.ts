import { once } from "node:events";
import { createClient } from "@redis/client";
import { Redis } from "ioredis";
import { Redis as Redis5 } from "ioredis-5";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { whenceIoredis } from "../../src/databases/ioredis.ts";
import { close, init } from "../../src/index.ts";
import { startGateway, type TestGateway } from "../gateway.ts";
import { callsNow } from "./breadcrumbs-now.ts";
import { type RespServer, startRespServer } from "./resp-server.ts";

let server: RespServer;
let gateway: TestGateway;

beforeAll(async () => {
  server = await startRespServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  gateway = await startGateway();
});
afterEach(async () => {
  await close(1_000);
  await gateway.close();
});

const start = (databases = true): void => init({ apiKey: "k", endpoint: gateway.url, databases });
const brief = (error: unknown): unknown =>
  error instanceof Error ? [error.constructor.name, error.message, Object.keys(error).sort()] : error;

/** Returns the reason of the unhandled rejection that `run` causes. */
async function unhandled(run: () => unknown): Promise<unknown> {
  const theirs = process.listeners("unhandledRejection");
  process.removeAllListeners("unhandledRejection");
  const rejected = once(process, "unhandledRejection");
  run();
  const [reason] = await rejected;
  for (const listener of theirs) process.on("unhandledRejection", listener);
  return brief(reason);
}

const failure = { error: "ERR value is not an integer or out of range" };

describe.each([
  ["6", Redis],
  ["5", Redis5 as unknown as typeof Redis],
])("a command of ioredis %s", (_version, Ioredis) => {
  /** Sends a command in every way, and returns the outcomes. */
  async function outcomes(): Promise<unknown[]> {
    const redis = new Ioredis({ port: server.port, host: "127.0.0.1", protocol: 2 } as object);
    const results = [
      await redis.set("session:bob", "secret"),
      await redis.get("session:bob"),
      await redis.get("none"),
      await redis.incr("session:bob").catch(brief),
      await new Promise((resolve) => {
        redis.get("session:bob", (...given: unknown[]) => resolve(given));
      }),
      await new Promise((resolve) => {
        redis.incr("session:bob", (error: unknown) => resolve(brief(error)));
      }).catch(brief),
      await redis.pipeline().set("a", "b").get("a").exec(),
      await redis.call("PING"),
      await unhandled(() => redis.incr("session:bob")),
    ];
    redis.disconnect();
    return results;
  }

  it("is a breadcrumb without its arguments, with an unchanged result", async () => {
    const before = await outcomes();
    whenceIoredis(Ioredis);
    whenceIoredis(Ioredis);
    start();
    expect(await outcomes()).toEqual(before);
    const of = (statement: string, rest = {}) => ({
      system: "redis",
      operation: statement.split(" ")[0],
      statement,
      host: "127.0.0.1",
      port: server.port,
      database: "0",
      ...rest,
    });
    const calls = await callsNow(gateway);
    expect(calls).toEqual([
      of("SET ? ?"),
      of("GET ?"),
      of("GET ?"),
      of("INCR ?", failure),
      of("GET ?"),
      of("INCR ?", failure),
      of("SET ? ?"),
      of("PING"),
      of("INCR ?", failure),
    ]);
  });
});

describe("a command of node-redis", () => {
  async function outcomes(): Promise<unknown[]> {
    const client = createClient({ socket: { port: server.port, host: "127.0.0.1" }, RESP: 2 });
    client.on("error", () => undefined);
    await client.connect();
    const results = [
      await client.set("session:bob", "secret"),
      await client.get("session:bob"),
      await client.incr("session:bob").catch(brief),
      await unhandled(() => client.incr("session:bob")),
    ];
    client.destroy();
    return results;
  }

  it("is a breadcrumb without its arguments, with an unchanged result", async () => {
    const before = await outcomes();
    start();
    expect(await outcomes()).toEqual(before);
    const calls = (await callsNow(gateway)).filter(({ operation }) => operation !== "CLIENT");
    const of = (statement: string, rest = {}) => ({
      system: "redis",
      operation: statement.split(" ")[0],
      statement,
      host: "127.0.0.1",
      port: server.port,
      database: "0",
      ...rest,
    });
    expect(calls).toEqual([of("SET ? ?"), of("GET ?"), of("INCR ?", failure), of("INCR ?", failure)]);
  });

  it("isn't recorded with `databases: false`", async () => {
    start(false);
    await outcomes();
    expect(await callsNow(gateway)).toEqual([]);
  });
});
