import { dayMs } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import type { ControlDb, InputRoom, NewIncident } from "../../../src/index.ts";
import { actor, after, agent, newIncident, now, organization, report, roomy } from "./samples.ts";

const allowance = { max: 1_000, spanMs: 1_000, openMax: 1_000 };
const settings = {
  retentionDays: null,
  eventsPerDay: null,
  inputBytesMax: null,
  plainUsers: false,
  passwordsOff: false,
};

/** Text that no compression makes smaller than its half. */
function noise(bytes: number): string {
  return Array.from({ length: bytes }, () => Math.floor(Math.random() * 36).toString(36)).join("");
}

function textIncident(errorLog: string, overrides: Partial<NewIncident> = {}): NewIncident {
  return newIncident({ input: { kind: "text", errorLog, files: [{ name: "a.js", content: errorLog }] }, ...overrides });
}

/** What every control database does with the texts and files of analyses. */
export function describeStoredInputs(name: string, db: () => ControlDb): void {
  const openWithin = (scopeId: string, incident: NewIncident, room: Partial<InputRoom>) =>
    db()
      .scope(scopeId)
      .incidents.openWithin(incident, allowance, { ...roomy, ...room });

  describe(`${name}: inputs of analyses`, () => {
    it("are compressed, and read back as they came", async () => {
      const { incidents } = db().scope(await organization(db()));
      const errorLog = "TypeError: x is not a function\u0000 ü\n".repeat(10_000);
      const { id } = await incidents.open(textIncident(errorLog));
      expect(await incidents.input(id)).toEqual({
        kind: "text",
        errorLog,
        files: [{ name: "a.js", content: errorLog }],
      });
      const bytes = await incidents.inputBytes();
      expect(bytes).toBeGreaterThan(0);
      expect(bytes).toBeLessThan((2 * errorLog.length) / 100);
    });

    it("are refused beyond what a key, an organization and an unclaimed agent may store, and all agents together", async () => {
      const scopeId = await organization(db());
      const [text, other] = [noise(20_000), noise(20_000)];
      const byKey = (askedByKeyId: string) => textIncident(text, { askedByKeyId });
      expect((await openWithin(scopeId, byKey("key_1"), {})).outcome).toBe("opened");
      const bytes = await db().scope(scopeId).incidents.inputBytes();
      const key = { keyBytesMax: bytes + 1_000 };
      expect(await openWithin(scopeId, byKey("key_1"), key)).toEqual({
        outcome: "no-room",
        quota: "key",
        bytesMax: bytes + 1_000,
      });
      expect((await openWithin(scopeId, byKey("key_2"), key)).outcome).toBe("opened");
      expect((await openWithin(scopeId, textIncident(other), key)).outcome).toBe("opened");
      expect(await openWithin(scopeId, textIncident(other), { organizationBytesMax: 3 * bytes + 1_000 })).toMatchObject(
        { outcome: "no-room", quota: "organization" },
      );
      await db().organizations.configure(scopeId, { ...settings, inputBytesMax: 100 * bytes });
      expect((await openWithin(scopeId, textIncident(other), { organizationBytesMax: 0 })).outcome).toBe("opened");

      const { id: agentId } = await agent(db());
      const own = { unclaimedAgentBytesMax: bytes + 1_000 };
      expect((await openWithin(agentId, textIncident(text), own)).outcome).toBe("opened");
      expect(await openWithin(agentId, textIncident(text), own)).toMatchObject({ quota: "unclaimed-agent" });
      const { id: another } = await agent(db());
      expect(await openWithin(another, textIncident(text), { unclaimedAgentsBytesMax: bytes })).toMatchObject({
        outcome: "no-room",
        quota: "unclaimed-agents",
        bytesMax: bytes,
      });
    });

    it("find room again once an incident is removed, and count on the organization that claimed their agent", async () => {
      const organizationId = await organization(db());
      const { id: agentId, token } = await agent(db());
      const first = await openWithin(agentId, textIncident(noise(5_000)), {});
      const bytes = await db().scope(agentId).incidents.inputBytes();
      const full = { unclaimedAgentBytesMax: bytes };
      expect((await openWithin(agentId, textIncident("x"), full)).outcome).toBe("no-room");
      if (first.outcome === "opened") await db().scope(agentId).incidents.remove(first.incident.id, actor, now);
      expect((await openWithin(agentId, textIncident("x"), full)).outcome).toBe("opened");
      await db().agents.claim(token, { organizationId, userId: "usr_1", name: "Ada" }, now);
      expect(await db().scope(agentId).incidents.inputBytes()).toBe(0);
      expect(await db().scope(organizationId).incidents.inputBytes()).toBeGreaterThan(0);
    });

    it("of several that come at once, no more are stored than there is room for", async () => {
      for (const scopeId of [await organization(db()), (await agent(db())).id]) {
        const text = noise(10_000);
        await openWithin(scopeId, textIncident(text), {});
        const bytes = await db().scope(scopeId).incidents.inputBytes();
        const room = { organizationBytesMax: 3 * bytes, unclaimedAgentBytesMax: 3 * bytes };
        await Promise.all(Array.from({ length: 8 }, () => openWithin(scopeId, textIncident(text), room)));
        expect(await db().scope(scopeId).incidents.inputBytes()).toBe(3 * bytes);
      }
    });

    it("expire as the organization keeps things, and leave the incident and its report", async () => {
      const [short, usual] = [await organization(db()), await organization(db())];
      await db().organizations.configure(short, { ...settings, retentionDays: 7 });
      const opened = async (scopeId: string, ends: boolean): Promise<string> => {
        const { incidents } = db().scope(scopeId);
        const { id } = await incidents.open(textIncident("Error: boom", { trigger: asked }));
        if (ends) await incidents.complete(id, (await incidents.begin(id, now)) ?? 0, report, now);
        return id;
      };
      const [expired, waiting, kept] = [
        await opened(short, true),
        await opened(short, false),
        await opened(usual, true),
      ];
      const expire = (ms: number) => db().expireInputs({ now: after(ms), retentionDays: 30, max: 1_000 });
      await expire(7 * dayMs);
      expect(await db().scope(short).incidents.input(expired)).not.toBeNull();
      expect(await expire(7 * dayMs + 1)).toBe(1);
      expect(await db().scope(short).incidents.input(expired)).toBeNull();
      expect(await db().scope(short).incidents.find(expired)).toMatchObject({ status: "completed", report });
      expect(await db().scope(short).incidents.requeue(expired)).toBe("input-removed");
      expect(await db().scope(short).incidents.input(waiting)).not.toBeNull();
      expect(await db().scope(usual).incidents.input(kept)).not.toBeNull();
      await expire(30 * dayMs + 1);
      expect(await db().scope(usual).incidents.input(kept)).toBeNull();
      expect(await db().scope(usual).incidents.inputBytes()).toBe(0);
    });
  });
}

const asked = { kind: "analyze", agent_id: null, files: 1 } as const;
