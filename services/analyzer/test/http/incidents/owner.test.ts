import { type Incident, incidentSchema, limits, type OwnerChange, ownershipLimits } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endedIncident, reportWith } from "../../ended-report.ts";
import {
  addKey,
  makeOrganization,
  signInMember,
  startTestService,
  type TestOrganization,
  type TestService,
} from "../../test-service.ts";

const grace = "grace@acme.example";
let service: TestService;
let acme: TestOrganization;
let graceCookie: string;

beforeAll(async () => {
  service = await startTestService();
  acme = await makeOrganization(service, "acme");
  graceCookie = await signInMember(service, acme.id, grace, "member");
});
afterAll(() => service.close());

type Headers = Record<string, string>;
const asOwner = (): Headers => ({ cookie: acme.cookie });
const post = (path: string, payload: object, headers: Headers = asOwner()) =>
  service.app.inject({ method: "POST", url: `/api/incidents/${path}`, headers, payload });
const change = (id: string, payload: OwnerChange | object, headers?: Headers) => post(`${id}/owner`, payload, headers);
const comment = (id: string, text: string, headers?: Headers) => post(`${id}/comments`, { text }, headers);
const changed = async (...asked: Parameters<typeof change>): Promise<Incident> =>
  incidentSchema.parse((await change(...asked)).json());
const listed = async (query: string, headers: Headers = asOwner()) => {
  const answer = await service.app.inject({ url: `/api/incidents?${query}`, headers });
  return answer.json().incidents.map((one: { id: string }) => one.id);
};

describe("the owner of an incident", () => {
  it("takes it, and finds it among their own", async () => {
    const id = await endedIncident(service, acme.id);
    const { owner, acknowledged, activity } = await changed(id, { action: "take" });
    expect(owner).toMatchObject({ name: "owner@acme.example" });
    expect([acknowledged?.by.id, activity?.[0]?.kind]).toEqual([owner?.id, "taken"]);
    expect(await listed("owner=me")).toEqual([id]);
    expect(await listed(`owner=${owner?.id}`, { "x-api-key": acme.key })).toEqual([id]);
    expect(await listed("owner=none")).not.toContain(id);
    expect(await listed("search=owner:me")).toEqual([id]);
    expect(await listed("search=-owner:none")).toEqual([id]);
    for (const [parameter, query] of [
      ["owner", "owner=me"],
      ["search", "search=owner:me"],
    ]) {
      const refused = await service.app.inject({ url: `/api/incidents?${query}`, headers: { "x-api-key": acme.key } });
      expect([refused.statusCode, refused.json().detail[0].loc]).toEqual([422, ["query", parameter]]);
    }
    expect(await listed("search=-owner:owner@acme.example")).not.toContain(id);
    const audit = await service.app.inject({ url: "/api/audit?limit=1", headers: asOwner() });
    expect(audit.json().entries).toMatchObject([{ action: "incident.taken", target: id, actor: { id: owner?.id } }]);
    await change(id, { action: "let-go" });
    expect(await listed("owner=me")).toEqual([]);
  });

  it("hands it over to a member, who gets a mail and acknowledges it", async () => {
    const id = await endedIncident(service, acme.id);
    const handed = await changed(id, { action: "hand-over", to: grace });
    expect(handed).toMatchObject({ owner: { name: grace }, acknowledged: null });
    expect(service.mails.at(-1)).toMatchObject({
      to: grace,
      subject: "owner@acme.example handed an incident over to you: Error: boom",
      text: expect.stringContaining(handed.url),
    });
    const seen = await changed(id, { action: "acknowledge" }, { cookie: graceCookie });
    expect(seen.acknowledged?.by.name).toBe(grace);
    const mails = service.mails.length;
    await changed(id, { action: "hand-over", to: grace }, { cookie: graceCookie });
    expect(service.mails).toHaveLength(mails);
  });

  it("is named by a key, which can't be one itself and sends no mail", async () => {
    const id = await endedIncident(service, acme.id);
    const key = { "x-api-key": await addKey(service, acme.id, "analyze") };
    const full = { "x-api-key": acme.key };
    expect((await change(id, { action: "take" }, key)).statusCode).toBe(404);
    expect((await change(id, { action: "take" }, full)).json().code).toBe("WHENCE_ERR_KEY_OWNS_NO_INCIDENT");
    const mails = service.mails.length;
    expect((await changed(id, { action: "hand-over", to: grace }, full)).owner?.name).toBe(grace);
    expect(service.mails).toHaveLength(mails);
    const answer = await service.app.inject({ url: "/api/incidents?owner=me", headers: full });
    expect(answer.statusCode).toBe(422);
  });

  it("is a member of the organization, of whose incidents no one else knows", async () => {
    const id = await endedIncident(service, acme.id);
    const other = await makeOrganization(service, "elsewhere");
    expect((await change(id, { action: "hand-over", to: "owner@elsewhere.example" })).json().code).toBe(
      "WHENCE_ERR_MEMBER_UNKNOWN",
    );
    expect((await change(id, { action: "take" }, { cookie: other.cookie })).statusCode).toBe(404);
    expect((await comment(id, "mine", { cookie: other.cookie })).statusCode).toBe(404);
    expect((await change(id, { action: "own" })).statusCode).toBe(422);
    expect((await change(id, { action: "hand-over", to: "" })).statusCode).toBe(422);
    expect((await change(id, { action: "hand-over", to: "x".repeat(321) })).statusCode).toBe(422);
  });

  it("is cleared when they are removed from the organization", async () => {
    const id = await endedIncident(service, acme.id);
    const cookie = await signInMember(service, acme.id, "joan@acme.example", "member");
    expect((await changed(id, { action: "take" }, { cookie })).owner?.name).toBe("joan@acme.example");
    const removed = await service.app.inject({
      ...{ method: "POST", url: "/api/auth/organization/remove-member" },
      headers: asOwner(),
      payload: { organizationId: acme.id, memberIdOrEmail: "joan@acme.example" },
    });
    expect(removed.statusCode).toBe(200);
    const read = await service.app.inject({ url: `/api/incidents/${id}`, headers: asOwner() });
    expect(read.json()).toMatchObject({
      owner: null,
      activity: [{ kind: "taken", by: { name: "joan@acme.example" } }],
    });
  });
});

