import { dayMs, limits } from "@whence/protocol";
import { betterAuth } from "better-auth";
import { describe, expect, it } from "vitest";
import type { BackupRow, ControlDb } from "../../src/index.ts";
import { predicting } from "./contract/accuracy-samples.ts";
import { after, agent, member, newIncident, now, occurrence, openOrJoin, organization } from "./contract/samples.ts";
import { controlDatabases } from "./databases.ts";

const lifetimeMs = limits.unclaimedAgentLifetimeMs;
const everything = 1_000;

async function rowCounts(db: ControlDb): Promise<Record<string, number>> {
  const rows: BackupRow[] = [];
  for await (const row of db.exportRows()) rows.push(row);
  const tables = rows.map(({ table }) => table).filter((table) => table !== "migration" && table !== "outbox");
  return Object.fromEntries([...new Set(tables)].map((table) => [table, tables.filter((of) => of === table).length]));
}

/** Something in every table that an agent can have rows in. */
async function fill(db: ControlDb, scopeId: string, incidentCount = 1): Promise<void> {
  const { incidents, failures, secrets, feedback } = db.scope(scopeId);
  const input = { kind: "text", errorLog: "boom", files: [{ name: "a.js", content: "x" }] } as const;
  for (let count = 0; count < incidentCount; count += 1) {
    const { id } = await incidents.open(newIncident({ input }));
    await incidents.begin(id, now);
    await incidents.addStep(id, 1, { seq: 1, at: now.toISOString(), step: "parse", detail: "read" });
    if (count % 2 === 1) continue;
    await incidents.complete(id, 1, predicting, now);
    await feedback.give(id, { kind: "agent", id: scopeId }, { verdict: "wrong" }, now);
  }
  await failures.decide(occurrence("v1:x"), openOrJoin);
  await secrets.put("slack", "xoxb", now);
}

describe.each(controlDatabases())("expired data in $name", ({ create }) => {
  it("is removed with everything it owns, once it expired before the given time", async () => {
    const db = await (await create())([Buffer.alloc(32)]);
    const expired = await agent(db);
    await fill(db, expired.id, 25);
    expect(await db.sweep(after(lifetimeMs), everything)).toBe(0);
    expect(await db.sweep(after(lifetimeMs + 1), everything)).toBe(1);
    expect(await rowCounts(db)).toEqual({});
    expect((await db.keys.find(expired.key, now)).outcome).toBe("unknown");
    expect(await db.sweep(after(lifetimeMs + 1), everything)).toBe(0);
  });

  it("doesn't include what claimed agents and organizations have", async () => {
    const db = await (await create())([Buffer.alloc(32)]);
    const organizationId = await organization(db);
    const claimed = await agent(db);
    await fill(db, claimed.id);
    await db.agents.claim(claimed.token, await member(db, organizationId), after(1));
    await fill(db, organizationId);
    const before = await rowCounts(db);
    expect(await db.sweep(after(100 * lifetimeMs), everything)).toBe(0);
    expect(await rowCounts(db)).toEqual(before);
    expect((await db.keys.find(claimed.key, after(100 * lifetimeMs))).outcome).toBe("valid");
  });

  it("is removed in steps, the earliest expired first", async () => {
    const db = await (await create())();
    const agents = [await agent(db), await agent(db), await agent(db)];
    expect(await db.sweep(after(lifetimeMs + 1), 2)).toBe(2);
    expect(await db.sweep(after(lifetimeMs + 1), 2)).toBe(1);
    const found = await Promise.all(agents.map(({ key }) => db.keys.find(key, now)));
    expect(found.map(({ outcome }) => outcome)).toEqual(["unknown", "unknown", "unknown"]);
  });

  it("is removed once by two processes that run at the same time", async () => {
    const open = await create();
    const processes = [await open([Buffer.alloc(32)]), await open([Buffer.alloc(32)])] as const;
    for (let count = 0; count < 5; count += 1) await fill(processes[0], (await agent(processes[0])).id, 12);
    const swept = await Promise.all(processes.map((db) => db.sweep(after(lifetimeMs + 1), everything)));
    expect(swept.reduce((sum, count) => sum + count)).toBe(5);
    expect(await rowCounts(processes[0])).toEqual({});
  });

  it("includes sessions, and no person", async () => {
    const db = await (await create())();
    const { api } = betterAuth({
      database: { db: db.identity.db, type: db.identity.type },
      secret: "a secret of thirty-two characters",
      baseURL: "http://127.0.0.1:4000",
      emailAndPassword: { enabled: true },
    });
    await api.signUpEmail({ body: { email: "ada@example.com", password: "correct horse", name: "Ada" } });
    expect(await db.sweep(new Date(), everything)).toBe(0);
    expect(await db.sweep(new Date(Date.now() + 366 * dayMs), everything)).toBe(1);
    expect(await rowCounts(db)).toEqual({ user: 1, account: 1 });
  });
});
