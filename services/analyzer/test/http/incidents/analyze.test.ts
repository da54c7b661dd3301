import { limits } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  appUrl,
  makeOrganization,
  startTestService,
  type TestOrganization,
  type TestService,
} from "../../test-service.ts";

let service: TestService;
let acme: TestOrganization;

beforeAll(async () => {
  service = await startTestService();
  acme = await makeOrganization(service, "acme");
});
afterAll(() => service.close());

function analyze(payload: unknown, headers: Record<string, string> = { "x-api-key": acme.key }) {
  return service.app.inject({
    method: "POST",
    url: "/api/mcp/analyze",
    headers: { "content-type": "application/json", ...headers },
    payload: typeof payload === "string" ? payload : JSON.stringify(payload),
  });
}

async function incidentCount(): Promise<number> {
  return (await service.control.scope(acme.id).incidents.list({ limit: 100 })).length;
}

describe("starting an analysis", () => {
  // requirement: service.background-analysis
  // requirement: analyze.returns-at-once
  // requirement: errors.200-on-success
  // requirement: incident.identified
  it("returns the ID and the URL of a queued incident", async () => {
    const answer = await analyze({ error_log: "TypeError: x is not a function" });
    expect(answer.statusCode).toBe(200);
    const body = answer.json();
    expect(body).toEqual({
      incident_id: expect.stringMatching(/^inc_[0-9a-z]+$/),
      status: "queued",
      url: `${appUrl}/incidents/${body.incident_id}`,
    });
  });

  // requirement: incident.created-by-analysis
  // requirement: analyze.organization-from-key
  // requirement: auth.organization-from-key
  it("creates the incident in the organization of the key, whatever the body says", async () => {
    const answer = await analyze({ error_log: "Error: a", organization_id: "org_other" });
    const incident = await service.control.scope(acme.id).incidents.find(answer.json().incident_id);
    expect(incident).toMatchObject({
      organization_id: acme.id,
      status: "queued",
      title: "Error: a",
      trigger: { kind: "analyze", agent_id: null, files: 0 },
      decision: { outcome: "opened", rule: "analyze-request" },
    });
  });

  it("queues the investigation in the same transaction, and requests its publishing", async () => {
    const before = service.relayed();
    const { incident_id } = (await analyze({ error_log: "Error: outbox" })).json();
    const pending = await service.control.outbox.pending(100);
    expect(pending.map(({ id, topic }) => ({ id, topic }))).toContainEqual({
      id: incident_id,
      topic: "investigations",
    });
    expect(service.relayed()).toBe(before + 1);
  });

  it("keeps what was seen in watched runs, and rejects more than four", async () => {
    const seen = (run: number) => ({ run, places: [], hits: [] });
    const observed = { runs: [2, 3, 4, 5].map(seen) };
    const answer = await analyze({ error_log: "Error: seen", observed });
    const { incident_id: id } = answer.json();
    expect(await service.control.scope(acme.id).incidents.input(id)).toEqual({
      ...{ kind: "text", errorLog: "Error: seen", files: [] },
      observed,
    });
    const more = await analyze({ error_log: "Error: seen", observed: { runs: [...observed.runs, seen(5)] } });
    expect([more.statusCode, more.json().detail[0].loc]).toEqual([422, ["body", "observed", "runs"]]);
  });

  it("rejects watched runs whose values are too long", async () => {
    const hit = {
      kind: "reached",
      file: "a.js",
      line: 1,
      function: null,
      starts: null,
      nth: 1,
      thread: "1",
      at_ms: 0,
      callers: [],
    };
    const withValue = (length: number) =>
      analyze({
        error_log: "Error: seen",
        observed: {
          runs: [{ run: 2, places: [], hits: [{ ...hit, values: { x: "x".repeat(length) } }] }],
        },
      });
    expect((await withValue(200)).statusCode).toBe(200);
    expect((await withValue(201)).statusCode).toBe(422);
  });

  // requirement: analyze.files-optional
  // requirement: analyze.files-null
  // requirement: analyze.files-array
  it("accepts files, no files, and null", async () => {
    const files = [{ name: "src/a.js", content: "a();" }];
    for (const body of [{ error_log: "E", files }, { error_log: "E" }, { error_log: "E", files: null }]) {
      const answer = await analyze(body);
      expect(answer.statusCode).toBe(200);
      const input = await service.control.scope(acme.id).incidents.input(answer.json().incident_id);
      expect(input).toEqual({ kind: "text", errorLog: "E", files: body.files ?? [] });
    }
  });

  it("accepts 20 files and rejects 21", async () => {
    const files = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ name: `${index}.js`, content: "" }));
    expect((await analyze({ error_log: "E", files: files(limits.filesMax) })).statusCode).toBe(200);
    const refused = await analyze({ error_log: "E", files: files(limits.filesMax + 1) });
    expect(refused.statusCode).toBe(422);
    expect(refused.json().detail).toMatchObject([
      { loc: ["body", "files"], type: "too_long", ctx: { max_length: 20 } },
    ]);
  });

  it("accepts an error_log of 1 MiB in UTF-8 and rejects one byte more", async () => {
    const atBound = `${"é".repeat(limits.errorLogBytesMax / 2 - 1)}ab`;
    expect((await analyze({ error_log: atBound })).statusCode).toBe(200);
    const refused = await analyze({ error_log: `${atBound}c` });
    expect(refused.statusCode).toBe(422);
    expect(refused.json().detail).toMatchObject([{ loc: ["body", "error_log"], type: "string_too_long" }]);
  });

  it("answers a body beyond every valid one with 413", async () => {
    const answer = await analyze(`{"error_log":"${"x".repeat(48 * 1_048_576)}"}`);
    expect(answer.statusCode).toBe(413);
    expect(answer.json()).toEqual({ detail: expect.stringContaining("larger"), code: "WHENCE_ERR_BODY_TOO_LARGE" });
  });
});

