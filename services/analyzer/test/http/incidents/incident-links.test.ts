import { type Evidence, incidentLinksSchema } from "@whence/protocol";
import { startVendorServer, type VendorServer } from "@whence/vendors/testing/http/vendor-server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endedIncident, reportWith } from "../../ended-report.ts";
import { makeOrganization, startTestService, type TestOrganization, type TestService } from "../../test-service.ts";

const kind = "gitlab";
const commit = "3f2a91c".padEnd(40, "0");
const repository = "/api/v4/projects/acme/orders/repository";
let vendor: VendorServer;
let service: TestService;
let acme: TestOrganization;
let other: TestOrganization;

beforeAll(async () => {
  vendor = await startVendorServer();
  const gitlab = { clientId: "id", clientSecret: "secret", url: vendor.url };
  service = await startTestService({}, false, {}, false, true, { ...vendor.context, applications: { gitlab } });
  acme = await makeOrganization(service, "acme");
  other = await makeOrganization(service, "other");
  const answers: Readonly<Record<string, unknown>> = {
    "/api/v4/projects": [{ path: "orders", path_with_namespace: "acme/orders" }],
    [`${repository}/tags/v2.0.0`]: { commit: { id: commit } },
    [`${repository}/tree`]: ["src/stock.ts", "src/cart.ts"].map((path) => ({ path, type: "blob" })),
  };
  vendor.answer(({ url }) => {
    const body = answers[decodeURIComponent(url.pathname)];
    return body === undefined ? { status: 404 } : { body };
  });
  await service.control.scope(acme.id).integrations.connect({
    ...{ kind, vendor: "GitLab", belongsTo: "acme", inputs: {}, credentials: { access_token: "t" } },
    ...{ by: { id: "usr_ada", name: "Ada" }, now: new Date(service.clock.now) },
  });
});
afterAll(() => Promise.all([service.close(), vendor.close()]));

const linksOf = (id: string, { cookie } = acme) =>
  service.app.inject({ url: `/api/incidents/${id}/links`, headers: { cookie } });
const linkIn = (file: string, release = "2.0.0") => ({
  ...{ what: "it broke", service: "orders", release, evidence_ids: ["e1"] },
  location: { file, line: 9, function: null },
});
const open = (...chain: ReturnType<typeof linkIn>[]) => endedIncident(service, acme.id, reportWith({ chain }));

describe("what belongs to an incident elsewhere", () => {
  it("has the code of each release in the chain at its commit, and how paths map to the repository's", async () => {
    const id = await open(linkIn("src/cart.ts"), linkIn("/srv/src/stock.ts"));
    const { code } = incidentLinksSchema.parse((await linksOf(id)).json());
    const root = `${vendor.url}/acme/orders/-`;
    expect(code).toEqual([
      {
        ...{ service: "orders", release: "2.0.0", vendor: "GitLab", commit },
        ...{ file_url: `${root}/blob/${commit}/`, blame_url: `${root}/blame/${commit}/` },
        commit_url: `${root}/commit/`,
        roots: [
          { from: "/srv/", to: "" },
          { from: "", to: "" },
        ],
      },
    ]);
  });

  it("has the paths of changes, too, which are the repository's", async () => {
    const change: Evidence = {
      ...{ id: "e1", source: { kind: "source_file", name: "src/cart.ts" }, observed_at: "2026-03-01T12:00:00.000Z" },
      ...{ summary: "orders 2.0.0 differs", excerpt: "@@ -9,1 +9,1 @@", range: null, sha256: "0".repeat(64) },
      location: { file: "src/cart.ts", line: 9, function: null },
    };
    const report = reportWith({ chain: [linkIn("/srv/src/stock.ts")], evidence: [change] });
    const id = await endedIncident(service, acme.id, report);
    const { code } = incidentLinksSchema.parse((await linksOf(id)).json());
    expect(code[0]?.roots).toEqual([
      { from: "/srv/", to: "" },
      { from: "", to: "" },
    ]);
  });

  it("has no code for a release whose commit the code host doesn't know", async () => {
    expect((await linksOf(await open(linkIn("src/cart.ts", "9.9.9")))).json()).toEqual({
      ...{ alerts: [], conversations: [], code: [], code_hosts: ["GitLab"] },
    });
  });

  it.each([
    ["mon_gone", "a deleted monitor"],
    ["als_gone", "a deleted source"],
  ])("says so where the source of an alert is gone: %s", async (sourceId, source) => {
    const id = await open(linkIn("src/cart.ts"));
    const now = new Date(service.clock.now);
    const alert = {
      ...{ sourceId, key: "k", title: "orders is down", url: null, firedAt: now.toISOString(), now },
      ...{ forgottenAfterMs: 1_000, allowance: { max: 10, spanMs: 1_000 } },
    };
    await service.control.scope(acme.id).alerts.open(alert, { id });
    const { alerts } = incidentLinksSchema.parse((await linksOf(id)).json());
    expect(alerts.map((one) => [one.title, one.source])).toEqual([["orders is down", source]]);
  });

  it("doesn't exist for another organization, and asks no code host", async () => {
    const id = await open(linkIn("src/cart.ts"));
    const asked = vendor.requests.length;
    const answer = await linksOf(id, other);
    expect([answer.statusCode, answer.json().code]).toEqual([404, "WHENCE_ERR_INCIDENT_UNKNOWN"]);
    expect(vendor.requests.length).toBe(asked);
  });
});
