import { incidentPageSchema, openedLifecycle, type Report } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endedIncident, reportWith } from "../../ended-report.ts";
import { makeOrganization, startTestService, type TestOrganization, type TestService } from "../../test-service.ts";

let service: TestService;
let acme: TestOrganization;
let address: string;

beforeAll(async () => {
  service = await startTestService();
  acme = await makeOrganization(service, "acme");
  address = await service.app.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(() => service.close());

const headers = () => ({ "x-api-key": acme.key });
const incidents = () => service.control.scope(acme.id).incidents;

async function open(errorLog: string): Promise<string> {
  const answer = await service.app.inject({
    method: "POST",
    url: "/api/mcp/analyze",
    headers: headers(),
    payload: { error_log: errorLog },
  });
  return answer.json().incident_id;
}

const report: Report = {
  root_cause_summary: "It broke [e1].",
  root_cause: { category: "unknown", statement: "It broke [e1].", location: null, service: null },
  chain: [{ what: "it broke", evidence_ids: ["e1"] }],
  candidates: [
    {
      ...{ rank: 1, category: "unknown", statement: "It broke.", location: null, service: null, score: 0.1 },
      ...{ evidence_ids: ["e1"], support: [], against: [] },
    },
  ],
  detailed_analysis: "It broke [e1].",
  short_term_solutions: [],
  long_term_solutions: [],
  evidence: [
    {
      id: "e1",
      source: { kind: "error_log", name: "error_log" },
      observed_at: "2026-03-01T12:00:00.000Z",
      summary: "the text",
      excerpt: "E",
      location: null,
      range: { start: 0, end: 1 },
      sha256: "a".repeat(64),
    },
  ],
  timeline: [],
  impact: {
    summary: "",
    first_seen: null,
    last_seen: null,
    events: 0,
    services: [],
    routes: [],
    hosts: [],
    releases: [],
  },
  confidence: { score: 0.1, basis: "nothing" },
  predictions: [],
  not_checked: [],
  provenance: {},
  engine: { name: "whence", version: "0.0.0" },
};

const begin = async (id: string): Promise<number> => {
  const attempt = await incidents().begin(id, new Date(service.clock.now));
  if (attempt === null) throw new Error(`${id} has ended`);
  return attempt;
};

describe("reading an incident", () => {
  it("returns all its fields and, once completed, the report", async () => {
    const id = await open("Error: one");
    await incidents().complete(id, await begin(id), report, new Date(service.clock.now + 10));
    const answer = await service.app.inject({ url: `/api/incidents/${id}`, headers: headers() });
    expect(answer.json()).toEqual({
      id,
      organization_id: acme.id,
      status: "completed",
      title: "Error: one",
      severity: "medium",
      trigger: { kind: "analyze", agent_id: null, files: 0 },
      service: null,
      env: null,
      fingerprint: null,
      decision: { outcome: "opened", rule: "analyze-request", reason: expect.any(String) },
      created_at: new Date(service.clock.now).toISOString(),
      started_at: new Date(service.clock.now).toISOString(),
      completed_at: new Date(service.clock.now + 10).toISOString(),
      url: `https://whence.example.com/incidents/${id}`,
      report,
      refinement: { version: 1, refining: false, refined_at: null, refined_until: null },
      feedback: [],
      lifecycle: openedLifecycle(new Date(service.clock.now).toISOString()),
      owner: null,
      acknowledged: null,
    });
  });

  it("is 404 for an unknown ID, and 401 without a key and session", async () => {
    expect((await service.app.inject({ url: "/api/incidents/inc_x", headers: headers() })).statusCode).toBe(404);
    expect((await service.app.inject({ url: "/api/incidents/inc_x" })).statusCode).toBe(401);
  });
});

describe("the list of incidents", () => {
  it("is newest first, in pages, without reports, and filters by status", async () => {
    const other = await makeOrganization(service, "lister");
    const ids: string[] = [];
    for (let index = 0; index < 5; index++) {
      const answer = await service.app.inject({
        method: "POST",
        url: "/api/mcp/analyze",
        headers: { "x-api-key": other.key },
        payload: { error_log: `Error: ${index}` },
      });
      ids.unshift(answer.json().incident_id);
    }
    const page = async (query: string) =>
      (await service.app.inject({ url: `/api/incidents?${query}`, headers: { "x-api-key": other.key } })).json();
    const first = await page("limit=3");
    expect(first.incidents.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 3));
    expect(first.next).toBe(ids[2]);
    const second = await page(`limit=3&before=${first.next}`);
    expect(second.incidents.map(({ id }: { id: string }) => id)).toEqual(ids.slice(3));
    expect(second.next).toBeNull();
    expect((await page("status=completed")).incidents).toEqual([]);
    expect((await page("status=queued")).incidents).toHaveLength(5);
  });

  it("are in the order that is asked for, page by page, and refuse the cursor of another order", async () => {
    const other = await makeOrganization(service, "sorter");
    const ids: string[] = [];
    for (const score of [0.4, 0.9, 0.6]) {
      ids.push(await endedIncident(service, other.id, reportWith({ confidence: { score, basis: "" } })));
    }
    const [least, most, between] = ids;
    const get = (query: string) =>
      service.app.inject({ url: `/api/incidents?${query}`, headers: { "x-api-key": other.key } });
    const page = async (query: string) => incidentPageSchema.parse((await get(query)).json());
    const first = await page("sort=confidence&limit=2");
    expect(first.incidents.map(({ id }) => id)).toEqual([most, between]);
    const second = await page(`sort=confidence&limit=2&before=${encodeURIComponent(first.next ?? "")}`);
    expect(second.incidents.map(({ id }) => id)).toEqual([least]);
    expect(second.next).toBeNull();
    for (const sort of ["newest", "last-seen"]) {
      const refused = await get(`sort=${sort}&before=${encodeURIComponent(first.next ?? "")}`);
      expect([refused.statusCode, refused.json().detail[0].loc]).toEqual([422, ["query", "before"]]);
    }
    expect((await get("sort=oldest")).statusCode).toBe(422);
  });

  it.each([
    ...[["events=2147483647", 200] as const, ["events=2147483648", 422] as const, ["events=1.5", 422] as const],
    ...[["events=-1", 422] as const, ["confidence=-1", 200] as const, ["confidence=1", 200] as const],
    ...[["confidence=1.1", 422] as const, ["confidence=-1.1", 422] as const],
  ])("go on only after a value that their order can have: %s", async (cursor, status) => {
    const [sort = "", value = ""] = cursor.split("=");
    const url = `/api/incidents?sort=${sort}&before=${encodeURIComponent(`${value}/inc_x`)}`;
    expect((await service.app.inject({ url, headers: headers() })).statusCode).toBe(status);
  });

  it("accepts 1 to 100 per page", async () => {
    const statusOf = async (limit: number) =>
      (await service.app.inject({ url: `/api/incidents?limit=${limit}`, headers: headers() })).statusCode;
    expect([await statusOf(0), await statusOf(1), await statusOf(100), await statusOf(101)]).toEqual([
      422, 200, 200, 422,
    ]);
  });
});

/** Reads server-sent events until the stream ends. */
async function readStream(path: string, extra: Record<string, string> = {}) {
  const answer = await fetch(address + path, { headers: { ...headers(), ...extra } });
  const text = await answer.text();
  const messages = text
    .split("\n\n")
    .filter((block) => block.includes("event: "))
    .map((block) => Object.fromEntries(block.split("\n").map((line) => line.split(/: (.*)/s).slice(0, 2))));
  return { answer, messages };
}

const streamsOpen = async (): Promise<number | undefined> => (await service.metrics.streamsOpen.get()).values[0]?.value;

describe("the event stream of an incident", () => {
  const step = (seq: number) =>
    ({ seq, at: new Date(service.clock.now).toISOString(), step: "parse", detail: `step ${seq}` }) as const;

  it("sends each step as it happens, then the completed incident, and ends", async () => {
    const id = await open("Error: streamed");
    const reading = readStream(`/api/incidents/${id}/events`);
    const attempt = await begin(id);
    await incidents().addStep(id, attempt, step(1));
    await incidents().addStep(id, attempt, step(2));
    await expect.poll(() => streamsOpen()).toBe(1);
    await incidents().complete(id, attempt, report, new Date(service.clock.now));
    const { answer, messages } = await reading;
    await expect.poll(() => streamsOpen()).toBe(0);
    expect(answer.headers.get("content-type")).toContain("text/event-stream");
    expect(messages.map(({ event, id: seq }) => [event, seq])).toEqual([
      ["step", "1"],
      ["step", "2"],
      ["incident", undefined],
    ]);
    expect(JSON.parse(messages[0]?.data ?? "")).toEqual(step(1));
    expect(JSON.parse(messages[2]?.data ?? "")).toMatchObject({ id, status: "completed", report });
  });

  it("continues after the last step that the reader has seen", async () => {
    const id = await open("Error: resumed");
    const attempt = await begin(id);
    for (const seq of [1, 2, 3]) await incidents().addStep(id, attempt, step(seq));
    await incidents().fail(id, attempt, { code: "X", message: "m" }, new Date(service.clock.now));
    const { messages } = await readStream(`/api/incidents/${id}/events`, { "last-event-id": "2" });
    expect(messages.map(({ id: seq }) => seq)).toEqual(["3", undefined]);
    expect(JSON.parse(messages[1]?.data ?? "")).toMatchObject({
      status: "failed",
      failure: { code: "X", message: "m" },
    });
  });
});
