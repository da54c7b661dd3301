import { releaseListSchema, reportedReleaseSchema } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  addKey,
  makeOrganization,
  signInMember,
  startTestService,
  type TestOrganization,
  type TestService,
} from "../../test-service.ts";

let service: TestService;
let acme: TestOrganization;
let other: TestOrganization;
let key: string;

beforeAll(async () => {
  service = await startTestService();
  acme = await makeOrganization(service, "acme");
  other = await makeOrganization(service, "other");
  key = await addKey(service, acme.id, "release");
});
afterAll(() => service.close());

const live = { service: "orders", release: "2.0.0" };
const report = (payload: object, headers: Record<string, string> = { "x-api-key": key }) =>
  service.app.inject({ method: "POST", url: "/api/releases", headers, payload });
const list = async (headers: Record<string, string>) => {
  const answer = await service.app.inject({ url: "/api/releases", headers });
  return releaseListSchema.parse(answer.json()).releases;
};

describe("a reported release", () => {
  it("went live when it was reported, in PROD unless the report says otherwise", async () => {
    const answer = await report({ ...live, commit: "1a2b3c4", url: "https://ci.example.com/7" });
    expect(answer.statusCode).toBe(200);
    expect(reportedReleaseSchema.parse(answer.json())).toEqual({
      ...{ ...live, env: "PROD", commit: "1a2b3c4", url: "https://ci.example.com/7" },
      ...{ live_at: new Date(service.clock.now).toISOString(), reported_at: new Date(service.clock.now).toISOString() },
      reported_by: expect.stringMatching(/^key_/),
    });
    expect((await report({ ...live, env: "STAGING" })).json()).toMatchObject({ env: "STAGING", commit: null });
  });

  it("keeps the time of its first report when it is reported again", async () => {
    const first = reportedReleaseSchema.parse((await report({ ...live, service: "again" })).json());
    service.clock.now += 60_000;
    const second = await report({ ...live, service: "again", commit: "1a2b3c4" });
    const reported_at = new Date(service.clock.now).toISOString();
    expect(second.json()).toEqual({ ...first, commit: "1a2b3c4", reported_at });
  });

  it("went live again when it is reported after another one", async () => {
    const times: string[] = [];
    for (const release of ["1.0.0", "1.1.0", "1.0.0"]) {
      service.clock.now += 60_000;
      times.unshift(new Date(service.clock.now).toISOString());
      await report({ service: "back", release });
    }
    const ofBack = (await list({ cookie: acme.cookie })).filter((one) => one.service === "back");
    expect(ofBack.map(({ release, live_at }) => [release, live_at])).toEqual([
      ["1.0.0", times[0]],
      ["1.1.0", times[1]],
      ["1.0.0", times[2]],
    ]);
  });

  it("is removed by owners, from every environment, which is recorded", async () => {
    for (const env of ["PROD", "STAGING"]) await report({ service: "gone", release: "1.0.0+1a2b3c4", env });
    const url = `/api/releases/gone/${encodeURIComponent("1.0.0+1a2b3c4")}`;
    const remove = async (cookie: string) =>
      (await service.app.inject({ method: "DELETE", url, headers: { cookie } })).json();
    const member = await signInMember(service, acme.id, "releases@acme.example", "member");
    expect((await remove(member)).code).toBe("WHENCE_ERR_OWNER_ONLY");
    expect((await remove(other.cookie)).code).toBe("WHENCE_ERR_RELEASE_NOT_REPORTED");
    expect(await remove(acme.cookie)).toEqual({ service: "gone", release: "1.0.0+1a2b3c4" });
    expect((await remove(acme.cookie)).code).toBe("WHENCE_ERR_RELEASE_NOT_REPORTED");
    expect((await list({ cookie: acme.cookie })).filter((one) => one.service === "gone")).toEqual([]);
    const audit = await service.app.inject({ url: "/api/audit", headers: { cookie: acme.cookie } });
    expect(audit.json().entries).toContainEqual(
      expect.objectContaining({ action: "release.removed", target: "gone 1.0.0+1a2b3c4" }),
    );
  });

  it("is listed for members and for keys that read, of its organization only", async () => {
    await report({ ...live, service: "listed" });
    const listed = expect.arrayContaining([expect.objectContaining({ service: "listed" })]);
    expect(await list({ cookie: acme.cookie })).toEqual(listed);
    expect(await list({ "x-api-key": await addKey(service, acme.id, "read") })).toEqual(listed);
    expect(await list({ cookie: other.cookie })).toEqual([]);
  });

  it.each(["send", "analyze", "read"] as const)("isn't taken with a key of the scope %s", async (scope) => {
    const headers = { "x-api-key": await addKey(service, acme.id, scope) };
    expect((await report(live, headers)).json().code).toBe("WHENCE_ERR_KEY_SCOPE");
  });

  it.each([
    ["release", { service: "orders" }],
    ["service", { ...live, service: " " }],
    ["commit", { ...live, commit: "main" }],
    ["url", { ...live, url: "javascript:alert(1)" }],
    ["url", { ...live, url: "no url" }],
    ["url", { ...live, url: "https://ada:secret@ci.example.com/7" }],
    ["url", { ...live, url: "https://ada@ci.example.com/7" }],
    ["branch", { ...live, branch: "main" }],
  ])("is rejected for its %s", async (field, payload) => {
    const answer = await report(payload);
    expect(answer.statusCode).toBe(422);
    expect(answer.body).toContain(field);
  });
});
