import { Registry } from "prom-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askedText } from "../src/analysis/analysis-body.ts";
import { incidentFromText } from "../src/analysis/from-text.ts";
import { analyzerMetrics } from "../src/metrics.ts";
import { makeOrganization, startTestService, type TestOrganization, type TestService } from "./test-service.ts";

let service: TestService;
let acme: TestOrganization;

beforeAll(async () => {
  service = await startTestService();
  acme = await makeOrganization(service, "acme-and-partners");
});
afterAll(() => service.close());

async function line(start: string): Promise<string | undefined> {
  return (await service.registry.metrics()).split("\n").find((text) => text.startsWith(start));
}

describe("the analyzer's metrics", () => {
  it("count requests by the pattern of their route and the class of their status", async () => {
    const headers = { "x-api-key": acme.key };
    for (const id of ["inc_1", "inc_2"]) await service.app.inject({ url: `/api/incidents/${id}`, headers });
    await service.app.inject({ url: "/api/incidents?limit=1", headers });
    const named = (route: string, status: string) =>
      line(`whence_http_requests_total{method="GET",route="${route}",status="${status}"}`);
    expect(await named("/api/incidents/:id", "4xx")).toMatch(/ 2$/);
    expect(await named("/api/incidents", "2xx")).toMatch(/ 1$/);
    expect(await line('whence_http_request_duration_seconds_count{method="GET",route="/api/incidents/:id"}')).toMatch(
      / 2$/,
    );
  });

  it("create no series for unknown paths or their methods", async () => {
    for (const method of ["GET", "POST", "PUT", "OPTIONS"] as const) {
      await service.app.inject({ method, url: `/no/such/${method}` });
    }
    const text = await service.registry.metrics();
    expect(text).not.toContain("such");
    expect(await line('whence_http_requests_total{method="unknown",route="unknown",status="4xx"}')).toMatch(/ 4$/);
  });

  it("name no organization", async () => {
    const text = await service.registry.metrics();
    expect(text).not.toContain("acme");
    expect(text).not.toContain(acme.id);
  });

  it("count an analysis as an opened incident, and the messages waiting in the outbox", async () => {
    const headers = { "x-api-key": acme.key };
    await service.app.inject({ method: "POST", url: "/api/mcp/analyze", headers, payload: { error_log: "E" } });
    expect(await line('whence_incidents_total{outcome="opened",rule="analyze-request"}')).toMatch(/ 1$/);
    expect(await line("whence_outbox_pending")).toMatch(/ 1$/);
    await service.control.scope(acme.id).incidents.open(incidentFromText(await askedText("E", []), null, new Date()));
    expect(await line("whence_outbox_pending")).toMatch(/ 2$/);
  });

  it("are served without the outbox while the database is unavailable", async () => {
    const registry = new Registry();
    analyzerMetrics(registry, { pending: () => Promise.reject(new Error("away")) });
    const text = await registry.metrics();
    expect(text).toContain("whence_outbox_pending Nan");
    expect(text).toContain("whence_investigations_active 0");
  });
});
