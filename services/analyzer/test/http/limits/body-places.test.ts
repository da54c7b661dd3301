import { once } from "node:events";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { analysisBodyBytesMax } from "../../../src/http/limits/body-places.ts";
import { makeOrganization, startTestService, type TestService } from "../../test-service.ts";

let service: TestService;
let base: string;

beforeAll(async () => {
  service = await startTestService();
  base = await service.app.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(() => service.close());

const small = JSON.stringify({ error_log: "E" });

/** An analysis that sends its headers and one byte, and waits. */
function beginLarge(key: string, bytes: number): ClientRequest {
  const headers = { "x-api-key": key, "content-type": "application/json", "content-length": bytes };
  const sent = request(`${base}/api/mcp/analyze`, { method: "POST", headers });
  sent.on("error", () => undefined);
  sent.write("{");
  return sent;
}

async function analyze(key: string, length?: number): Promise<IncomingMessage> {
  const headers = {
    ...{ "x-api-key": key, "content-type": "application/json" },
    ...(length === undefined ? { "transfer-encoding": "chunked" } : { "content-length": length }),
  };
  const sent = request(`${base}/api/mcp/analyze`, { method: "POST", headers });
  sent.end(small);
  const [response] = await once(sent, "response");
  response.resume();
  return response;
}

describe("analyses that are being read", () => {
  it("are limited for an organization by their length, and not for another", async () => {
    const acme = await makeOrganization(service, "acme");
    const rival = await makeOrganization(service, "rival");
    const large = beginLarge(acme.key, analysisBodyBytesMax - small.length);
    await expect.poll(async () => (await analyze(acme.key)).statusCode).toBe(429);
    expect((await analyze(acme.key)).headers["retry-after"]).toBe("2");
    expect((await analyze(acme.key, small.length)).statusCode).toBe(200);
    expect((await analyze(rival.key)).statusCode).toBe(200);
    large.destroy();
    await expect.poll(async () => (await analyze(acme.key)).statusCode).toBe(200);
  });
});
