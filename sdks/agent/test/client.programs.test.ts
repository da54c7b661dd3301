import { limits } from "@whence/protocol";
import { afterAll, beforeAll, beforeEach, describe, expect, expectTypeOf, it } from "vitest";
import { freePort } from "../../../test/servers/free-port.ts";
import { bootstrapKey, type ServerProcess, startServerProcess } from "../../../test/servers/server-process.ts";
import { clientLimits } from "../src/client-limits.ts";
import { type FollowMessage, ServiceRefusal, WhenceClient } from "../src/index.ts";
import { backOffMs, retryAfterMs } from "../src/retry.ts";
import { serviceAddress } from "../src/service-address.ts";
import { type FaultyService, startFaultyService } from "./faulty-service.ts";
import { temporaryFolder } from "./whence-command.ts";

let data: Awaited<ReturnType<typeof temporaryFolder>>;
let server: ServerProcess;
let service: FaultyService;

beforeAll(async () => {
  data = await temporaryFolder();
  server = await startServerProcess(data.path, await freePort(), { WHENCE_REGISTER_PER_HOUR: "2" });
  service = await startFaultyService(server.url);
});
afterAll(async () => {
  await service?.close();
  await server?.end("SIGTERM");
  await data?.remove();
});
beforeEach(() => {
  service.faults.length = 0;
  service.seen.length = 0;
});

const clientOf = (apiKey: string | undefined = bootstrapKey, timeoutMs = 10_000) =>
  new WhenceClient({ url: service.url, apiKey, timeoutMs });
const error = { error_log: "Error: boom\n    at f (/a/b.js:1:1)\n" };

async function followed(id: string): Promise<FollowMessage[]> {
  const messages: FollowMessage[] = [];
  for await (const message of clientOf().follow(id)) messages.push(message);
  return messages;
}

describe("the client", () => {
  it("registers, gets the status, starts an analysis, and reads the incident", async () => {
    const agent = await clientOf(undefined).register("client test");
    const client = clientOf(agent.api_key);
    expect(await client.status()).toMatchObject({
      agent_id: agent.agent_id,
      source: "client test",
      status: "unclaimed",
    });
    const started = await client.analyze({ ...error, files: null });
    expect(started.status).toBe("queued");
    expect(await client.incident(started.incident_id)).toMatchObject({
      id: started.incident_id,
      organization_id: null,
    });
  });

  it("follows an investigation step by step to its end", async () => {
    const { incident_id } = await clientOf().analyze(error);
    const messages = await followed(incident_id);
    const steps = messages.flatMap((message) => (message.kind === "step" ? [message.step.seq] : []));
    expect(steps).toEqual(Array.from(steps, (_, index) => index + 1));
    expect(messages.at(-1)).toMatchObject({ kind: "incident", incident: { status: "completed" } });
  });

  it("yields each step once, even when the stream breaks several times", async () => {
    const { incident_id } = await clientOf().analyze(error);
    const whole = await followed(incident_id);
    service.faults.push({ cutAfterBytes: 200 }, "reset", { cutAfterBytes: 900 }, { status: 503 });
    expect(await followed(incident_id)).toEqual(whole);
  });

  it("has a type for the answer of each call", () => {
    expectTypeOf<WhenceClient["analyze"]>().returns.resolves.toHaveProperty("incident_id");
    expectTypeOf<WhenceClient["status"]>().returns.resolves.toHaveProperty("expires_in_seconds");
    expectTypeOf<WhenceClient["analyze"]>().parameter(0).toHaveProperty("error_log");
  });
});

