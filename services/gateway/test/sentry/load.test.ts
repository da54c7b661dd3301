import { PassThrough } from "node:stream";
import type { Storage } from "@whence/storage";
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from "fastify";
import { Registry } from "prom-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gatewayMetrics } from "../../src/metrics.ts";
import { sentryLimits } from "../../src/sentry/sentry-limits.ts";
import { eventually } from "../eventually.ts";
import { buildApp, openTestStorage, organizationWithKey } from "../test-gateway.ts";
import { addDsnKey, auth, envelope, event, project } from "./sent-envelopes.ts";

const now = new Date("2026-03-01T12:00:00.000Z");
const registry = new Registry();
let storage: Storage;
let app: FastifyInstance;
let key: string;

beforeAll(async () => {
  storage = await openTestStorage();
  app = await buildApp({
    ...{ queue: storage.queue, keys: storage.control.keys, usage: storage.control.usage, secrets: storage.control },
    ...{ clock: () => now.getTime(), metrics: gatewayMetrics(registry) },
  });
  key = await dsnKeyOf("sentry");
});
afterAll(async () => {
  await app.close();
  await storage.close();
});

async function dsnKeyOf(organization: string): Promise<string> {
  return addDsnKey(storage, (await organizationWithKey(storage, organization)).id, now);
}

function post(payload: Buffer, { headers = auth(key) }: InjectOptions = {}): Promise<LightMyRequestResponse> {
  return app.inject({ method: "POST", url: `/api/${project.id}/envelope/`, payload, headers });
}

describe("envelopes that are read in parts", () => {
  const attached = Buffer.alloc(sentryLimits.wholeBytesMax);
  const large = (digit: string) =>
    envelope([
      ["event", { ...event, event_id: digit.repeat(32) }],
      ["attachment", attached],
    ]);
  const overloaded = [503, "WHENCE_ERR_TELEMETRY_OVERLOADED", "5"];
  const refusalOf = ({ statusCode, headers, json }: LightMyRequestResponse) => [
    ...[statusCode, json().code, headers["retry-after"]],
  ];

  /** Sends three envelopes but for their last bytes. */
  function begin(own: string) {
    return ["a", "b", "c"].map((digit) => {
      const payload = new PassThrough();
      const bytes = large(digit);
      payload.write(bytes.subarray(0, -1));
      const headers = { ...auth(own), "content-length": String(bytes.length) };
      const answer = app.inject({ method: "POST", url: `/api/${project.id}/envelope/`, payload, headers });
      return { end: () => payload.end(bytes.subarray(-1)), answer };
    });
  }

  async function underWay(count: number): Promise<void> {
    await eventually(`${count} that are read in parts`, async () => {
      const gauge = await registry.getSingleMetric("whence_telemetry_bytes_under_way")?.get();
      return gauge?.values[0]?.value === count * sentryLimits.envelopeReadBytesMax;
    });
  }

  it("are 3 of an organization at a time and 6 in all, and the next gets 503 with the seconds to wait", async () => {
    const keys = await Promise.all(["second", "third"].map(dsnKeyOf));
    const [second = "", third = ""] = keys;
    const started = begin(key);
    await underWay(3);
    expect(refusalOf(await post(large("d")))).toEqual(overloaded);
    expect((await post(envelope([["event", event]]))).statusCode).toBe(200);
    expect((await post(large("d"), { headers: auth(second) })).statusCode).toBe(200);
    started.push(...begin(second));
    await underWay(6);
    expect(refusalOf(await post(large("e"), { headers: auth(third) }))).toEqual(overloaded);
    for (const { end } of started) end();
    const answers = await Promise.all(started.map(({ answer }) => answer));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200, 200]);
    await underWay(0);
    expect((await post(large("f"))).statusCode).toBe(200);
  });
});

describe("requests that have their key only in the body", () => {
  it("are 50 at a time, and keep no others out", async () => {
    const bodies = Array.from({ length: 51 }, () => new PassThrough());
    const url = `/api/${project.id}/envelope/`;
    const headers = { "content-length": "3" };
    const answers = bodies.map((payload) => app.inject({ method: "POST", url, headers, payload }));
    const [first] = await Promise.all([Promise.race(answers), post(envelope([["event", event]]))]);
    expect([first.statusCode, first.json().code]).toEqual([503, "WHENCE_ERR_TELEMETRY_OVERLOADED"]);
    expect((await post(envelope([["event", event]]))).statusCode).toBe(200);
    for (const body of bodies) body.end("{}\n");
    const codes = (await Promise.all(answers)).map((answer) => answer.json().code);
    expect(codes.filter((code) => code === "WHENCE_ERR_SENTRY_KEY_MISSING")).toHaveLength(50);
  });

  it("are refused with 429 before the body, once 60 from an address in a minute had none that is known", async () => {
    const remoteAddress = "198.51.100.7";
    const url = `/api/${project.id}/envelope/`;
    const without = () => app.inject({ method: "POST", url, payload: "{}\n", remoteAddress });
    const known = envelope([["event", event]], { dsn: `http://${key}@127.0.0.1/${project.id}` });
    const within = () => app.inject({ method: "POST", url, payload: known, remoteAddress });
    for (let count = 0; count < 60; count++) {
      expect((await without()).json().code).toBe("WHENCE_ERR_SENTRY_KEY_MISSING");
      if (count % 20 === 0) expect((await within()).statusCode).toBe(200);
    }
    expect([(await without()).statusCode, (await within()).statusCode]).toEqual([429, 429]);
    const inHeader = { method: "POST", url, payload: known, headers: auth(key), remoteAddress } as const;
    expect((await app.inject(inHeader)).statusCode).toBe(200);
  });
});
