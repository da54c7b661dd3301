import { randomBytes, randomUUID } from "node:crypto";
import { Kysely, PostgresDialect, sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { inTransaction } from "../../src/control/databases/in-transaction.ts";
import { postgresPool } from "../../src/control/databases/postgres-pool.ts";
import type { ControlTables } from "../../src/control/tables.ts";
import type { ControlDb, ResponsibleMember } from "../../src/index.ts";
import { agent, member, newIncident, now, occurrence, openOrJoin, organization, report } from "./contract/samples.ts";
import { controlDatabases } from "./databases.ts";

const [, postgres] = controlDatabases();
const rounds = 20;

/** Two processes' worth of connections to one database. */
async function twoPools(secretKeys: readonly Buffer[] = []): Promise<readonly [ControlDb, ControlDb]> {
  const open = await postgres.create();
  return [await open(secretKeys), await open(secretKeys)];
}

function alternately<Item>(pools: readonly [Item, Item], count: number): readonly Item[] {
  return Array.from({ length: count }, (_, index) => pools[index % 2 === 0 ? 0 : 1]);
}

/** A member of an organization of their own. */
async function rival(db: ControlDb): Promise<ResponsibleMember> {
  return member(db, await organization(db));
}

describe("two processes on one PostgreSQL", () => {
  it("open one incident when ten of their deciders see the same new failure", async () => {
    const pools = await twoPools();
    for (let round = 0; round < rounds; round += 1) {
      const scopeId = await organization(pools[0]);
      const decisions = await Promise.all(
        alternately(pools, 10).map((db) => db.scope(scopeId).failures.decide(occurrence("v1:race"), openOrJoin)),
      );
      expect(decisions.filter(({ outcome }) => outcome === "opened").length).toBe(1);
      expect((await pools[1].scope(scopeId).incidents.list({ limit: 10 })).length).toBe(1);
    }
  });

  it("start a conversation once, and answer it, when it comes to an incident that is just ending", async () => {
    const pools = await twoPools([randomBytes(32)]);
    const bounds = { max: 100, perScopeMax: 4, holdMs: 60_000 };
    const asked = { thread: "t", requestId: "1", how: "mentioned", question: "", author: "Ada", place: {} } as const;
    for (let round = 0; round < rounds; round += 1) {
      const scopeId = await organization(pools[0]);
      const [one, other] = [pools[0].scope(scopeId), pools[1].scope(scopeId)];
      const adding = {
        kind: "webhook",
        name: "Chat",
        inputs: {},
        secrets: {},
        by: { id: "usr_ada", name: "Ada" },
      } as const;
      const { id: sourceId } = await one.alertSources.add({ ...adding, now });
      const request = { ...asked, at: now.toISOString() };
      const noted = await Promise.all(
        alternately(pools, 6).map((db) => db.scope(scopeId).conversations.ask(sourceId, request, now)),
      );
      expect(noted.filter(Boolean)).toHaveLength(1);
      const taken = (await Promise.all(alternately(pools, 6).map((db) => db.conversations.take(now, bounds)))).flat();
      expect(taken).toHaveLength(1);
      const [start] = taken;
      if (!start) continue;
      const { id } = await one.incidents.open(newIncident());
      const attempt = (await one.incidents.begin(id, now)) ?? 0;
      await Promise.all([
        one.conversations.open(start.conversationId, { title: "down", url: null }, { id }, now),
        other.incidents.complete(id, attempt, report, now),
      ]);
      await pools[0].conversations.settle(start, { state: "posted" }, now);
      expect(await one.conversations.find(start.conversationId)).toMatchObject({ status: "COMPLETED", incidentId: id });
      const [answer, ...more] = await pools[0].conversations.take(now, bounds);
      expect([answer?.kind, more]).toEqual(["answer", []]);
      await (answer && pools[0].conversations.settle(answer, { state: "posted" }, now));
    }
  });

  it("let an incident regress once, or not at all, when events arrive while two people resolve it", async () => {
    const pools = await twoPools([randomBytes(32)]);
    const resolve = { action: "resolve", in: "now" } as const;
    for (let round = 0; round < rounds / 4; round += 1) {
      const scopeId = await organization(pools[0]);
      const [one, other] = [pools[0].scope(scopeId), pools[1].scope(scopeId)];
      await one.failures.decide(occurrence("v1:race"), openOrJoin);
      const [incident] = await one.incidents.list({ limit: 1 });
      const id = incident?.id ?? "";
      const later = new Date(now.getTime() + 1_000);
      const event = () => occurrence("v1:race", { at: later.toISOString(), now: later });
      const people = ["Ada", "Bob"].map((name) => ({ kind: "member", id: name, name }) as const);
      const [resolved] = await Promise.all([
        Promise.all(people.map((by, index) => (index === 0 ? one : other).lifecycle.change(id, resolve, by, now))),
        ...alternately([one, other], 6).map(({ failures }) => failures.decide(event(), openOrJoin)),
      ]);
      const found = await one.incidents.find(id);
      const kinds = found?.activity?.map(({ kind }) => kind).toReversed() ?? [];
      // Each that resolves it may be followed by one return; what happened is a sequence of both.
      const changed = resolved.filter(({ outcome }) => outcome === "changed").length;
      expect(kinds.filter((kind) => kind === "resolved")).toHaveLength(changed);
      expect(kinds.map((kind, index) => kind === (index % 2 === 0 ? "resolved" : "regressed"))).not.toContain(false);
      expect(found?.lifecycle.returns).toBe(kinds.filter((kind) => kind === "regressed").length);
      expect((await one.audit.list({ limit: 10 })).length).toBe(changed);
      expect(found?.occurrences?.events).toBe(7);
      expect((await one.incidents.list({ limit: 10 })).length).toBe(1);
    }
  });

  it("give the right to renew credentials to one of ten callers", async () => {
    const pools = await twoPools([randomBytes(32)]);
    const scopeId = await organization(pools[0]);
    const by = { id: "usr_ada", name: "Ada" };
    await pools[0].scope(scopeId).integrations.connect({
      kind: "gitlab",
      vendor: "GitLab",
      belongsTo: "acme",
      inputs: {},
      credentials: {},
      by,
      now,
    });
    const until = new Date(now.getTime() + 10_000);
    for (let round = 0; round < rounds; round += 1) {
      const renewals = await Promise.all(
        alternately(pools, 10).map((db) => db.scope(scopeId).integrations.takeRenewal("gitlab", { now, until })),
      );
      const taken = renewals.filter((renewal) => renewal !== null);
      expect(taken).toHaveLength(1);
      expect(await taken[0]?.keep({ access_token: String(round) }, now)).toBe(true);
      expect(await pools[1].scope(scopeId).integrations.credentials("gitlab")).toEqual({
        access_token: String(round),
      });
    }
  });

  it("give an agent to one of two organizations that claim it ten times at once", async () => {
    const pools = await twoPools();
    const rivals = [await rival(pools[0]), await rival(pools[0])] as const;
    for (let round = 0; round < rounds; round += 1) {
      const { id, token } = await agent(pools[0]);
      const outcomes = await Promise.all(
        alternately(pools, 10).map((db, index) => db.agents.claim(token, rivals[index % 2 === 0 ? 0 : 1], now)),
      );
      const winners = new Set(outcomes.flatMap((claim) => (claim.outcome === "claimed" ? [claim.organizationId] : [])));
      expect(winners.size).toBe(1);
      expect(outcomes.filter(({ outcome }) => outcome === "claimed-by-another").length).toBe(5);
      expect(await pools[1].agents.status(id, now)).toMatchObject({ organization_id: [...winners][0] });
    }
  });

  it("lose no incident that an agent opens while it is claimed", async () => {
    const pools = await twoPools();
    const claimer = await rival(pools[0]);
    const { organizationId } = claimer;
    for (let round = 1; round <= rounds; round += 1) {
      const { id, token } = await agent(pools[0]);
      await Promise.all([
        ...alternately(pools, 5).map((db) => db.scope(id).incidents.open(newIncident())),
        pools[1].agents.claim(token, claimer, now),
        ...alternately(pools, 5).map((db) => db.scope(id).incidents.open(newIncident())),
      ]);
      expect(await pools[0].scope(id).incidents.list({ limit: 10 })).toEqual([]);
      expect((await pools[0].scope(organizationId).incidents.list({ limit: 1_000 })).length).toBe(10 * round);
    }
  });

  it("claim an agent while its organization decides about failures that both know", async () => {
    const pools = await twoPools();
    const claimer = await rival(pools[0]);
    const { organizationId } = claimer;
    for (let round = 0; round < rounds; round += 1) {
      const { id, token } = await agent(pools[0]);
      const fingerprints = Array.from({ length: 5 }, (_, index) => `v1:${round}:${index}`);
      for (const known of fingerprints) await pools[0].scope(id).failures.decide(occurrence(known), openOrJoin);
      const [claim] = await Promise.all([
        pools[0].agents.claim(token, claimer, now),
        ...fingerprints.map((known) => pools[1].scope(organizationId).failures.decide(occurrence(known), openOrJoin)),
      ]);
      expect(claim.outcome).toBe("claimed");
    }
    expect((await pools[0].scope(organizationId).failures.list({ limit: 1_000 })).length).toBe(5 * rounds);
  });

  it("start an incident one after the other, and let only the later attempt end it", async () => {
    const pools = await twoPools();
    const scopeId = await organization(pools[0]);
    for (let round = 0; round < rounds; round += 1) {
      const [one, other] = [pools[0].scope(scopeId).incidents, pools[1].scope(scopeId).incidents];
      const { id } = await one.open(newIncident());
      const attempts = await Promise.all([one.begin(id, now), other.begin(id, now)]);
      expect([...attempts].sort()).toEqual([1, 2]);
      const ended = await Promise.all([one.complete(id, 1, report, now), other.complete(id, 2, report, now)]);
      expect(ended).toEqual([false, true]);
    }
  });

  it("keep no step and no end of an attempt once the next one has begun", async () => {
    const pools = await twoPools();
    const scopeId = await organization(pools[0]);
    const [stalled, current] = [pools[0].scope(scopeId).incidents, pools[1].scope(scopeId).incidents];
    const step = { at: now.toISOString(), step: "parse", detail: "stalled" } as const;
    for (let round = 0; round < rounds; round += 1) {
      const { id } = await stalled.open(newIncident());
      await stalled.begin(id, now);
      const steps = [1, 2, 3].map((seq) => stalled.addStep(id, 1, { seq, ...step }));
      const [begun, ended] = await Promise.all([
        current.begin(id, now),
        stalled.complete(id, 1, report, now),
        ...steps,
      ]);
      // Either order is right: the report stands and nothing begins, or the second attempt begins from scratch.
      expect([begun, ended]).toEqual(ended ? [null, true] : [2, false]);
      if (!ended) expect(await current.steps(id, 0)).toEqual([]);
    }
  });

  it("add up what both count", async () => {
    const pools = await twoPools();
    await Promise.all(alternately(pools, 50).map((db) => db.usage.add("org_1", "2026-03-01", 2)));
    expect(await pools[0].usage.add("org_1", "2026-03-01", 0)).toBe(100);
  });

  it("do the same on a server whose transactions are serializable by default", async () => {
    const open = await postgres.create();
    const first = await open();
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(first.identity.db);
    const name = sql.ref(rows[0]?.name ?? "");
    await sql`alter database ${name} set default_transaction_isolation = 'serializable'`.execute(first.identity.db);
    const pools = [await open(), await open()] as const;
    const scopeId = await organization(pools[0]);
    const decisions = await Promise.all(
      alternately(pools, 20).map((db) => db.scope(scopeId).failures.decide(occurrence("v1:race"), openOrJoin)),
    );
    expect(decisions.filter(({ outcome }) => outcome === "opened").length).toBe(1);
  });
});

describe("a transaction that conflicts with another", () => {
  async function connect(): Promise<Kysely<ControlTables>> {
    const url = await postgres.url();
    const pool = postgresPool(url, { connectionsMax: 4, hasTimeouts: true });
    const db = new Kysely<ControlTables>({ dialect: new PostgresDialect({ pool }) });
    onTestFinished(() => db.destroy());
    return db;
  }

  it("is retried when both wait for each other", async () => {
    const db = await connect();
    await sql`create table counter (id text primary key, value integer not null)`.execute(db);
    await sql`insert into counter values ('a', 0), ('b', 0)`.execute(db);
    let waiting = 0;
    const bothHoldOne = Promise.withResolvers<void>();
    const increment = (order: readonly string[]): Promise<void> =>
      inTransaction(db, async (transaction) => {
        for (const id of order) {
          await sql`update counter set value = value + 1 where id = ${id}`.execute(transaction);
          waiting += 1;
          if (waiting === 2) bothHoldOne.resolve();
          await bothHoldOne.promise;
        }
      });
    await Promise.all([increment(["a", "b"]), increment(["b", "a"])]);
    const { rows } = await sql`select id, value from counter order by id`.execute(db);
    expect(rows).toEqual([
      { id: "a", value: 2 },
      { id: "b", value: 2 },
    ]);
  });

  it.each(["40001", "40P01", "23505"])("is given up at the fifth %s", async (code) => {
    const db = await connect();
    let tries = 0;
    const failing = inTransaction(db, async (transaction) => {
      tries += 1;
      await sql`do ${sql.lit(`begin raise exception 'in the way' using errcode = '${code}'; end`)}`.execute(
        transaction,
      );
    });
    await expect(failing).rejects.toThrow("in the way");
    expect(tries).toBe(5);
  });

  it("is tried once when the failure is its own", async () => {
    const db = await connect();
    let tries = 0;
    const failing = inTransaction(db, async (transaction) => {
      tries += 1;
      await sql`select * from ${sql.ref(`missing_${randomUUID()}`)}`.execute(transaction);
    });
    await expect(failing).rejects.toThrow("does not exist");
    expect(tries).toBe(1);
  });
});
