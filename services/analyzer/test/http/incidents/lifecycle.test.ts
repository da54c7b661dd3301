import { incidentSchema, type LifecycleChange } from "@whence/protocol";
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

type Headers = Record<string, string>;
const change = (id: string, payload: LifecycleChange | object, headers: Headers = { cookie: acme.cookie }) =>
  service.app.inject({ method: "POST", url: `/api/incidents/${id}/lifecycle`, headers, payload });
const list = async (state: string) =>
  (await service.app.inject({ url: `/api/incidents?state=${state}`, headers: { "x-api-key": acme.key } })).json();

describe("the lifecycle of an incident", () => {
  it("is changed by a member, who is named on the incident and in the audit log", async () => {
    const id = await endedIncident(service, acme.id);
    const answer = await change(id, { action: "resolve" });
    expect(answer.statusCode).toBe(200);
    const { lifecycle, activity } = incidentSchema.parse(answer.json());
    expect(lifecycle).toMatchObject({ state: "resolved", resolved_in: "now", by: { kind: "member" } });
    expect(activity).toMatchObject([{ kind: "resolved", by: { kind: "member" } }]);
    const audit = await service.app.inject({ url: "/api/audit?limit=1", headers: { cookie: acme.cookie } });
    expect(audit.json().entries).toMatchObject([{ action: "incident.resolved", actor: { id: lifecycle.by?.id } }]);
    expect((await list("resolved")).incidents.map((one: { id: string }) => one.id)).toEqual([id]);
  });

  it("is changed by a key, under the name of the key", async () => {
    const id = await endedIncident(service, acme.id);
    const answer = await change(id, { action: "ignore" }, { "x-api-key": acme.key });
    expect(answer.json().lifecycle).toMatchObject({ state: "ignored", by: { kind: "key", name: expect.any(String) } });
  });

  it("is open again once a mute for a time has passed", async () => {
    const id = await endedIncident(service, acme.id);
    const at = new Date(service.clock.now + 60_000).toISOString();
    expect((await change(id, { action: "mute", until: { kind: "time", at } })).json().lifecycle.state).toBe("muted");
    expect((await list("muted")).incidents).toHaveLength(1);
    service.clock.now += 60_000;
    const read = await service.app.inject({ url: `/api/incidents/${id}`, headers: { cookie: acme.cookie } });
    expect(read.json().lifecycle).toMatchObject({ state: "open", since: at });
    expect((await list("muted")).incidents).toEqual([]);
  });

  it("says why a change isn't possible", async () => {
    const id = await endedIncident(service, acme.id);
    const code = async (payload: object) => (await change(id, payload)).json().code;
    const past = new Date(service.clock.now).toISOString();
    expect(await code({ action: "mute", until: { kind: "time", at: past } })).toBe("WHENCE_ERR_MUTE_IN_THE_PAST");
    expect(await code({ action: "resolve", in: "next-release" })).toBe("WHENCE_ERR_INCIDENT_WITHOUT_RELEASE");
    await change(id, { action: "resolve" });
    expect(await code({ action: "mute", until: { kind: "rise" } })).toBe("WHENCE_ERR_INCIDENT_RESOLVED");
    expect((await change(id, { action: "close" })).statusCode).toBe(422);
    expect((await change("inc_none", { action: "resolve" })).statusCode).toBe(404);
  });

  it("can't be changed by another organization", async () => {
    const id = await endedIncident(service, acme.id);
    const other = await makeOrganization(service, "other");
    expect((await change(id, { action: "resolve" }, { cookie: other.cookie })).statusCode).toBe(404);
    expect((await change(id, { action: "resolve" }, { "x-api-key": other.key })).statusCode).toBe(404);
  });
});
