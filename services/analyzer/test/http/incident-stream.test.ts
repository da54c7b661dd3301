import { once } from "node:events";
import { get } from "node:http";
import { describe, expect, it } from "vitest";
import { makeOrganization, startTestService } from "../test-service.ts";

describe("the event stream of an incident that nobody investigates", () => {
  it("does not keep the server from stopping", async () => {
    const service = await startTestService();
    const { key } = await makeOrganization(service, "acme");
    const base = await service.app.listen({ port: 0, host: "127.0.0.1" });
    const headers = { "x-api-key": key };
    const payload = { error_log: "E" };
    const opened = await service.app.inject({ method: "POST", url: "/api/mcp/analyze", headers, payload });
    const request = get(`${base}/api/incidents/${opened.json().incident_id}/events`, { headers });
    const [response] = await once(request, "response");
    expect(response.statusCode).toBe(200);
    response.resume();
    const ended = once(response, "end");
    await service.close();
    await ended;
  });
});
