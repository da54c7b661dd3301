import { randomUUID } from "node:crypto";
import { type Decision, limits, type Report } from "@whence/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ControlDb, DecidedFailure, KnownFailure, NewIncident, Occurrence } from "../src/index.ts";

const now = new Date("2026-03-01T12:00:00.000Z");
const lifetimeMs = limits.unclaimedAgentLifetimeMs;

/** What every database behind {@link ControlDb} does. `open` opens one that holds nothing yet. */
export function describeControlDb(name: string, open: () => Promise<ControlDb>): void {
  let db: ControlDb;
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());

  const organization = async (): Promise<string> =>
    (await db.organizations.ensure({ slug: randomUUID(), name: "Acme", now })).id;
  const agent = async (): Promise<{ id: string; key: string; token: string }> => {
    const [key, token] = [randomUUID(), randomUUID()];
    const { id } = await db.agents.register({
      ...{ source: "a coding agent", keyHash: key, claimTokenHash: token, now, expiresAt: after(lifetimeMs) },
    });
    return { id, key, token };
  };

  describe(`${name}: organizations`, () => {
    it("makes an organization once per slug, also when ten ask at once", async () => {
      const slug = randomUUID();
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => db.organizations.ensure({ slug, name: "Acme", now })),
      );
      expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
      expect(answers.filter(({ created }) => created).length).toBe(1);
      expect(answers[0]?.id).toMatch(/^org_[0-9a-f]{32}$/);
    });

    it("knows members, and adding one twice is adding one", async () => {
      const [first, second] = [await organization(), await organization()];
      const userId = await user(db);
      expect(await db.organizations.hasMembers(first)).toBe(false);
      await db.organizations.addMember({ organizationId: second, userId, role: "member", now: after(1) });
      await db.organizations.addMember({ organizationId: first, userId, role: "owner", now: after(2) });
      await db.organizations.addMember({ organizationId: first, userId, role: "member", now: after(3) });
      expect(await db.organizations.hasMembers(first)).toBe(true);
      expect(await db.organizations.ofUser(userId)).toEqual([
        { id: second, name: "Acme", role: "member" },
        { id: first, name: "Acme", role: "owner" },
      ]);
      expect(await db.organizations.ofUser("nobody")).toEqual([]);
    });
  });

  describe(`${name}: keys`, () => {
    it("finds whose a key is, until it is revoked", async () => {
      const organizationId = await organization();
      const hash = randomUUID();
      expect(await db.keys.find(hash, now)).toEqual({ outcome: "unknown" });
      const { id } = await db.keys.add({ organizationId, name: "ci", hash, prefix: "whk_abc", now });
      expect(await db.keys.find(hash, now)).toEqual({
        outcome: "valid",
        principal: { kind: "organization", keyId: id, organizationId, scopeId: organizationId },
        expiresAt: null,
      });
      expect(await db.keys.revoke(await organization(), id, now)).toBe(false);
      expect(await db.keys.revoke(organizationId, id, now)).toBe(true);
      expect(await db.keys.revoke(organizationId, id, now)).toBe(false);
      expect(await db.keys.find(hash, now)).toEqual({ outcome: "revoked" });
    });

    it("stores a key once, changes nothing the second time, and refuses another organization's", async () => {
      const organizationId = await organization();
      const hash = randomUUID();
      const first = await db.keys.add({ organizationId, name: "first", hash, prefix: "whk_abc", now });
      expect(await db.keys.add({ organizationId, name: "second", hash, prefix: "whk_xyz", now })).toEqual(first);
      expect(await db.keys.list(organizationId)).toEqual([
        { id: first.id, name: "first", prefix: "whk_abc", createdAt: now.toISOString(), revokedAt: null },
      ]);
      const foreign = { organizationId: await organization(), name: "theirs", hash, prefix: "whk_abc", now };
      await expect(db.keys.add(foreign)).rejects.toMatchObject({ code: "WHENCE_ERR_KEY_OF_ANOTHER_ORGANIZATION" });
    });
  });

  describe(`${name}: agents`, () => {
    // requirement: agent.registered-unclaimed
    // requirement: agent.status-time-left
    it("registers an agent that is alone in its scope", async () => {
      const { id, key } = await agent();
      expect(id).toMatch(/^agt_[0-9a-f]{32}$/);
      expect(await db.keys.find(key, now)).toMatchObject({
        outcome: "valid",
        principal: { kind: "agent", agentId: id, organizationId: null, scopeId: id },
        expiresAt: after(lifetimeMs).toISOString(),
      });
      expect(await db.agents.status(id, after(1))).toEqual({
        ...{ agent_id: id, source: "a coding agent", status: "unclaimed", organization_id: null },
        ...{ created_at: now.toISOString(), expires_at: after(lifetimeMs).toISOString(), expires_in_seconds: 259_199 },
      });
      expect(await db.agents.status("agt_unknown", now)).toBeNull();
    });

    // requirement: agent.expires-after-3-days
    // requirement: agent.state-expire
    // requirement: limits.unclaimed-3-days
    it("keeps an unclaimed agent's key valid until 1 ms before it expires, and not at the moment itself", async () => {
      const { id, key } = await agent();
      expect((await db.keys.find(key, after(lifetimeMs - 1))).outcome).toBe("valid");
      expect((await db.keys.find(key, after(lifetimeMs))).outcome).toBe("expired");
      expect(await db.agents.status(id, after(2 * lifetimeMs))).toMatchObject({ expires_in_seconds: 0 });
    });

    // requirement: agent.claimed-has-organization
    // requirement: agent.claimed-never-expires
    // requirement: agent.state-claim
    it("gives a claimed agent to the organization for good", async () => {
      const { id, key, token } = await agent();
      const organizationId = await organization();
      const claimed = { outcome: "claimed", agentId: id, organizationId, claimedAt: after(1).toISOString() };
      expect(await db.agents.claim(token, organizationId, after(1))).toEqual(claimed);
      expect(await db.agents.claim(token, organizationId, after(10 * lifetimeMs))).toEqual(claimed);
      expect(await db.agents.claim(token, await organization(), after(2))).toEqual({ outcome: "claimed-by-another" });
      expect(await db.keys.find(key, after(10 * lifetimeMs))).toMatchObject({
        outcome: "valid",
        principal: { kind: "agent", agentId: id, organizationId, scopeId: organizationId },
        expiresAt: null,
      });
      expect(await db.agents.status(id, after(10 * lifetimeMs))).toMatchObject({
        ...{ status: "claimed", organization_id: organizationId, expires_at: null, expires_in_seconds: null },
      });
    });

    it("refuses a claim from the moment of expiry on, takes it 1 ms before, and knows no other tokens", async () => {
      const organizationId = await organization();
      const [late, early] = [await agent(), await agent()];
      expect(await db.agents.claim(late.token, organizationId, after(lifetimeMs))).toEqual({ outcome: "expired" });
      expect(await db.agents.claim(early.token, organizationId, after(lifetimeMs - 1))).toMatchObject({
        outcome: "claimed",
      });
      expect(await db.agents.claim(randomUUID(), organizationId, now)).toEqual({ outcome: "unknown" });
    });

    it("lets one of two organizations that claim at once have the agent", async () => {
      const { token } = await agent();
      const rivals = [await organization(), await organization()];
      const outcomes = await Promise.all(rivals.map((rival) => db.agents.claim(token, rival, now)));
      expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(["claimed", "claimed-by-another"]);
    });

    it("moves what the agent has with it: keys, incidents and their steps, failures and their decisions", async () => {
      const { id, token } = await agent();
      const organizationId = await organization();
      const alone = db.scope(id);
      const incident = await alone.incidents.open(newIncident());
      expect(incident.organization_id).toBeNull();
      const ended = await alone.incidents.open(newIncident());
      await alone.incidents.begin(ended.id, now);
      await alone.incidents.addStep(ended.id, { seq: 1, at: now.toISOString(), step: "parse", detail: "read" });
      await alone.incidents.fail(ended.id, { code: "X", message: "y" }, now);
      await alone.failures.decide(occurrence("v1:moves"), () => ({ decision: skipped, title: "boom" }));
      await drainOutbox(db);

      await db.agents.claim(token, organizationId, after(1));

      const moved = db.scope(organizationId);
      expect(await moved.incidents.find(incident.id)).toMatchObject({
        organization_id: organizationId,
        status: "queued",
      });
      expect(await moved.incidents.steps(ended.id, 0)).toMatchObject([{ step: "parse" }]);
      expect(await moved.failures.find("v1:moves", "PROD")).toMatchObject({ title: "boom" });
      expect(await moved.failures.decisions("v1:moves", "PROD")).toMatchObject([skipped]);
      expect((await db.keys.list(organizationId)).map(({ name: source }) => source)).toEqual(["a coding agent"]);
      expect(await alone.incidents.list({ limit: 10 })).toEqual([]);
      expect(await alone.failures.list({ limit: 10 })).toEqual([]);
      // The message under way names the old scope; only what has not ended is asked for again, under another id.
      const bodies = (await db.outbox.pending(10)).map((message) => ({ ...message, body: JSON.parse(message.body) }));
      expect(bodies).toEqual([
        {
          id: `${incident.id}:${organizationId}`,
          topic: "investigations",
          body: { incident_id: incident.id, scope_id: organizationId },
        },
      ]);
    });

    it("keeps the organization's record of a failure that the claimed agent knew too", async () => {
      const { id, token } = await agent();
      const organizationId = await organization();
      for (const scopeId of [id, organizationId]) {
        await db.scope(scopeId).failures.decide(occurrence("v1:both"), () => ({ decision: skipped, title: scopeId }));
      }
      expect(await db.agents.claim(token, organizationId, now)).toMatchObject({ outcome: "claimed" });
      expect(await db.scope(organizationId).failures.list({ limit: 10 })).toMatchObject([{ title: organizationId }]);
    });
  });

  describe(`${name}: incidents`, () => {
    it("stores a queued incident with its input, and asks for its investigation in the same breath", async () => {
      await drainOutbox(db);
      const scopeId = await organization();
      const { incidents } = db.scope(scopeId);
      const files = [
        { name: "b.js", content: "second\u0000\n" },
        { name: "a.js", content: "" },
      ];
      const opened = await incidents.open(newIncident({ input: { kind: "text", errorLog: "TypeError", files } }));
      expect(opened).toMatchObject({
        status: "queued",
        organization_id: scopeId,
        started_at: null,
        completed_at: null,
      });
      expect(opened.id).toMatch(/^inc_[0-9a-f]{32}$/);
      expect(await incidents.find(opened.id)).toEqual(opened);
      expect(await incidents.input(opened.id)).toEqual({ kind: "text", errorLog: "TypeError", files });
      const body = JSON.stringify({ incident_id: opened.id, scope_id: scopeId });
      expect(await db.outbox.pending(10)).toEqual([{ id: opened.id, topic: "investigations", body }]);
      await db.outbox.remove([opened.id]);
      expect(await db.outbox.pending(10)).toEqual([]);
    });

    it("remembers which event an incident is about", async () => {
      const { incidents } = db.scope(await organization());
      const { id } = await incidents.open(newIncident({ input: { kind: "event", eventId: "e-1" } }));
      expect(await incidents.input(id)).toEqual({ kind: "event", eventId: "e-1" });
    });

    it("lists the newest first, page by page, by service and by status", async () => {
      const { incidents } = db.scope(await organization());
      const ids: string[] = [];
      for (const service of ["a", "b", "a"]) ids.unshift((await incidents.open(newIncident({ service }))).id);
      await incidents.begin(ids[2] ?? "", now);
      const listed = async (filter: object): Promise<string[]> =>
        (await incidents.list({ limit: 10, ...filter })).map(({ id }) => id);
      expect(await listed({})).toEqual(ids);
      expect(await listed({ limit: 2 })).toEqual(ids.slice(0, 2));
      expect(await listed({ before: ids[1] })).toEqual(ids.slice(2));
      expect(await listed({ service: "b" })).toEqual([ids[1]]);
      expect(await listed({ status: "investigating" })).toEqual([ids[2]]);
      expect(await listed({ status: "queued", service: "a" })).toEqual([ids[0]]);
    });

    it("counts what analyze requests opened, `since` included", async () => {
      const { incidents } = db.scope(await organization());
      await incidents.open(newIncident({ now: after(-1) }));
      await incidents.open(newIncident());
      const trigger = { kind: "event", event_id: "e", mechanism: "m", handled: false } as const;
      await incidents.open(newIncident({ trigger }));
      expect(await incidents.countSince(now)).toBe(1);
      expect(await incidents.countSince(after(-1))).toBe(2);
      expect(await incidents.countSince(after(1))).toBe(0);
    });

    it("goes from queued through investigating to its report, once", async () => {
      const { incidents } = db.scope(await organization());
      const { id } = await incidents.open(newIncident());
      expect(await incidents.complete(id, report, now)).toBe(false);
      expect(await incidents.begin(id, after(1))).toBe(true);
      expect(await incidents.complete(id, report, after(5))).toBe(true);
      expect(await incidents.complete(id, report, after(6))).toBe(false);
      expect(await incidents.fail(id, { code: "X", message: "y" }, after(6))).toBe(false);
      expect(await incidents.begin(id, after(7))).toBe(false);
      expect(await incidents.find(id)).toMatchObject({
        ...{ status: "completed", started_at: after(1).toISOString(), completed_at: after(5).toISOString(), report },
      });
    });

    it("keeps why an investigation failed", async () => {
      const { incidents } = db.scope(await organization());
      const { id } = await incidents.open(newIncident());
      await incidents.begin(id, now);
      expect(await incidents.fail(id, { code: "WHENCE_ERR_X", message: "no" }, after(2))).toBe(true);
      const failed = await incidents.find(id);
      expect(failed).toMatchObject({ status: "failed", failure: { code: "WHENCE_ERR_X", message: "no" } });
    });

    it("resumes an investigation without the steps of the one before, and keeps when it first began", async () => {
      const { incidents } = db.scope(await organization());
      const { id } = await incidents.open(newIncident());
      const step = (seq: number, detail: string) => ({ seq, at: now.toISOString(), step: "parse", detail }) as const;
      await incidents.begin(id, after(1));
      await incidents.addStep(id, step(1, "first life"));
      expect(await incidents.begin(id, after(9))).toBe(true);
      expect(await incidents.steps(id, 0)).toEqual([]);
      await incidents.addStep(id, step(2, "two"));
      await incidents.addStep(id, step(1, "one"));
      expect(await incidents.steps(id, 0)).toEqual([step(1, "one"), step(2, "two")]);
      expect(await incidents.steps(id, 1)).toEqual([step(2, "two")]);
      expect(await incidents.find(id)).toMatchObject({ started_at: after(1).toISOString() });
    });

    it("shows and changes nothing of another scope's incident", async () => {
      const mine = db.scope(await organization()).incidents;
      const { id } = await mine.open(newIncident());
      const { incidents: theirs } = db.scope(await organization());
      const step = { seq: 1, at: now.toISOString(), step: "parse", detail: "" } as const;
      expect(await theirs.find(id)).toBeNull();
      expect(await theirs.input(id)).toBeNull();
      expect(await theirs.list({ limit: 10 })).toEqual([]);
      expect(await theirs.begin(id, now)).toBe(false);
      await mine.begin(id, now);
      await theirs.addStep(id, step);
      expect(await mine.steps(id, 0)).toEqual([]);
      await mine.addStep(id, step);
      expect(await theirs.steps(id, 0)).toEqual([]);
      expect(await theirs.complete(id, report, now)).toBe(false);
      expect(await theirs.fail(id, { code: "X", message: "y" }, now)).toBe(false);
      expect(await theirs.countSince(new Date(0))).toBe(0);
      expect(await mine.find(id)).toMatchObject({ status: "investigating" });
    });
  });

  describe(`${name}: failures`, () => {
    it("opens one incident when 20 deciders meet the same new failure at once", async () => {
      await drainOutbox(db);
      const { failures, incidents } = db.scope(await organization());
      const decisions = await Promise.all(
        Array.from({ length: 20 }, () => failures.decide(occurrence("v1:race"), openOrJoin)),
      );
      expect(decisions.filter(({ outcome }) => outcome === "opened").length).toBe(1);
      const [incident, ...others] = await incidents.list({ limit: 10 });
      expect(others).toEqual([]);
      expect((await db.outbox.pending(10)).map(({ id }) => id)).toEqual([incident?.id]);
      expect(await failures.find("v1:race", "PROD")).toMatchObject({
        ...{ incidentId: incident?.id, incidentStatus: "queued", decision: { outcome: "joined" } },
      });
    });

    it("shows `decide` the failure as it is stored, and keeps its first and last occurrence in any order", async () => {
      const { failures } = db.scope(await organization());
      const known: (KnownFailure | null)[] = [];
      const decide = (failure: KnownFailure | null): DecidedFailure => {
        known.push(failure);
        return openOrJoin(failure);
      };
      await failures.decide(occurrence("v1:known", { at: "2026-03-01T13:00:05.5+01:00" }), decide);
      await failures.decide(occurrence("v1:known", { at: "2026-03-01T12:00:09Z", now: after(7) }), decide);
      await failures.decide(occurrence("v1:known", { at: "2026-03-01T12:00:01Z" }), decide);
      expect(known[0]).toBeNull();
      expect(known[1]).toMatchObject({ firstSeen: "2026-03-01T12:00:05.500Z", decision: { outcome: "opened" } });
      expect(await failures.find("v1:known", "PROD")).toMatchObject({
        ...{ firstSeen: "2026-03-01T12:00:01.000Z", lastSeen: "2026-03-01T12:00:09.000Z", service: "shop" },
      });
      expect(await failures.find("v1:known", "DEV")).toBeNull();
    });

    it("answers the decision taken before, and changes nothing, for an event that comes again", async () => {
      const { failures, incidents } = db.scope(await organization());
      const once = occurrence("v1:again");
      const opened = await failures.decide(once, openOrJoin);
      const before = await failures.find("v1:again", "PROD");
      expect(await failures.decide({ ...once, now: after(5) }, openOrJoin)).toEqual(opened);
      expect(await failures.find("v1:again", "PROD")).toEqual(before);
      expect((await incidents.list({ limit: 10 })).length).toBe(1);
    });

    it("records each outcome and rule once, with the first and the last time, the latest first", async () => {
      const { failures } = db.scope(await organization());
      await failures.decide(occurrence("v1:log"), openOrJoin);
      await failures.decide(occurrence("v1:log", { now: after(1) }), openOrJoin);
      await failures.decide(occurrence("v1:log", { now: after(2), eventId: "last" }), openOrJoin);
      const [joined, opened] = await failures.decisions("v1:log", "PROD");
      expect(joined).toMatchObject({
        ...{ outcome: "joined", firstAt: after(1).toISOString(), lastAt: after(2).toISOString(), lastEventId: "last" },
      });
      expect(opened).toMatchObject({ outcome: "opened", firstAt: now.toISOString(), lastAt: now.toISOString() });
    });

    it("keeps nothing of a decision that throws", async () => {
      const { failures } = db.scope(await organization());
      const throws = (): never => {
        throw new Error("undecided");
      };
      await expect(failures.decide(occurrence("v1:throws"), throws)).rejects.toThrow("undecided");
      expect(await failures.find("v1:throws", "PROD")).toBeNull();
      expect(await failures.decisions("v1:throws", "PROD")).toEqual([]);
      expect(await failures.list({ limit: 10 })).toEqual([]);
    });

    it("lists the latest decided first, of its scope alone", async () => {
      const { failures } = db.scope(await organization());
      await failures.decide(occurrence("v1:old"), openOrJoin);
      await failures.decide(occurrence("v1:new", { now: after(1) }), openOrJoin);
      expect((await failures.list({ limit: 10 })).map(({ fingerprint }) => fingerprint)).toEqual(["v1:new", "v1:old"]);
      expect((await failures.list({ limit: 1 })).length).toBe(1);
      const { failures: theirs } = db.scope(await organization());
      expect(await theirs.list({ limit: 10 })).toEqual([]);
      expect(await theirs.find("v1:old", "PROD")).toBeNull();
      expect(await theirs.decisions("v1:old", "PROD")).toEqual([]);
    });
  });
}