describe("a comment on an incident", () => {
  it("is plain text, and mails the members whom it names", async () => {
    const id = await endedIncident(service, acme.id);
    const text = `Rolled back, @${grace}\n**bold** <script>`;
    const { activity } = incidentSchema.parse((await comment(id, text)).json());
    expect(activity?.[0]).toMatchObject({
      ...{ kind: "commented", by: { kind: "member", name: "owner@acme.example" } },
      comment: { text, mentions: [{ name: grace }] },
    });
    expect(service.mails.at(-1)).toMatchObject({
      to: grace,
      subject: "owner@acme.example mentioned you: Error: boom",
      text: expect.stringContaining(`> Rolled back, @${grace}\n> **bold** <script>`),
    });
  });

  it("by a key mentions, and mails no one", async () => {
    const id = await endedIncident(service, acme.id);
    const mails = service.mails.length;
    const answer = await comment(id, `@${grace}`, { "x-api-key": acme.key });
    expect(answer.json().activity[0]).toMatchObject({
      ...{ by: { kind: "key" }, comment: { mentions: [{ name: grace }] } },
    });
    expect(service.mails).toHaveLength(mails);
  });

  it("has at most 4,000 characters, and at least one that isn't space", async () => {
    const id = await endedIncident(service, acme.id);
    const most = "x".repeat(limits.commentLengthMax);
    expect((await comment(id, most)).json().activity[0].comment.text).toBe(most);
    expect((await comment(id, `${most}x`)).statusCode).toBe(422);
    expect((await comment(id, " \n ")).statusCode).toBe(422);
  });
});

describe("the rules for who owns new incidents", () => {
  const put = (rules: readonly object[], headers: Headers = asOwner()) =>
    service.app.inject({ method: "PUT", url: "/api/ownership", headers, payload: { rules } });
  const rule = (pattern: string, owner = grace) => ({ match: "path", pattern, owner });

  it("are written by an owner of the organization, and read by members and keys", async () => {
    expect((await put([rule("a/**")], { cookie: graceCookie })).statusCode).toBe(403);
    expect((await put([rule("a/**")])).json().rules).toMatchObject([
      { match: "path", pattern: "a/**", owner: { name: grace, email: grace } },
    ]);
    const read = await service.app.inject({ url: "/api/ownership", headers: { "x-api-key": acme.key } });
    expect(read.json().rules).toHaveLength(1);
    const audit = await service.app.inject({ url: "/api/audit?limit=1", headers: asOwner() });
    expect(audit.json().entries).toMatchObject([{ action: "ownership.changed", target: "1 rule" }]);
    expect((await put([rule("a/**", "eve@example.com")])).json().code).toBe("WHENCE_ERR_MEMBER_UNKNOWN");
  });

  it("make a member the owner of an incident", async () => {
    await put([rule("lib/**")]);
    const location = { file: "lib/total.js", line: 1, function: null };
    const { root_cause: cause } = reportWith();
    const id = await endedIncident(service, acme.id, reportWith({ root_cause: { ...cause, location } }));
    const read = await service.app.inject({ url: `/api/incidents/${id}`, headers: asOwner() });
    expect(read.json()).toMatchObject({ owner: { name: grace }, activity: [{ kind: "assigned", by: null }] });
  });

  it("are at most 200, with patterns of at most 200 characters", async () => {
    const most = Array.from({ length: ownershipLimits.ownershipRulesMax }, () => rule("a"));
    expect((await put(most)).statusCode).toBe(200);
    expect((await put([...most, rule("a")])).statusCode).toBe(422);
    const longest = "x".repeat(ownershipLimits.ownershipPatternLengthMax);
    expect((await put([rule(longest)])).statusCode).toBe(200);
    expect((await put([rule(`${longest}x`)])).statusCode).toBe(422);
    expect((await put([])).json().rules).toEqual([]);
  });
});
