import { type Alert, alertListSchema, hourMs, incidentSchema } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../../../../test/servers/server-process.ts";
import { type Amazon, startAmazon } from "./amazon.ts";
import { everySender, type Posted, type Sender } from "./senders.ts";
import { WebhookServer } from "./webhook-server.ts";

const kinds = ["alertmanager", "grafana", "datadog", "pagerduty", "sns", "sentry", "vercel", "webhook"] as const;

let amazon: Amazon;
let server: WebhookServer;
let senders: ReadonlyMap<string, Sender>;

beforeAll(async () => {
  amazon = await startAmazon();
  senders = new Map(everySender(amazon).map((sender) => [sender.kind, sender]));
  server = await WebhookServer.start(amazon);
  for (const { kind, inputs } of senders.values()) await server.addSource(kind, inputs);
});
afterAll(async () => {
  await server?.close();
  await amazon?.close();
});

const deliver = (kind: string, posted: Posted): Promise<number> => server.deliver(kind, posted);

function known<Kept>(map: ReadonlyMap<string, Kept>, kind: string): Kept {
  const kept = map.get(kind);
  if (kept === undefined) throw new Error(`there is no ${kind}`);
  return kept;
}

/** A failure that no other test announces, as its sender posts it. */
function announcing(kind: string) {
  const [sender, key, at] = [known(senders, kind), Math.random().toString(36).slice(2, 10), new Date()];
  const { secret } = { ...sender.inputs, ...server.source(kind) };
  const own = sender.inputs.secret ?? secret ?? "";
  return (state: "firing" | "resolved", { by = own, sentAt = new Date() } = {}): Posted =>
    sender.post({ key, state, at }, by, sentAt);
}

async function alertsOf(kind: string): Promise<readonly Alert[]> {
  return alertListSchema.parse(await server.ask(`/api/alert-sources/${server.source(kind).id}/alerts`)).alerts;
}

const incidentsOf = async (kind: string): Promise<Set<string>> =>
  new Set((await alertsOf(kind)).map(({ incident_id: id }) => id));

/** The incident that opened for a source since, once its investigation has ended. */
async function investigated(kind: string, before: ReadonlySet<string>) {
  return eventually(`an investigation for ${kind}`, async () => {
    const [opened] = [...(await incidentsOf(kind))].filter((id) => !before.has(id));
    const incident = opened === undefined ? null : incidentSchema.parse(await server.ask(`/api/incidents/${opened}`));
    return incident && ["completed", "failed"].includes(incident.status) ? incident : undefined;
  });
}

describe.each(kinds)("a webhook of %s, posted to a server", (kind) => {
  it("is accepted in time and investigated once, even when several senders send it at once, several times", async () => {
    const before = await incidentsOf(kind);
    const firing = announcing(kind)("firing");
    const answers = await Promise.all([deliver(kind, firing), deliver(kind, firing)]);
    expect([...answers, await deliver(kind, firing)]).toEqual([200, 200, 200]);
    const incident = await investigated(kind, before);
    expect(incident).toMatchObject({ status: "completed", trigger: { kind: "alert", source: kind } });
    expect(incident.title).toContain(known(senders, kind).title);
    expect(incident.report?.root_cause_summary).toMatch(/^\S.*\S$/);
    expect(JSON.stringify(incident)).not.toMatch(/\[object |\bNaN\b/);
    expect(await deliver(kind, firing)).toBe(200);
    expect((await incidentsOf(kind)).size).toBe(before.size + 1);
  });

  it("is refused with a signature that isn't its sender's", async () => {
    const before = await incidentsOf(kind);
    const { body, headers } = announcing(kind)("firing");
    const forged = { body: body.replace(/[Cc]heckout|storefront/, "another"), headers };
    const status = await deliver(kind, isBearer(kind) ? { body, headers: { authorization: "Bearer wrong" } } : forged);
    expect(status).toBe(401);
    expect(await server.failureOf(kind)).toContain("a webhook was refused");
    expect(await incidentsOf(kind)).toEqual(before);
  });
});

describe.each(["grafana", "sns", "webhook"])("a webhook of %s, which signs the time", (kind) => {
  it("is refused two hours after it was signed", async () => {
    const old = announcing(kind)("firing", { sentAt: new Date(Date.now() - 2 * hourMs) });
    expect(await deliver(kind, old)).toBe(401);
  });
});

const isBearer = (kind: string): boolean => kind === "alertmanager" || kind === "datadog";

describe.each(kinds.filter((kind) => kind !== "vercel"))("a failure that %s resolves", (kind) => {
  it("ends when it is resolved, and opens no incident when its end arrives first", async () => {
    const before = await incidentsOf(kind);
    const [inOrder, endFirst] = [announcing(kind), announcing(kind)];
    expect(await deliver(kind, endFirst("resolved"))).toBe(200);
    expect(await deliver(kind, inOrder("firing"))).toBe(200);
    const { id } = await investigated(kind, before);
    expect(await deliver(kind, endFirst("firing"))).toBe(200);
    expect(await deliver(kind, inOrder("resolved"))).toBe(200);
    await eventually("the end of the failure", async () => {
      const alert = (await alertsOf(kind)).find(({ incident_id: incidentId }) => incidentId === id);
      return alert?.resolved_at ?? undefined;
    });
    expect(await incidentsOf(kind)).toEqual(new Set([...before, id]));
  });
});

describe("a server that dies right after accepting webhooks", () => {
  it("investigates each of them once when it runs again", async () => {
    const before = new Map(await Promise.all(kinds.map(async (kind) => [kind, await incidentsOf(kind)] as const)));
    for (const kind of kinds) expect(await deliver(kind, announcing(kind)("firing"))).toBe(200);
    await server.restart();
    for (const kind of kinds) {
      const earlier = known(before, kind);
      const { status, failure } = await investigated(kind, earlier);
      expect({ kind, status, failure }).toMatchObject({ kind, status: "completed" });
      expect((await incidentsOf(kind)).size).toBe(earlier.size + 1);
    }
  });
});
