import { limits, type PreviewedFile } from "@whence/protocol";
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
let member: TestOrganization;

beforeAll(async () => {
  service = await startTestService({ analyzePerMinutePerKey: 20 });
  acme = await makeOrganization(service, "acme");
  member = await makeOrganization(service, "acme", "member");
});
afterAll(() => service.close());

const post = (url: string, payload: object, headers: Record<string, string>) =>
  service.app.inject({ method: "POST", url, payload, headers });
const preview = (payload: object, headers: Record<string, string> = { cookie: acme.cookie }) =>
  post("/api/analyze/preview", payload, headers);
const incidentsOf = (who: TestOrganization) => service.control.scope(who.id).incidents.list({ limit: 100 });

const errorLog = [
  "2026-03-01T12:00:00Z INFO starting",
  "TypeError: Cannot read properties of undefined (reading 'total')",
  "    at show (/srv/app/src/order.js:12:20)",
  "    at Layer.handle (/srv/app/node_modules/express/lib/router/layer.js:95:5)",
  "    at node:internal/process/task_queues:105:5",
].join("\n");

describe("a preview of an analysis", () => {
  it("returns the error, the origin of its frames' code, and the matching files", async () => {
    const answer = await preview({ error_log: errorLog, files: ["order.js", "src/other.js"] });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      ...{ kind: "error", chosen: 1, exceptions_total: 1, alert_system: null, unread: [] },
      exceptions: [
        {
          ...{ type: "TypeError", language: "javascript", relation: null, repeats: 1, frames_total: 3 },
          frames: [
            { function: "show", file: "/srv/app/src/order.js", line: 12, origin: "app", attached: "order.js" },
            { origin: "dependency", attached: null },
            { origin: "runtime", attached: null },
          ],
        },
      ],
    });
  });

  it("maps frames of compiled code to their sources with the given maps, as an investigation does", async () => {
    const map = {
      ...{ version: 3, sources: ["../src/show.ts"], names: [] },
      mappings: "AAAO,SAAS,KAAK,GAAc,CACjC,OAAO,EAAM,KACf",
    };
    const log =
      "TypeError: Cannot read properties of undefined (reading 'total')\n    at show (/srv/dist/show.js:1:27)";
    const frameWith = async (...files: PreviewedFile[]) =>
      (await preview({ error_log: log, files })).json().exceptions[0].frames[0];
    const content = JSON.stringify({
      ...map,
      sourcesContent: ["export function show(order) {\n  return order.total;\n}"],
    });
    const generated = { file: "/srv/dist/show.js", line: 1 };
    expect(await frameWith({ name: "dist/show.js.map", content })).toMatchObject({
      ...{ file: "src/show.ts", line: 2, attached: "dist/show.js.map", generated },
    });
    const bare = { name: "dist/show.js.map", content: JSON.stringify(map) };
    expect(await frameWith(bare, { name: "src/show.ts", lines: 3 })).toMatchObject({
      ...{ file: "src/show.ts", line: 2, attached: "src/show.ts", generated },
    });
    const tooShort = await frameWith(bare, { name: "src/show.ts", lines: 1 });
    expect([tooShort, await frameWith("dist/show.js.map")]).toMatchObject([
      { file: "/srv/dist/show.js", line: 1, generated: null },
      { file: "/srv/dist/show.js", line: 1, generated: null },
    ]);
  });

  it("names the known failures that the text matches, in sentences without placeholders", async () => {
    const { signatures } = (await preview({ error_log: "Error: connect ECONNREFUSED 10.0.0.7:5432" })).json();
    expect(signatures[0]).toMatchObject({ meaning: expect.stringMatching(/^[^{}]+$/), url: expect.any(String) });
  });

  it("says what a text without an error was recognized as, and what couldn't be read", async () => {
    const answer = (await preview({ error_log: "the shop is slow since noon" })).json();
    expect(answer).toMatchObject({ kind: "text", exceptions: [], headline: "the shop is slow since noon" });
    expect(answer.unread).toEqual([expect.stringContaining("none in a known format")]);
  });

  it("opens no incident", async () => {
    await preview({ error_log: errorLog }, { "x-api-key": acme.key });
    expect(await incidentsOf(acme)).toEqual([]);
  });

  it("accepts what an analysis accepts: 1 MiB of text and 20 files, and no more", async () => {
    const names = (count: number) => Array.from({ length: count }, (_, index) => `${index}.js`);
    const largest = { error_log: "é".repeat(limits.errorLogBytesMax / 2), files: names(limits.filesMax) };
    expect((await preview(largest)).statusCode).toBe(200);
    expect((await preview({ ...largest, error_log: `${largest.error_log}.` })).statusCode).toBe(422);
    expect((await preview({ error_log: "E", files: names(limits.filesMax + 1) })).statusCode).toBe(422);
    expect((await preview({ error_log: "" })).statusCode).toBe(422);
    expect((await preview({ error_log: "E".repeat(11 * limits.errorLogBytesMax) })).statusCode).toBe(413);
  });

  it("is refused without a key or a session, and from another site", async () => {
    expect((await preview({ error_log: "E" }, {})).statusCode).toBe(401);
    const elsewhere = { cookie: acme.cookie, origin: "https://evil.example" };
    expect((await preview({ error_log: "E" }, elsewhere)).statusCode).toBe(403);
  });

  it("is limited per minute for one person, and not for another", async () => {
    const asMember = () => preview({ error_log: "E" }, { cookie: member.cookie });
    const answers = [];
    for (let count = 0; count <= 20; count++) answers.push((await asMember()).statusCode);
    expect(answers.filter((status) => status === 200)).toHaveLength(20);
    expect(answers.at(-1)).toBe(429);
    expect((await preview({ error_log: "E" }, { "x-api-key": acme.key })).statusCode).toBe(200);
  });
});

describe("an analysis by a person", () => {
  it("is started by an owner and by a member alike, as by a key", async () => {
    for (const { cookie } of [acme, member]) {
      const files = [{ name: "src/order.js", content: "show();" }];
      const answer = await post("/api/analyze", { error_log: errorLog, files }, { cookie });
      expect(answer.statusCode).toBe(200);
      const { incident_id: id } = answer.json();
      expect(answer.json()).toEqual({ incident_id: id, status: "queued", url: `${appUrl}/incidents/${id}` });
      const input = await service.control.scope(acme.id).incidents.input(id);
      expect(input).toEqual({ kind: "text", errorLog, files });
    }
    expect(await incidentsOf(acme)).toMatchObject([{ trigger: { kind: "analyze", agent_id: null } }, {}]);
  });

  it("is refused with a key, without a session, and from another site", async () => {
    const start = (headers: Record<string, string>) => post("/api/analyze", { error_log: "E" }, headers);
    expect((await start({ "x-api-key": acme.key })).statusCode).toBe(401);
    expect((await start({})).statusCode).toBe(401);
    expect((await start({ cookie: acme.cookie, origin: "https://evil.example" })).statusCode).toBe(403);
    expect((await post("/api/analyze", {}, { cookie: acme.cookie })).statusCode).toBe(422);
  });
});
