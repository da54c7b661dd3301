import { randomUUID } from "node:crypto";
import { limits } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import type { ControlDb, ResponsibleMember } from "../../../src/index.ts";
import {
  after,
  agent,
  drainOutbox,
  history,
  member,
  newIncident,
  now,
  occurrence,
  organization,
  skipped,
} from "./samples.ts";

const lifetimeMs = limits.unclaimedAgentLifetimeMs;

/** What every control database does about agents. */
export function describeAgents(name: string, db: () => ControlDb): void {
  describe(`${name}: agents`, () => {
    // requirement: agent.registered-unclaimed
    // requirement: agent.status-time-left
    it("registers an agent that is alone in its scope", async () => {
      const { id, key } = await agent(db());
      expect(id).toMatch(/^agt_[0-9a-f]{32}$/);
      expect(await db().keys.find(key, now)).toMatchObject({
        outcome: "valid",
        principal: { kind: "agent", agentId: id, organizationId: null, scopeId: id },
        expiresAt: after(lifetimeMs).toISOString(),
      });
      expect(await db().agents.status(id, after(1))).toEqual({
        agent_id: id,
        source: "a coding agent",
        status: "unclaimed",
        organization_id: null,
        created_at: now.toISOString(),
        expires_at: after(lifetimeMs).toISOString(),
        expires_in_seconds: 259_199,
      });
      expect(await db().agents.status("agt_unknown", now)).toBeNull();
    });

    // requirement: agent.expires-after-3-days
    // requirement: agent.state-expire
    // requirement: limits.unclaimed-3-days
    it("keeps an unclaimed agent's key valid until 1 ms before it expires, and not at the moment itself", async () => {
      const { id, key } = await agent(db());
      expect((await db().keys.find(key, after(lifetimeMs - 1))).outcome).toBe("valid");
      expect((await db().keys.find(key, after(lifetimeMs))).outcome).toBe("expired");
      expect(await db().agents.status(id, after(2 * lifetimeMs))).toMatchObject({ expires_in_seconds: 0 });
    });

    // requirement: agent.claimed-has-organization
    // requirement: agent.claimed-never-expires
    // requirement: agent.state-claim
    it("gives a claimed agent to the organization for good", async () => {
      const { id, key, token } = await agent(db());
      const organizationId = await organization(db());
      const claimed = { outcome: "claimed", agentId: id, organizationId, claimedAt: after(1).toISOString() };
      expect(await db().agents.claim(token, await member(db(), organizationId), after(1))).toEqual(claimed);
      expect(await db().agents.claim(token, await member(db(), organizationId), after(10 * lifetimeMs))).toEqual(
        claimed,
      );
      expect(await db().agents.claim(token, await member(db(), await organization(db())), after(2))).toEqual({
        outcome: "claimed-by-another",
      });
      expect(await db().keys.find(key, after(10 * lifetimeMs))).toMatchObject({
        outcome: "valid",
        principal: { kind: "agent", agentId: id, organizationId, scopeId: organizationId },
        expiresAt: null,
      });
      expect(await db().agents.status(id, after(10 * lifetimeMs))).toMatchObject({
        status: "claimed",
        organization_id: organizationId,
        expires_at: null,
        expires_in_seconds: null,
      });
    });

    it("shows who asks with a token: its source, since when and from where", async () => {
      const { id, token } = await agent(db());
      const request = {
        agent_id: id,
        source: "a coding agent",
        registered_from: "203.0.113.9",
        created_at: now.toISOString(),
        expires_at: after(lifetimeMs).toISOString(),
      };
      expect(await db().agents.asking(token)).toEqual({ ...request, organizationId: null });
      const organizationId = await organization(db());
      await db().agents.claim(token, await member(db(), organizationId), now);
      expect(await db().agents.asking(token)).toEqual({ ...request, organizationId });
      expect(await db().agents.asking(randomUUID())).toBeNull();
    });

    it("refuses an agent's key once the member who claimed it has left, until another is responsible", async () => {
      const { id, key, token } = await agent(db());
      const organizationId = await organization(db());
      const [claimer, owner] = [await member(db(), organizationId), await member(db(), organizationId)];
      await db().agents.claim(token, claimer, now);
      expect(await db().agents.list(organizationId)).toMatchObject([
        { responsible: { id: claimer.userId, name: "Ada" }, confirmed_at: null, needs_confirmation: false },
      ]);
      await leave(claimer);
      expect(await db().keys.find(key, now)).toEqual({ outcome: "unconfirmed" });
      expect(await db().agents.list(organizationId)).toMatchObject([{ agent_id: id, needs_confirmation: true }]);
      expect(await db().agents.claim(token, owner, after(1))).toMatchObject({ outcome: "claimed" });
      expect(await db().keys.find(key, now)).toEqual({ outcome: "unconfirmed" });
      expect(await db().agents.confirm(id, await member(db(), await organization(db())), after(2))).toBe(false);
      expect(await db().agents.confirm(id, owner, after(2))).toBe(true);
      expect(await db().keys.find(key, now)).toMatchObject({ outcome: "valid" });
      expect(await db().agents.list(organizationId)).toMatchObject([
        { responsible: { id: owner.userId }, confirmed_at: after(2).toISOString(), needs_confirmation: false },
      ]);
      await leave(owner);
      expect(await db().keys.find(key, now)).toEqual({ outcome: "unconfirmed" });
      await db().agents.revoke(organizationId, id, after(3));
      expect(await db().agents.confirm(id, await member(db(), organizationId), after(4))).toBe(false);
    });

    async function leave({ organizationId, userId }: ResponsibleMember): Promise<void> {
      await db()
        .identity.db.withTables<{ member: { userId: string; organizationId: string } }>()
        .deleteFrom("member")
        .where("userId", "=", userId)
        .where("organizationId", "=", organizationId)
        .execute();
    }

    it("refuses a claim from the moment of expiry on, takes it 1 ms before, and knows no other tokens", async () => {
      const organizationId = await organization(db());
      const [late, early] = [await agent(db()), await agent(db())];
      expect(await db().agents.claim(late.token, await member(db(), organizationId), after(lifetimeMs))).toEqual({
        outcome: "expired",
      });
      expect(
        await db().agents.claim(early.token, await member(db(), organizationId), after(lifetimeMs - 1)),
      ).toMatchObject({
        outcome: "claimed",
      });
      expect(await db().agents.claim(randomUUID(), await member(db(), organizationId), now)).toEqual({
        outcome: "unknown",
      });
    });

    it("lets one of two organizations that claim at once have the agent", async () => {
      const { token } = await agent(db());
      const rivals = [await member(db(), await organization(db())), await member(db(), await organization(db()))];
      const outcomes = await Promise.all(rivals.map((rival) => db().agents.claim(token, rival, now)));
      expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(["claimed", "claimed-by-another"]);
    });

    it("moves what the agent has with it: keys, incidents and their steps, failures and their decisions", async () => {
      const { id, token } = await agent(db());
      const organizationId = await organization(db());
      const alone = db().scope(id);
      const incident = await alone.incidents.open(newIncident());
      expect(incident.organization_id).toBeNull();
      const ended = await alone.incidents.open(newIncident());
      await alone.incidents.begin(ended.id, now);
      await alone.incidents.addStep(ended.id, 1, { seq: 1, at: now.toISOString(), step: "parse", detail: "read" });
      await alone.incidents.fail(ended.id, 1, { code: "X", message: "y" }, now);
      await alone.failures.decide(occurrence("v1:moves"), () => ({ decision: skipped, history, title: "boom" }));
      await drainOutbox(db());

      await db().agents.claim(token, await member(db(), organizationId), after(1));

      const moved = db().scope(organizationId);
      expect(await moved.incidents.find(incident.id)).toMatchObject({
        organization_id: organizationId,
        status: "queued",
      });
      expect(await moved.incidents.steps(ended.id, 0)).toMatchObject([{ step: "parse" }]);
      expect(await moved.failures.find("v1:moves", "PROD")).toMatchObject({ title: "boom" });
      expect(await moved.failures.decisions("v1:moves", "PROD")).toMatchObject([skipped]);
      expect((await db().keys.list(organizationId)).map(({ name: source }) => source)).toEqual(["a coding agent"]);
      expect(await alone.incidents.list({ limit: 10 })).toEqual([]);
      expect(await alone.failures.list({ limit: 10 })).toEqual([]);
      // The message under way names the old scope; only what has not ended is asked for again, under another id.
      const bodies = (await db().outbox.pending(10)).map((message) => ({ ...message, body: JSON.parse(message.body) }));
      expect(bodies).toEqual([
        {
          id: `${incident.id}:${organizationId}`,
          topic: "investigations",
          body: { incident_id: incident.id, scope_id: organizationId },
        },
      ]);
      expect(await db().outbox.urgent(10, "investigations")).toMatchObject([{ scopeId: organizationId }]);
    });

    it("keeps the organization's record of a failure that the claimed agent knew too", async () => {
      const { id, token } = await agent(db());
      const organizationId = await organization(db());
      for (const scopeId of [id, organizationId]) {
        await db()
          .scope(scopeId)
          .failures.decide(occurrence("v1:both"), () => ({ decision: skipped, history, title: scopeId }));
      }
      expect(await db().agents.claim(token, await member(db(), organizationId), now)).toMatchObject({
        outcome: "claimed",
      });
      expect(await db().scope(organizationId).failures.list({ limit: 10 })).toMatchObject([{ title: organizationId }]);
    });
  });
}
