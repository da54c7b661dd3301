import { accuracySchema, incidentSchema, limits } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endedIncident, reportWith } from "../../ended-report.ts";
import {
  makeOrganization,
  signInMember,
  startTestService,
  type TestOrganization,
  type TestService,
} from "../../test-service.ts";

let service: TestService;
let acme: TestOrganization;
let secondCookie: string;

beforeAll(async () => {
  service = await startTestService();
  acme = await makeOrganization(service, "acme");
  secondCookie = await signInMember(service, acme.id, "second@acme.example", "member");
});
afterAll(() => service.close());

type Headers = Record<string, string>;
const give = (id: string, payload: object, headers: Headers = { cookie: acme.cookie }) =>
  service.app.inject({ method: "POST", url: `/api/incidents/${id}/feedback`, headers, payload });
const read = async (id: string, headers: Headers = { cookie: acme.cookie }) =>
  incidentSchema.parse((await service.app.inject({ url: `/api/incidents/${id}`, headers })).json());

describe("a verdict", () => {
  it("of a person is kept with its reason and the actual cause, and listed on the incident", async () => {
    const id = await endedIncident(service, acme.id);
    const actual_cause = { file: "src/pay.js", category: "timeout", service: "payments" };
    const answer = await give(id, { verdict: "wrong", reason: "it was the pool", actual_cause });
    expect(answer.statusCode).toBe(200);
    expect(answer.json().feedback).toEqual([
      {
        author: { kind: "member", id: expect.any(String) },
        ...{ verdict: "wrong", reason: "it was the pool", actual_cause, on_earlier_report: false },
        ...{ at: new Date(service.clock.now).toISOString(), earlier: [], counts: true },
      },
    ]);
    expect((await read(id)).feedback).toEqual(answer.json().feedback);
  });

  it("is one per person, who may change it", async () => {
    const id = await endedIncident(service, acme.id);
    await give(id, { verdict: "right" });
    await give(id, { verdict: "partly" }, { cookie: secondCookie });
    service.clock.now += 1_000;
    await give(id, { verdict: "wrong" });
    const { feedback = [] } = await read(id);
    expect(feedback.map(({ verdict, earlier }) => [verdict, earlier.map((one) => one.verdict)])).toEqual([
      ["wrong", ["right"]],
      ["partly", []],
    ]);
  });

  it("may come from an organization's key and from an agent, each under its own name", async () => {
    const registered = await service.app.inject({
      method: "POST",
      url: "/api/agents/register",
      payload: { source: "a coding agent" },
    });
    const { agent_id, api_key } = registered.json();
    const own = await endedIncident(service, agent_id);
    const byAgent = await give(own, { verdict: "right" }, { "x-api-key": api_key });
    expect(byAgent.json().feedback).toMatchObject([{ author: { kind: "agent", id: agent_id } }]);
    const id = await endedIncident(service, acme.id);
    const byKey = await give(id, { verdict: "right" }, { "x-api-key": acme.key });
    expect(byKey.json().feedback).toMatchObject([{ author: { kind: "key", id: expect.stringMatching(/^key_/) } }]);
    expect((await give(id, { verdict: "wrong" }, { "x-api-key": api_key })).statusCode).toBe(404);
  });

  it("counts unless it is a program's on the analysis it requested, and each response says so", async () => {
    const headers = { "x-api-key": acme.key };
    const asked = await service.app.inject({
      ...{ method: "POST", url: "/api/mcp/analyze", headers },
      payload: { error_log: "Error: mine" },
    });
    const id: string = asked.json().incident_id;
    const { incidents } = service.control.scope(acme.id);
    const now = new Date(service.clock.now);
    await incidents.complete(id, (await incidents.begin(id, now)) ?? 0, reportWith(), now);
    const own = () => give(id, { verdict: "right" }, headers);
    expect((await own()).json().counts).toBe(false);
    service.clock.now += 1_000;
    const byMember = await give(id, { verdict: "right" });
    expect(byMember.json()).toMatchObject({ counts: true, feedback: [{ counts: true }, { counts: false }] });
    expect((await own()).json().counts).toBe(false);
  });

  it("is rejected without credentials, from another site, on another's incident, and before there is a report", async () => {
    const id = await endedIncident(service, acme.id);
    expect((await give(id, { verdict: "right" }, {})).json().code).toBe("WHENCE_ERR_NO_CREDENTIALS");
    const foreign = { cookie: acme.cookie, origin: "https://evil.example" };
    expect((await give(id, { verdict: "right" }, foreign)).json().code).toBe("WHENCE_ERR_ORIGIN_REFUSED");
    const other = await makeOrganization(service, "other");
    expect((await give(id, { verdict: "right" }, { cookie: other.cookie })).json().code).toBe(
      "WHENCE_ERR_INCIDENT_UNKNOWN",
    );
    const started = await service.app.inject({
      method: "POST",
      url: "/api/mcp/analyze",
      headers: { "x-api-key": acme.key },
      payload: { error_log: "Error: waits" },
    });
    const early = await give(started.json().incident_id, { verdict: "right" });
    expect([early.statusCode, early.json().code]).toEqual([409, "WHENCE_ERR_REPORT_MISSING"]);
  });

  it("is one of three words, with a reason of at most 4,000 characters", async () => {
    const id = await endedIncident(service, acme.id);
    const reason = "x".repeat(limits.feedbackReasonLengthMax);
    expect((await give(id, { verdict: "right", reason })).statusCode).toBe(200);
    expect((await give(id, { verdict: "right", reason: `${reason}x` })).json().detail[0].loc).toEqual([
      "body",
      "reason",
    ]);
    expect((await give(id, { verdict: "maybe" })).json().detail[0].loc).toEqual(["body", "verdict"]);
    expect((await give(id, { verdict: "wrong", actual_cause: { category: "gremlins" } })).statusCode).toBe(422);
  });

  it("can be changed at most 20 times by one author", async () => {
    const id = await endedIncident(service, acme.id);
    for (let count = 0; count < 20; count += 1) await give(id, { verdict: "right", reason: `${count}` });
    const answer = await give(id, { verdict: "right" });
    expect([answer.statusCode, answer.json().code]).toEqual([409, "WHENCE_ERR_VERDICT_LIMIT"]);
  });
});