function after(ms: number): Date {
  return new Date(now.getTime() + ms);
}

async function drainOutbox(db: ControlDb): Promise<void> {
  for (;;) {
    const pending = await db.outbox.pending(100);
    if (pending.length === 0) return;
    await db.outbox.remove(pending.map(({ id }) => id));
  }
}

/** As the identity library writes one. */
async function user(db: ControlDb): Promise<string> {
  const identity = db.identity.db.withTables<{ user: Record<string, unknown> }>();
  const id = randomUUID();
  const times = { createdAt: now.toISOString(), updatedAt: now.toISOString() };
  const verified = db.identity.type === "sqlite" ? 0 : false;
  await identity
    .insertInto("user")
    .values({ id, name: "Ada", email: `${id}@example.com`, emailVerified: verified, ...times })
    .execute();
  return id;
}

const skipped = { outcome: "skipped", reason: "handled and rare", rule: "rare" } as const satisfies Decision;

function openOrJoin(known: KnownFailure | null): DecidedFailure {
  if (known?.incidentId) return { decision: { outcome: "joined", reason: "known", rule: "known" }, title: "boom" };
  const decision = { outcome: "opened", reason: "new", rule: "new" } as const;
  return { decision, title: "boom", incident: newIncident({ decision }) };
}

function occurrence(fingerprint: string, overrides: Partial<Occurrence> = {}): Occurrence {
  const eventId = randomUUID();
  return { fingerprint, service: "shop", env: "PROD", eventId, at: now.toISOString(), now, ...overrides };
}

function newIncident(overrides: Partial<NewIncident> = {}): NewIncident {
  return {
    ...{ title: "boom", severity: "high", trigger: { kind: "analyze", agent_id: null, files: 0 }, service: null },
    ...{ env: null, fingerprint: null, decision: { outcome: "opened", reason: "asked", rule: "analyze" }, now },
    input: { kind: "text", errorLog: "boom", files: [] },
    ...overrides,
  };
}

const report: Report = {
  root_cause_summary: "It was null [e1].",
  root_cause: { category: "null-dereference", statement: "It was null [e1].", location: null },
  ...{ candidates: [], detailed_analysis: "It was null [e1].", short_term_solutions: [], long_term_solutions: [] },
  ...{ evidence: [], timeline: [], predictions: [], not_checked: [], provenance: { root_cause: "server" } },
  impact: {
    ...{ summary: "", first_seen: null, last_seen: null, events: 0, services: [], routes: [], hosts: [], releases: [] },
  },
  confidence: { score: 0.5, basis: "one frame" },
  engine: { name: "whence", version: "0.1.0" },
};
