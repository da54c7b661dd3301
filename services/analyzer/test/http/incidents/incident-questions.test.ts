import { limits, questionAnswerSchema } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fixtureIncident } from "../../conversations/fixture-reports.ts";
import { endedIncident } from "../../ended-report.ts";
import { makeOrganization, startTestService, type TestOrganization, type TestService } from "../../test-service.ts";

let service: TestService;
let acme: TestOrganization;
let id: string;

beforeAll(async () => {
  service = await startTestService();
  acme = await makeOrganization(service, "acme");
  id = await endedIncident(service, acme.id, fixtureIncident("dry-pool").report);
});
afterAll(() => service.close());

const ask = (question: unknown, headers: Record<string, string> = { cookie: acme.cookie }, of = id) =>
  service.app.inject({ method: "POST", url: `/api/incidents/${of}/questions`, headers, payload: { question } });

describe("a question about a report", () => {
  it("is answered from the report, as parts and as Markdown", async () => {
    const answered = await ask("where is the bug?");
    expect(answered.statusCode).toBe(200);
    const { answer, markdown } = questionAnswerSchema.parse(answered.json());
    expect(answer).toMatchObject({
      purpose: "answer",
      headline: "The report points to reserve in /srv/orders/stock.ts:5 (orders).",
      link: { text: "Open the incident", url: expect.stringContaining(id) },
    });
    expect(markdown).toContain("**The report points to reserve in `/srv/orders/stock.ts:5` (orders).**");
  });

  it("may use a key that reads", async () => {
    expect((await ask("why?", { "x-api-key": acme.key })).statusCode).toBe(200);
  });

  it("is rejected without credentials, from another site, and on another's incident", async () => {
    expect((await ask("why?", {})).json().code).toBe("WHENCE_ERR_NO_CREDENTIALS");
    const foreign = { cookie: acme.cookie, origin: "https://evil.example" };
    expect((await ask("why?", foreign)).json().code).toBe("WHENCE_ERR_ORIGIN_REFUSED");
    const other = await makeOrganization(service, "other");
    expect((await ask("why?", { cookie: other.cookie })).json().code).toBe("WHENCE_ERR_INCIDENT_UNKNOWN");
  });

  it.each([[""], ["x".repeat(limits.questionLengthMax + 1)], [7], [undefined]])(
    "has 1 to 500 characters: %j",
    async (question) => {
      expect((await ask(question)).statusCode).toBe(422);
    },
  );

  it("may have 500 characters", async () => {
    expect((await ask("why? ".padEnd(limits.questionLengthMax, "!"))).statusCode).toBe(200);
  });
});
