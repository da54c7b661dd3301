import { hourMs, type Report, type SharedReport, sharedReportSchema, shareLimits } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endedIncident, reportWith } from "../../ended-report.ts";
import {
  addKey,
  appUrl,
  makeOrganization,
  signInMember,
  startTestService,
  type TestOrganization,
  type TestService,
} from "../../test-service.ts";

let service: TestService;
let acme: TestOrganization;
let member: string;

beforeAll(async () => {
  service = await startTestService();
  acme = await makeOrganization(service, "acme");
  member = await signInMember(service, acme.id, "grace@acme.example", "member");
});
afterAll(() => service.close());

const share = (id: string, payload: object = {}, cookie = member) =>
  service.app.inject({ method: "POST", url: `/api/incidents/${id}/shares`, headers: { cookie }, payload });
const shares = async (id: string, cookie = member) =>
  (await service.app.inject({ url: `/api/incidents/${id}/shares`, headers: { cookie } })).json().shares;
const revoke = (id: string, shareId: string, cookie = member) =>
  service.app.inject({ method: "DELETE", url: `/api/incidents/${id}/shares/${shareId}`, headers: { cookie } });
const open = (url: string, remoteAddress = "192.0.2.1") => {
  const payload = { token: new URL(url).hash.slice(1) };
  return service.app.inject({ method: "POST", url: "/api/shared", payload, remoteAddress });
};
const unknown = { code: "WHENCE_ERR_SHARE_UNKNOWN" };

const evidenceOf = (id: string, kind: Report["evidence"][number]["source"]["kind"], excerpt: string) => ({
  ...{ id, source: { kind, name: "a source" }, observed_at: "2026-03-01T12:00:00.000Z", summary: `says ${excerpt}` },
  ...{ excerpt, location: null, range: null, sha256: "0".repeat(64) },
});

const privatePlace = { file: "/home/private-folder/shop/src/cart.js", line: 3, function: "total" };

/** A report with things that its organization's people see only. */
function privateReport(): Report {
  const report = reportWith();
  return {
    ...report,
    root_cause_summary: "`total` is undefined [e1].",
    root_cause: { ...report.root_cause, location: privatePlace },
    chain: [
      {
        ...{ what: "Release 1.1 removed `total` [e1]", evidence_ids: ["e1"] },
        location: privatePlace,
      },
      { what: "GET /users/grace@private.example failed", evidence_ids: ["e2"] },
      { what: "POST /login of grace@private.example", evidence_ids: ["e1", "e3"] },
    ],
    evidence: [
      evidenceOf("e1", "source_file", "const secret = 'private-code';"),
      evidenceOf("e2", "breadcrumb", "GET /users/grace@private.example"),
      evidenceOf("e3", "request", "cookie: private-cookie"),
    ],
    timeline: [{ at: "2026-03-01T12:00:00.000Z", what: "private-breadcrumb", evidence_id: "e2" }],
    impact: { ...report.impact, hosts: ["private-host"], routes: ["/private-route"] },
    detailed_analysis: "private-analysis",
    not_checked: ["Source: `/home/private-folder/shop/src/big.js` wasn't read: larger than 1 MiB."],
  };
}

