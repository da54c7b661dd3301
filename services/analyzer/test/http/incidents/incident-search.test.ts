import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endedIncident } from "../../ended-report.ts";
import { makeOrganization, startTestService, type TestOrganization, type TestService } from "../../test-service.ts";

let service: TestService;
let acme: TestOrganization;

beforeAll(async () => {
  service = await startTestService();
  acme = await makeOrganization(service, "acme");
});
afterAll(() => service.close());

const analyze = async (errorLog: string): Promise<string> =>
  (
    await service.app.inject({
      method: "POST",
      url: "/api/mcp/analyze",
      headers: { "x-api-key": acme.key },
      payload: { error_log: errorLog },
    })
  ).json().incident_id;

const answerTo = (search: string) =>
  service.app.inject({ url: "/api/incidents", query: { search }, headers: { "x-api-key": acme.key } });
const found = async (search: string): Promise<string[]> =>
  (await answerTo(search)).json().incidents.map(({ id }: { id: string }) => id);

describe("the search of the list of incidents", () => {
  it("takes words, quoted text, fields, and what must not be", async () => {
    const stock = await analyze("TypeError: out of stock");
    const memory = await analyze("RangeError: stock is out of memory");
    const ended = await endedIncident(service, acme.id);
    await service.app.inject({
      method: "POST",
      url: `/api/incidents/${ended}/lifecycle`,
      headers: { cookie: acme.cookie },
      payload: { action: "resolve" },
    });
    expect(await found("")).toEqual([ended, memory, stock]);
    expect(await found("out stock")).toEqual([memory, stock]);
    expect(await found('"out of stock"')).toEqual([stock]);
    expect(await found('out -"out of stock"')).toEqual([memory]);
    expect(await found("TypeError: stock")).toEqual([stock]);
    expect(await found("is:resolved")).toEqual([ended]);
    expect(await found("-is:resolved trigger:analyze memory")).toEqual([memory]);
    expect(await found("is:open,resolved")).toEqual([ended, memory, stock]);
    expect(await found("service:nowhere")).toEqual([]);
    expect(await found('service:"no where"')).toEqual([]);
    expect(await found('"out of s')).toEqual([stock]);
    expect(await found(stock)).toEqual([stock]);
  });

  it("says which values a field can have", async () => {
    const answer = await answerTo("is:closed");
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail).toMatchObject([
      { loc: ["query", "search"], msg: "Value error, `is:` can be open, muted, ignored, resolved" },
    ]);
  });

  it("has at most 200 characters", async () => {
    expect((await answerTo("x".repeat(200))).statusCode).toBe(200);
    expect((await answerTo("x".repeat(201))).statusCode).toBe(422);
  });
});
