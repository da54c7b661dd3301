import { gzipSync } from "node:zlib";
import { limits } from "@whence/protocol";
import type { Storage } from "@whence/storage";
import type { FastifyInstance, LightMyRequestResponse } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { batchOf, logEvent } from "../batches.ts";
import { buildApp, openTestStorage, organizationWithKey, path, send } from "../test-gateway.ts";

let storage: Storage;
let app: FastifyInstance;
let key: string;
beforeAll(async () => {
  storage = await openTestStorage();
  app = await buildApp({
    queue: storage.queue,
    keys: storage.control.keys,
    usage: storage.control.usage,
    secrets: storage.control,
  });
  ({ key } = await organizationWithKey(storage, "unpack"));
});
afterAll(async () => {
  await app.close();
  await storage.close();
});

const gzip = { "content-encoding": "gzip" };

/** Returns a valid batch of exactly `bytes` bytes. */
function batchOfBytes(bytes: number): Buffer {
  const batch = JSON.stringify(batchOf([logEvent()]));
  return Buffer.from(batch + " ".repeat(bytes - Buffer.byteLength(batch)));
}

function expectError(answer: LightMyRequestResponse, status: number, code: string): void {
  expect({ status: answer.statusCode, body: answer.json() }).toEqual({
    status,
    body: { detail: expect.any(String), code },
  });
}

describe("a plain body", () => {
  it("of 1 MiB is accepted, and one byte more gets 413", async () => {
    expect((await send(app, key, batchOfBytes(limits.batchBytesMax))).statusCode).toBe(202);
    expectError(await send(app, key, batchOfBytes(limits.batchBytesMax + 1)), 413, "WHENCE_ERR_BATCH_TOO_LARGE");
  });

  it.each(["identity", ""])("is accepted with Content-Encoding %j", async (encoding) => {
    const answer = await send(app, key, batchOf([logEvent()]), { "content-encoding": encoding });
    expect(answer.statusCode).toBe(202);
  });
});

describe("a gzip body", () => {
  it.each(["gzip", "GZIP", "x-gzip"])("is unpacked: Content-Encoding %s", async (encoding) => {
    const packed = gzipSync(JSON.stringify(batchOf([logEvent(), logEvent()])));
    const answer = await send(app, key, packed, { "content-encoding": encoding });
    expect(answer.statusCode).toBe(202);
    expect(answer.json()).toEqual({ accepted: 2, rejected: [] });
  });

  it("that unpacks to 8 MiB is accepted, and one byte more gets 413", async () => {
    const atBound = gzipSync(batchOfBytes(limits.batchUnpackedBytesMax));
    expect((await send(app, key, atBound, gzip)).statusCode).toBe(202);
    const beyond = gzipSync(batchOfBytes(limits.batchUnpackedBytesMax + 1));
    expectError(await send(app, key, beyond, gzip), 413, "WHENCE_ERR_BATCH_TOO_LARGE");
  });

  it("is accepted completely when it consists of several streams, and the last states only its own length", async () => {
    const events = Array.from({ length: 200 }, (_, index) => logEvent({ seq: index + 1, message: "m".repeat(1_000) }));
    const text = JSON.stringify(batchOf(events));
    const packed = Buffer.concat([gzipSync(text.slice(0, -1)), gzipSync(text.slice(-1))]);
    const answer = await send(app, key, packed, gzip);
    expect(answer.json()).toEqual({ accepted: 200, rejected: [] });
  });

  it("that unpacks to a thousand times its size is stopped at the limit, and costs no memory", async () => {
    const bomb = gzipSync(Buffer.alloc(256 * 1_048_576));
    expect(bomb.length).toBeLessThan(limits.batchBytesMax);
    const before = process.memoryUsage().rss;
    expectError(await send(app, key, bomb, gzip), 413, "WHENCE_ERR_BATCH_TOO_LARGE");
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1_048_576);
  });

  const whole = gzipSync(JSON.stringify(batchOf([logEvent()])));
  it.each([
    ["cut short", whole.subarray(0, whole.length - 12)],
    ["no gzip at all", Buffer.from(JSON.stringify(batchOf([logEvent()])))],
    ["damaged in the middle", Buffer.from(whole.map((byte, index) => (index > 40 && index < 60 ? byte ^ 255 : byte)))],
  ])("that is %s gets 400", async (_name, body) => {
    expectError(await send(app, key, body, gzip), 400, "WHENCE_ERR_BATCH_CORRUPT");
  });
});

describe("any other body", () => {
  it.each(["br", "deflate", "zstd", "gzip, gzip"])(
    "in Content-Encoding %s gets 415, which names gzip",
    async (encoding) => {
      const answer = await send(app, key, batchOf([logEvent()]), { "content-encoding": encoding });
      expectError(answer, 415, "WHENCE_ERR_BATCH_TYPE");
      expect(answer.headers["accept-encoding"]).toBe("gzip");
    },
  );

  it.each(["text/plain", "application/x-www-form-urlencoded", "application/octet-stream", "nonsense"])(
    "of type %s gets 415",
    async (type) => {
      const answer = await send(app, key, batchOf([logEvent()]), { "content-type": type });
      expectError(answer, 415, "WHENCE_ERR_BATCH_TYPE");
    },
  );

  it.each(['{"events":', "{'a': 1}", "\u0000", "NaN"])(
    "that isn't JSON gets 422, and isn't quoted: %j",
    async (body) => {
      const answer = await send(app, key, body);
      expect(answer.statusCode).toBe(422);
      expect(answer.json()).toEqual({ detail: [{ loc: ["body"], msg: "JSON decode error", type: "json_invalid" }] });
    },
  );

  it("that is empty gets 422: the field is required", async () => {
    const bare = await app.inject({ method: "POST", url: path, headers: { "x-api-key": key } });
    for (const answer of [await send(app, key, ""), bare]) {
      expect(answer.statusCode).toBe(422);
      expect(answer.json()).toEqual({ detail: [{ loc: ["body"], msg: "Field required", type: "missing" }] });
    }
  });
});