describe("a shared report", () => {
  it("is read by anyone with the link, which is shown once", async () => {
    const id = await endedIncident(service, acme.id);
    const made = (await share(id, { hours: 2 })).json();
    expect(made.url).toMatch(new RegExp(`^${appUrl}/shared#whs_[0-9A-Za-z]{49}$`));
    const answer = await open(made.url);
    expect(answer.headers).toMatchObject({ "cache-control": "no-store", "x-robots-tag": "noindex" });
    const shared: SharedReport = sharedReportSchema.parse(answer.json());
    const expires_at = new Date(service.clock.now + 2 * hourMs).toISOString();
    expect(shared).toMatchObject({ expires_at, state: "open", root_cause: { summary: expect.any(String) } });
    const [listed] = await shares(id);
    expect(listed).toMatchObject({ id: made.share.id, created_by: "grace@acme.example", expires_at, opened: 1 });
    expect(JSON.stringify(listed)).not.toContain("whs_");
  });

  it("has no evidence, and nothing that requests and breadcrumbs say", async () => {
    const id = await endedIncident(service, acme.id, privateReport());
    const answer = await open((await share(id)).json().url);
    expect(answer.body).not.toContain("private");
    expect(answer.json()).toMatchObject({
      root_cause: { summary: "`total` is undefined.", location: { file: "src/cart.js", line: 3 } },
      chain: [{ what: "Release 1.1 removed `total`", location: { file: "src/cart.js", line: 3 } }],
    });
  });

  it.each(["/home/gracelogin", "/Users/gracelogin", "C:\\Users\\gracelogin"])(
    "names no one's login, nor does the report as Markdown: %s",
    async (home) => {
      const location = { file: `${home}/app.js`, line: 3, function: null };
      const summary = `\`${home}/app.js\` reads ${home}/shop/settings.json.`;
      const report = { ...reportWith(), root_cause_summary: summary, not_checked: [`Source: ${home}/data is closed.`] };
      const root_cause = { ...report.root_cause, location };
      const id = await endedIncident(service, acme.id, { ...report, root_cause });
      const answer = await open((await share(id)).json().url);
      expect(answer.body).not.toContain("gracelogin");
      expect(answer.json().root_cause).toMatchObject({
        summary: "`~/app.js` reads ~/shop/settings.json.",
        location: { file: "~/app.js" },
      });
      const url = `/api/incidents/${id}/report?format=markdown`;
      const exported = await service.app.inject({ url, headers: { cookie: member } });
      expect(exported.statusCode).toBe(200);
      expect(exported.body).not.toContain("gracelogin");
    },
  );

  it("ends when the link expires, and not before", async () => {
    const id = await endedIncident(service, acme.id);
    const { url } = (await share(id, { hours: 1 })).json();
    service.clock.now += hourMs - 1;
    expect((await open(url)).statusCode).toBe(200);
    service.clock.now += 1;
    const answer = await open(url);
    expect([answer.statusCode, answer.json()]).toMatchObject([404, unknown]);
    expect(await shares(id)).toEqual([]);
  });

  it("ends when the link is revoked or the incident deleted, and answers like a link that never was", async () => {
    const id = await endedIncident(service, acme.id);
    const revoked = (await share(id)).json();
    const deleted = (await share(id)).json();
    expect((await revoke(id, revoked.share.id)).statusCode).toBe(200);
    expect((await revoke(id, revoked.share.id)).json()).toMatchObject(unknown);
    await service.app.inject({ method: "DELETE", url: `/api/incidents/${id}`, headers: { cookie: member } });
    const never = await open(`${appUrl}/shared#whs_never`);
    for (const { url } of [revoked, deleted]) expect((await open(url)).body).toBe(never.body);
  });

  it("can be shared for 1 hour to 30 days", async () => {
    const id = await endedIncident(service, acme.id);
    const { shareHoursMax } = shareLimits;
    const statuses = [0, 1, shareHoursMax, shareHoursMax + 1, 1.5].map(
      async (hours) => (await share(id, { hours })).statusCode,
    );
    expect(await Promise.all(statuses)).toEqual([422, 200, 200, 422, 422]);
  });

  it("has ten links at most, until one is revoked", async () => {
    const id = await endedIncident(service, acme.id);
    const made = [];
    for (let count = 0; count < shareLimits.sharesPerIncidentMax; count++) made.push((await share(id)).json());
    expect((await share(id)).json()).toMatchObject({ code: "WHENCE_ERR_SHARES_FULL" });
    await revoke(id, made[0].share.id);
    expect((await share(id)).statusCode).toBe(200);
  });

  it("is recorded in the audit log, as is its end", async () => {
    const id = await endedIncident(service, acme.id);
    await revoke(id, (await share(id)).json().share.id);
    const audit = await service.app.inject({ url: "/api/audit?limit=2", headers: { cookie: acme.cookie } });
    expect(audit.json().entries).toMatchObject([
      { action: "incident.share-revoked", target: id, actor: { name: "grace@acme.example" } },
      { action: "incident.shared", target: id },
    ]);
  });

  it("is shared by members only: not with a key, nor by another organization, nor without a report", async () => {
    const id = await endedIncident(service, acme.id);
    const headers = { "x-api-key": await addKey(service, acme.id, "full") };
    const byKey = await service.app.inject({
      method: "POST",
      url: `/api/incidents/${id}/shares`,
      headers,
      payload: {},
    });
    expect(byKey.statusCode).toBe(401);
    const other = await makeOrganization(service, "other");
    const mine = (await share(id)).json().share;
    expect((await share(id, {}, other.cookie)).statusCode).toBe(404);
    expect((await revoke(id, mine.id, other.cookie)).statusCode).toBe(404);
    expect(await shares(id)).toHaveLength(1);
    const asked = { method: "POST", url: "/api/analyze", headers: { cookie: member } } as const;
    const queued = (await service.app.inject({ ...asked, payload: { error_log: "Error: boom" } })).json().incident_id;
    expect((await share(queued)).json()).toMatchObject({ code: "WHENCE_ERR_REPORT_MISSING" });
  });

  it("is read 60 times a minute from one address, and still from another", async () => {
    const { url } = (await share(await endedIncident(service, acme.id))).json();
    const answers = [];
    for (let count = 0; count <= shareLimits.sharedReadsPerMinutePerAddress; count++) {
      answers.push((await open(url, "198.51.100.1")).statusCode);
    }
    expect(answers.filter((status) => status === 200)).toHaveLength(shareLimits.sharedReadsPerMinutePerAddress);
    expect(answers.at(-1)).toBe(429);
    expect((await open(url, "198.51.100.2")).statusCode).toBe(200);
  });
});

describe("an exported report", () => {
  const exported = (id: string, query = "", headers: Record<string, string> = { cookie: member }) =>
    service.app.inject({ url: `/api/incidents/${id}/report${query}`, headers });

  it("is a file, JSON or Markdown, also with a key that reads", async () => {
    const id = await endedIncident(service, acme.id);
    const json = await exported(id);
    expect(json.json()).toMatchObject({ id, report: { root_cause_summary: expect.any(String) } });
    expect(json.headers).toMatchObject({
      "content-disposition": `attachment; filename="${id}.json"`,
      "cache-control": "no-store",
    });
    const headers = { "x-api-key": await addKey(service, acme.id, "read") };
    const markdown = await exported(id, "?format=markdown", headers);
    expect(markdown.headers["content-type"]).toBe("text/markdown; charset=utf-8");
    expect(markdown.body).toContain("## Root cause");
    expect((await exported(id, "?format=pdf")).statusCode).toBe(422);
  });
});
