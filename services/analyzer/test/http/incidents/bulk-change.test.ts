import { auditPageSchema, type BulkChange, bulkResultSchema } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endedIncident } from "../../ended-report.ts";
import {
  addKey,
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

type Headers = Record<string, string>;
const send = (payload: BulkChange | object, headers: Headers = { cookie: acme.cookie }) =>
  service.app.inject({ method: "POST", url: "/api/incidents/changes", headers, payload });
const outcomes = async (payload: BulkChange, headers?: Headers) => {
  const answer = await send(payload, headers);
  return bulkResultSchema
    .parse(answer.json())
    .results.map((result) => [result.id, result.outcome === "refused" ? result.code : result.outcome]);
};
const audit = async () => {
  const answer = await service.app.inject({ url: "/api/audit?limit=10", headers: { cookie: acme.cookie } });
  return auditPageSchema.parse(answer.json()).entries.map(({ action, target }) => [action, target]);
};
const find = async (id: string) => service.control.scope(acme.id).incidents.find(id);

describe("a change of several incidents", () => {
  it("resolves each, with an entry in the audit log for each that changed", async () => {
    const [one, two] = [await endedIncident(service, acme.id), await endedIncident(service, acme.id)];
    expect(await outcomes({ ids: [one, two], change: { action: "resolve", in: "now" } })).toEqual([
      [one, "changed"],
      [two, "changed"],
    ]);
    expect((await audit()).slice(0, 2)).toEqual([
      ["incident.resolved", two],
      ["incident.resolved", one],
    ]);
    const before = await audit();
    expect(await outcomes({ ids: [one], change: { action: "resolve", in: "now" } })).toEqual([[one, "unchanged"]]);
    expect(await audit()).toEqual(before);
    expect((await find(two))?.lifecycle.state).toBe("resolved");
  });

  it("says which it refused and why, and changes the others; one that is named twice changes once", async () => {
    const other = await makeOrganization(service, "other");
    const [open, resolved, foreign] = [
      await endedIncident(service, acme.id),
      await endedIncident(service, acme.id),
      await endedIncident(service, other.id),
    ];
    await outcomes({ ids: [resolved], change: { action: "resolve", in: "now" } });
    const ids = [foreign, resolved, open, open, "inc_unknown"];
    expect(await outcomes({ ids, change: { action: "ignore" } })).toEqual([
      [foreign, "WHENCE_ERR_INCIDENT_UNKNOWN"],
      [resolved, "WHENCE_ERR_INCIDENT_RESOLVED"],
      [open, "changed"],
      ["inc_unknown", "WHENCE_ERR_INCIDENT_UNKNOWN"],
    ]);
    expect((await service.control.scope(other.id).incidents.find(foreign))?.lifecycle.state).toBe("open");
  });

  it("mutes until a time, and refuses each for a time that is over", async () => {
    const id = await endedIncident(service, acme.id);
    const until = (ms: number) => ({ kind: "time" as const, at: new Date(service.clock.now + ms).toISOString() });
    const mute = (ms: number) => outcomes({ ids: [id], change: { action: "mute", until: until(ms) } });
    expect(await mute(0)).toEqual([[id, "WHENCE_ERR_MUTE_IN_THE_PAST"]]);
    expect(await mute(1)).toEqual([[id, "changed"]]);
  });

  it("takes each for the member who asks, and for no key of the organization", async () => {
    const id = await endedIncident(service, acme.id);
    const key = await addKey(service, acme.id, "analyze");
    expect(await outcomes({ ids: [id], change: { action: "take" } }, { "x-api-key": key })).toEqual([
      [id, "WHENCE_ERR_INCIDENT_UNKNOWN"],
    ]);
    const full = { "x-api-key": acme.key };
    expect(await outcomes({ ids: [id], change: { action: "take" } }, full)).toEqual([
      [id, "WHENCE_ERR_KEY_OWNS_NO_INCIDENT"],
    ]);
    expect(await outcomes({ ids: [id], change: { action: "take" } })).toEqual([[id, "changed"]]);
    expect((await find(id))?.owner?.name).toBe("owner@acme.example");
  });

  it("takes 1 to 100 incidents", async () => {
    const ids = (count: number) => Array.from({ length: count }, (_, index) => `inc_${index}`);
    const statusOf = async (count: number) =>
      (await send({ ids: ids(count), change: { action: "ignore" } })).statusCode;
    expect([await statusOf(0), await statusOf(101)]).toEqual([422, 422]);
    expect([await statusOf(1), await statusOf(100)]).toEqual([200, 200]);
  });
});