describe("a temporary failure", () => {
  it.each([
    ["a broken connection", "reset"],
    ["429", { status: 429 }],
    ["503", { status: 503 }],
  ] as const)("is retried: %s, three times", async (_, fault) => {
    service.faults.push(fault, fault, fault);
    expect(await clientOf().analyze(error)).toMatchObject({ status: "queued" });
    expect(service.seen).toHaveLength(clientLimits.triesMax);
  });

  it("is reported after the fourth attempt", async () => {
    service.faults.push("reset", "reset", "reset", "reset");
    await expect(clientOf().analyze(error)).rejects.toMatchObject({ code: "WHENCE_ERR_SERVICE_UNREACHABLE" });
    expect(service.seen).toHaveLength(4);
  });

  it("is retried after the time that the service asks for, unless that is too long", async () => {
    const waiting = { status: 503, headers: { "retry-after": "1" } };
    service.faults.push(waiting);
    const begun = performance.now();
    await clientOf().analyze(error);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(990);

    service.seen.length = 0;
    const body = JSON.stringify({ detail: "later", code: "WHENCE_ERR_RATE_LIMITED" });
    service.faults.push({ status: 429, headers: { "retry-after": "31" }, body });
    await expect(clientOf().analyze(error)).rejects.toMatchObject({
      code: "WHENCE_ERR_RATE_LIMITED",
      retryAfterSeconds: 31,
    });
    expect(service.seen).toHaveLength(1);
  });

  it("backs off from an eighth of a second to four", () => {
    expect(backOffMs(1, 0)).toBe(125);
    expect(backOffMs(1, 0.999)).toBeLessThan(250);
    expect(backOffMs(20, 0.999)).toBeLessThan(clientLimits.backOffMaxMs);
  });

  it("reads Retry-After as seconds and as a date", () => {
    const now = Date.parse("2026-03-01T12:00:00.000Z");
    expect(retryAfterMs(" 12 ", now)).toBe(12_000);
    expect(retryAfterMs("Sun, 01 Mar 2026 12:00:30 GMT", now)).toBe(30_000);
    for (const none of [null, "soon", "-5", "Sun, 01 Mar 2026 11:00:00 GMT"]) expect(retryAfterMs(none, now)).toBe(0);
  });
});

describe("a permanent failure", () => {
  it("is not retried: a timeout, since the service may be working on the request", async () => {
    service.faults.push("silent");
    await expect(clientOf(bootstrapKey, 300).analyze(error)).rejects.toMatchObject({
      code: "WHENCE_ERR_SERVICE_TIMEOUT",
    });
    expect(service.seen).toHaveLength(1);
  });

  it("is reported once, with the service's code", async () => {
    const refused: unknown = await clientOf("whk_wrong")
      .analyze(error)
      .catch((reason: unknown) => reason);
    expect(refused).toBeInstanceOf(ServiceRefusal);
    expect(refused).toMatchObject({ code: "WHENCE_ERR_KEY_UNKNOWN", status: 401 });
    expect(service.seen).toHaveLength(1);
  });

  it("names each violation of the schema", async () => {
    const tooMany = Array.from({ length: limits.filesMax + 1 }, () => ({ name: "a", content: "" }));
    await expect(clientOf().analyze({ error_log: "E", files: tooMany })).rejects.toMatchObject({
      code: "WHENCE_ERR_REQUEST_INVALID",
      status: 422,
      message: expect.stringContaining("body.files"),
      violations: [{ loc: ["body", "files"], type: "too_long" }],
    });
  });

  it("is a redirect, which would carry the key along", async () => {
    service.faults.push({ status: 308, headers: { location: "https://elsewhere.example/" } });
    await expect(clientOf().status()).rejects.toMatchObject({
      code: "WHENCE_ERR_SERVICE_REDIRECTS",
      message: expect.stringContaining("https://elsewhere.example/"),
    });
  });

  it.each([
    { status: 200, body: "<html>" },
    { status: 200, body: "{}" },
    { status: 404, body: "not here" },
  ])("is an answer from something else: %j", async (fault) => {
    service.faults.push(fault);
    await expect(clientOf().status()).rejects.toMatchObject({ code: "WHENCE_ERR_SERVICE_ANSWER" });
  });

  it("is a caller that aborted, whose reason is passed on", async () => {
    service.faults.push("silent");
    const leaving = new AbortController();
    const call = clientOf().analyze(error, leaving.signal);
    leaving.abort(new Error("enough"));
    await expect(call).rejects.toThrow("enough");
  });
});

describe("an address", () => {
  it("is normalized from any spelling", () => {
    for (const given of [
      "https://Whence.example.com",
      "https://whence.example.com/",
      "https://whence.example.com:443//",
    ]) {
      expect(serviceAddress(given)).toBe("https://whence.example.com");
    }
    expect(serviceAddress("http://host/whence/")).toBe("http://host/whence");
  });

  it.each(["", "whence", "ftp://a", "https://user:pass@a", "https://a?key=1", "https://a#b"])("isn't %j", (given) => {
    expect(() => serviceAddress(given)).toThrow("isn't the URL of a service");
  });
});
