import { investigationsTopic, telemetryTopic } from "@whence/storage";
import type { FastifyInstance } from "fastify";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { operatorToken } from "../../src/credentials.ts";
import { startTestService, type TestService } from "../test-service.ts";
import { mountOperator } from "./service.ts";

let service: TestService;
let app: FastifyInstance;
let token: string;

beforeAll(async () => {
  service = await startTestService();
  ({ app, token } = await mountOperator(service));
});
beforeEach(async () => {
  await call("POST", "/operator/dead-letters/discard", { topic: "telemetry", all: true });
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  await app.close();
  await service.close();
});

const call = (method: "GET" | "POST", url: string, payload?: object, bearer = token) =>
  app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${bearer}` },
    ...(payload === undefined ? {} : { payload }),
  });

/** The most letters that a call to the queue has requested. */
function watchLettersAsked(): () => number {
  const asked = vi.spyOn(service.queue, "deadLetters");
  return () => Math.max(...asked.mock.calls.map(([, max]) => max));
}

/** Makes dead letters of messages with these bodies. */
async function bury(...bodies: string[]): Promise<void> {
  await service.queue.publish(
    telemetryTopic,
    bodies.map((body) => ({ id: crypto.randomUUID(), body })),
  );
  const deliveries = await service.queue.receive(telemetryTopic, { max: bodies.length, waitMs: 1_000 });
  for (const delivery of deliveries) await delivery.bury("no batch");
}

const letters = async (limit = 50) =>
  (await call("GET", `/operator/dead-letters?topic=telemetry&limit=${limit}`)).json().letters;

async function received(): Promise<string[]> {
  const deliveries = await service.queue.receive(telemetryTopic, { max: 1_000, waitMs: 10 });
  for (const delivery of deliveries) await delivery.ack();
  return deliveries.map(({ body }) => body);
}

describe("the list of dead letters", () => {
  it("has each letter with its reason, its size, and the first 2,000 characters of its body", async () => {
    await bury("é".repeat(2_001));
    const [letter, ...others] = await letters();
    expect(others).toEqual([]);
    expect(letter).toEqual({
      ...{ letter: expect.any(String), id: expect.any(String), attempts: 1, reason: "no batch", bytes: 4_002 },
      buried_at: expect.stringMatching(/^\d{4}-.*Z$/),
      excerpt: "é".repeat(2_000),
    });
    const whole = await call("GET", `/operator/dead-letters/telemetry/${letter.letter}`);
    expect(whole.json()).toMatchObject({ id: letter.id, bytes: 4_002, body: "é".repeat(2_001) });
  });

  it("accepts 1 to 200 letters of a known topic", async () => {
    const statusOf = async (query: string) => (await call("GET", `/operator/dead-letters?${query}`)).statusCode;
    expect(
      await Promise.all(["limit=0", "limit=1", "limit=200", "limit=201"].map((q) => statusOf(`topic=failures&${q}`))),
    ).toEqual([422, 200, 200, 422]);
    expect(await statusOf("topic=others")).toBe(422);
    expect(await statusOf("")).toBe(422);
  });

  it("returns the whole of a letter among the newest 200, and loads no more to find it", async () => {
    await bury(...Array.from({ length: 201 }, (_, index) => `body ${index}`));
    const all = await service.queue.deadLetters(telemetryTopic, 201);
    const asked = watchLettersAsked();
    const statusOf = async (index: number) =>
      (await call("GET", `/operator/dead-letters/telemetry/${all[index]?.letter}`)).statusCode;
    expect([await statusOf(0), await statusOf(199), await statusOf(200)]).toEqual([200, 200, 404]);
    expect(asked()).toBe(200);
  });

  it("is 404 for an unknown letter or topic", async () => {
    for (const path of ["telemetry/nothing", "others/1"]) {
      const answer = await call("GET", `/operator/dead-letters/${path}`);
      expect(answer.statusCode).toBe(404);
      expect(answer.json().code).toBe("WHENCE_ERR_DEAD_LETTER_UNKNOWN");
    }
  });
});

describe("dead letters", () => {
  it("are published again by name, while the others stay", async () => {
    await bury("one", "two");
    const [first, second] = await letters();
    const answer = await call("POST", "/operator/dead-letters/redrive", {
      topic: "telemetry",
      letters: [first.letter],
    });
    expect(answer.json()).toEqual({ letters: 1 });
    expect(await received()).toEqual([first.excerpt]);
    expect((await letters()).map(({ letter }: { letter: string }) => letter)).toEqual([second.letter]);
  });

  it("are published again all at once, more than one call of the queue takes, few in memory at a time", async () => {
    const bodies = Array.from({ length: 230 }, (_, index) => `body ${index}`);
    await bury(...bodies);
    const asked = watchLettersAsked();
    const answer = await call("POST", "/operator/dead-letters/redrive", { topic: "telemetry", all: true });
    expect(answer.json()).toEqual({ letters: 230 });
    expect(asked()).toBe(32);
    expect((await received()).sort()).toEqual(bodies.sort());
    expect(await letters()).toEqual([]);
  });

  it("are published again once each, even if they die again in the meantime", async () => {
    const bodies = Array.from({ length: 100 }, (_, index) => `body ${index}`);
    await bury(...bodies);
    const died: string[] = [];
    const redrive = service.queue.redrive.bind(service.queue);
    vi.spyOn(service.queue, "redrive").mockImplementation(async (topic, names) => {
      const count = await redrive(topic, names);
      for (const delivery of await service.queue.receive(topic, { max: 1_000, waitMs: 1_000 })) {
        died.push(delivery.body);
        await delivery.bury("again");
      }
      return count;
    });
    const answer = await call("POST", "/operator/dead-letters/redrive", { topic: "telemetry", all: true });
    expect(answer.json()).toEqual({ letters: 100 });
    expect(died.sort()).toEqual(bodies.sort());
    expect(await letters(200)).toHaveLength(100);
  });

  it("are left in place behind 200 that die while others are published again", async () => {
    await bury(...Array.from({ length: 40 }, (_, index) => `body ${index}`));
    const redrive = service.queue.redrive.bind(service.queue);
    vi.spyOn(service.queue, "redrive").mockImplementationOnce(async (topic, names) => {
      const count = await redrive(topic, names);
      await received();
      await bury(...Array.from({ length: 200 }, (_, index) => `new ${index}`));
      return count;
    });
    const answer = await call("POST", "/operator/dead-letters/redrive", { topic: "telemetry", all: true });
    expect(answer.json()).toEqual({ letters: 32 });
    expect((await service.queue.depth(telemetryTopic)).dead).toBe(208);
    await call("POST", "/operator/dead-letters/discard", { topic: "telemetry", all: true });
    expect((await service.queue.depth(telemetryTopic)).dead).toBe(0);
  });

  it("are discarded permanently", async () => {
    await bury("one", "two", "three");
    const [first] = await letters();
    const discard = (chosen: object) =>
      call("POST", "/operator/dead-letters/discard", { topic: "telemetry", ...chosen });
    expect((await discard({ letters: [first.letter, "nothing"] })).json()).toEqual({ letters: 1 });
    expect((await discard({ all: true })).json()).toEqual({ letters: 2 });
    expect((await discard({ all: true })).json()).toEqual({ letters: 0 });
    expect(await received()).toEqual([]);
  });

  it.each([
    {},
    { topic: "telemetry" },
    { topic: "telemetry", letters: [] },
    { topic: "telemetry", all: false },
    { topic: "telemetry", letters: ["1"], all: true },
    { topic: "others", all: true },
  ])("are left alone by a request that doesn't name any: %j", async (payload) => {
    await bury("one");
    for (const action of ["redrive", "discard"]) {
      expect((await call("POST", `/operator/dead-letters/${action}`, payload)).statusCode).toBe(422);
    }
    expect(await letters()).toHaveLength(1);
  });
});

describe("the queues", () => {
  it("report for each topic what waits, what is held, what is dead, and since when", async () => {
    await service.queue.publish(investigationsTopic, [{ id: "i1", body: "{}" }]);
    await bury("one");
    const answer = (await call("GET", "/operator/queues")).json();
    expect(answer.queues).toEqual([
      { topic: "telemetry", pending: 0, held: 0, dead: 1, oldest_at: null },
      { topic: "failures", pending: 0, held: 0, dead: 0, oldest_at: null },
      { topic: "investigations", pending: 1, held: 0, dead: 0, oldest_at: expect.stringMatching(/Z$/) },
      { topic: "webhooks", pending: 0, held: 0, dead: 0, oldest_at: null },
      { topic: "check-ins", pending: 0, held: 0, dead: 0, oldest_at: null },
    ]);
  });
});

describe("the operator interface", () => {
  const routes = [
    ["GET", "/operator/dead-letters?topic=telemetry"],
    ["GET", "/operator/dead-letters/telemetry/1"],
    ["POST", "/operator/dead-letters/redrive"],
    ["POST", "/operator/dead-letters/discard"],
    ["GET", "/operator/queues"],
    ["GET", "/operator/backup"],
  ] as const;

  it.each(routes)(
    "refuses %s %s without the token, with another service's, and with an organization's key",
    async (method, url) => {
      const others = [undefined, "Bearer", `Bearer ${operatorToken(Buffer.alloc(32))}`, `Basic ${token}`, token];
      for (const authorization of others) {
        const headers = authorization === undefined ? { "x-api-key": token } : { authorization };
        const answer = await app.inject({
          method,
          url,
          headers,
          remoteAddress: `10.1.0.${others.indexOf(authorization)}`,
        });
        expect(answer.statusCode).toBe(401);
        expect(answer.headers["www-authenticate"]).toBe("Bearer");
        expect(answer.body).not.toContain(token);
      }
    },
  );

  it("slows down guesses at the token, but not requests with the right one", async () => {
    const guess = (bearer: string) =>
      app.inject({
        url: "/operator/queues",
        headers: { authorization: `Bearer ${bearer}` },
        remoteAddress: "10.2.0.1",
      });
    for (let count = 0; count < 20; count++) expect((await guess(`guess${count}`)).statusCode).toBe(401);
    const refused = await guess("once-more");
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect((await guess(token)).statusCode).toBe(200);
  });

  it("is in neither of the service's API descriptions", async () => {
    for (const url of ["/openapi.json", "/openapi.application.json"]) {
      expect((await service.app.inject({ url })).body).not.toContain("/operator");
    }
  });
});