describe("an invalid request", () => {
  const cases: [name: string, body: unknown, loc: unknown[], type: string][] = [
    ["a missing error_log", {}, ["body", "error_log"], "missing"],
    ["an error_log that is no string", { error_log: 1 }, ["body", "error_log"], "string_type"],
    ["an empty error_log", { error_log: "" }, ["body", "error_log"], "string_too_short"],
    ["files that are no list", { error_log: "E", files: {} }, ["body", "files"], "list_type"],
    ["a file without name", { error_log: "E", files: [{ content: "" }] }, ["body", "files", 0, "name"], "missing"],
    ["a file without content", { error_log: "E", files: [{ name: "a" }] }, ["body", "files", 0, "content"], "missing"],
    ["a list as body", [], ["body"], "dict_type"],
    ["a body that is no JSON", "{", ["body"], "json_invalid"],
    ["no body", "", ["body"], "missing"],
  ];

  // requirement: analyze.error-log-required
  // requirement: analyze.error-log-string
  // requirement: analyze.file-name-required
  // requirement: analyze.file-content-required
  // requirement: errors.422-missing-error-log
  // requirement: errors.422-file-without-name
  // requirement: errors.422-file-without-content
  // requirement: validation.detail-list
  // requirement: validation.loc
  // requirement: validation.msg
  // requirement: validation.type
  it.each(cases)("is answered with 422 and has no effect: %s", async (_name, body, loc, type) => {
    const before = await incidentCount();
    const answer = await analyze(body);
    expect(answer.statusCode).toBe(422);
    const { detail } = answer.json();
    expect(detail).toHaveLength(1);
    expect(detail[0]).toMatchObject({ loc, type, msg: expect.any(String) });
    expect(Object.keys(answer.json())).toEqual(["detail"]);
    expect(await incidentCount()).toBe(before);
  });

  // requirement: analyze.key-required
  // requirement: errors.422-missing-key-header
  it("includes one without the key header", async () => {
    const answer = await analyze({ error_log: "E" }, {});
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail).toEqual([{ loc: ["header", "X-API-Key"], msg: "Field required", type: "missing" }]);
  });

  // requirement: endpoints.json
  it("includes a body of another content type", async () => {
    const answer = await analyze("error_log=E", { "x-api-key": acme.key, "content-type": "text/plain" });
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail).toMatchObject([{ loc: ["header", "Content-Type"] }]);
  });
});

describe("a valid body", () => {
  it.each([
    '{"error_log":"E","__proto__":{"polluted":1}}',
    '{"error_log":"E","constructor":{"prototype":{"polluted":1}}}',
    '{"error_log":"E","files":[{"name":"a","content":"","__proto__":null}]}',
  ])("is accepted without names that could pollute prototypes: %s", async (body) => {
    expect((await analyze(body)).statusCode).toBe(200);
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });

  it("may have a file without a name, but not an empty error log", async () => {
    const opened = await analyze({ error_log: "E", files: [{ name: "", content: "" }] });
    expect(opened.statusCode).toBe(200);
    expect((await analyze({ error_log: "" })).json().detail).toMatchObject([{ loc: ["body", "error_log"] }]);
  });
});

describe("the key", () => {
  // requirement: auth.header
  it("is rejected with 401 when it is unknown", async () => {
    const answer = await analyze({ error_log: "E" }, { "x-api-key": "whk_unknown" });
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toEqual({ detail: expect.any(String), code: "WHENCE_ERR_KEY_UNKNOWN" });
  });

  // requirement: auth.revoked-key-refused
  it("is rejected with 401 once it is revoked, with that reason", async () => {
    const other = await makeOrganization(service, "revoking");
    const [key] = await service.control.keys.list(other.id);
    expect(await service.control.keys.revoke(other.id, key?.id ?? "", new Date(service.clock.now))).toBe(true);
    const answer = await analyze({ error_log: "E" }, { "x-api-key": other.key });
    expect(answer.statusCode).toBe(401);
    expect(answer.json().code).toBe("WHENCE_ERR_KEY_REVOKED");
  });
});