describe("an organization's accuracy", () => {
  it("is returned by band and category, separately for people, agents, and predictions", async () => {
    const beta = await makeOrganization(service, "beta");
    const accuracy = async () =>
      accuracySchema.parse(
        (await service.app.inject({ url: "/api/accuracy", headers: { "x-api-key": beta.key } })).json(),
      );
    const nothing = { confirmed: 0, partly: 0, refuted: 0 };
    const empty = { reports: 0, people: nothing, agents: nothing, predictions: nothing };
    expect(await accuracy()).toMatchObject({
      since: null,
      all: { ...empty, confidence: null, right: null, brier: null },
      categories: [],
    });

    const sure = await endedIncident(service, beta.id);
    const guess = await endedIncident(service, beta.id, reportWith({ confidence: { score: 0.3, basis: "" } }));
    await endedIncident(
      service,
      beta.id,
      reportWith({ root_cause: { category: "timeout", statement: "", location: null, service: null } }),
    );
    await give(sure, { verdict: "right" }, { cookie: beta.cookie });
    await give(guess, { verdict: "wrong" }, { "x-api-key": beta.key });
    const { all, bands, categories, since } = await accuracy();
    expect(since).toBe(new Date(service.clock.now).toISOString());
    expect(all).toEqual({
      ...{ reports: 3, people: { ...nothing, confirmed: 1 }, agents: { ...nothing, refuted: 1 }, predictions: nothing },
      // A person's word counts 1, a key's half: (0.7 + 0.3 / 2) / 1.5, 1 / 1.5, (0.3² + 0.3² / 2) / 1.5.
      ...{ confidence: 0.567, right: 0.667, brier: 0.09 },
    });
    expect(bands.map(({ from, to, reports }) => [from, to, reports])).toEqual([
      [0, 0.2, 0],
      [0.2, 0.4, 1],
      [0.4, 0.6, 0],
      [0.6, 0.8, 2],
      [0.8, 1, 0],
    ]);
    expect(categories.map(({ category, reports }) => [category, reports])).toEqual([
      ["bad-config", 2],
      ["timeout", 1],
    ]);
  });

  it("is rejected without credentials", async () => {
    expect((await service.app.inject({ url: "/api/accuracy" })).statusCode).toBe(401);
  });
});
