import { type Actor, hourMs, type OwnerChange } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import type { ControlDb, IncidentTerm } from "../../../src/index.ts";
import {
  after,
  agent,
  history,
  member,
  newIncident,
  now,
  occurrence,
  openOrJoin,
  organization,
  report,
} from "./samples.ts";

/** The term of a search for an owner. */
const ownedBy = (owner: string | null): IncidentTerm[] => [{ isNegated: false, field: "owner", oneOf: [owner] }];

/** What every database does about who takes care of incidents. */
export function describeOwners(name: string, db: () => ControlDb): void {
  describe(`${name}: the owner of an incident`, () => {
    /** An organization with two members and an incident. */
    const withIncident = async () => {
      const scopeId = await organization(db());
      const scope = db().scope(scopeId);
      const [ada, grace] = [await member(db(), scopeId), await member(db(), scopeId)];
      const { id } = await scope.incidents.open(newIncident());
      const actor = (userId: string): Actor => ({ kind: "member", id: userId, name: "Ada" });
      const change = (asked: OwnerChange, ms: number, by: Actor = actor(ada.userId)) =>
        scope.ownership.change(id, asked, by, after(ms));
      const read = async () => {
        const found = await scope.incidents.find(id);
        if (!found) throw new Error("the incident is gone");
        return found;
      };
      return { scopeId, scope, id, ada, grace, actor, change, read };
    };
    const leave = (userId: string) =>
      db()
        .identity.db.withTables<{ member: { userId: string } }>()
        .deleteFrom("member")
        .where("userId", "=", userId)
        .execute();

    it("is who took it, with that in the activity and in the audit log", async () => {
      const { scope, id, ada, change, read } = await withIncident();
      expect(await read()).toMatchObject({ owner: null, acknowledged: null });
      expect(await change({ action: "take" }, 10)).toMatchObject({ outcome: "changed", owner: { id: ada.userId } });
      expect(await change({ action: "take" }, 20)).toEqual({ outcome: "unchanged" });
      const { owner, acknowledged, activity } = await read();
      expect(owner).toEqual({ id: ada.userId, name: "Ada", since: after(10).toISOString() });
      expect(acknowledged).toMatchObject({ at: after(10).toISOString(), by: { id: ada.userId } });
      expect(activity).toMatchObject([{ kind: "taken", by: { id: ada.userId } }]);
      expect(await scope.audit.list({ limit: 10 })).toMatchObject([{ action: "incident.taken", target: id }]);
    });

    it("has not seen what was handed over until they acknowledge it", async () => {
      const { ada, grace, actor, change, read } = await withIncident();
      await change({ action: "take" }, 10);
      await change({ action: "hand-over", to: `${grace.userId}@EXAMPLE.com` }, 20);
      expect(await change({ action: "hand-over", to: grace.userId }, 25)).toEqual({ outcome: "unchanged" });
      expect(await read()).toMatchObject({ owner: { id: grace.userId }, acknowledged: null });
      await change({ action: "acknowledge" }, 30, actor(grace.userId));
      expect(await change({ action: "acknowledge" }, 40)).toEqual({ outcome: "unchanged" });
      const { acknowledged, activity } = await read();
      expect(acknowledged).toMatchObject({ at: after(30).toISOString(), by: { id: grace.userId } });
      expect(activity?.map(({ kind, by, to }) => [kind, by?.id, to?.id])).toEqual([
        ["acknowledged", grace.userId, undefined],
        ["handed-over", ada.userId, grace.userId],
        ["taken", ada.userId, undefined],
      ]);
    });

    it("lets go, and can't let go twice", async () => {
      const { change, read } = await withIncident();
      expect(await change({ action: "let-go" }, 5)).toEqual({ outcome: "unchanged" });
      await change({ action: "take" }, 10);
      expect(await change({ action: "let-go" }, 20)).toEqual({ outcome: "changed", owner: null });
      expect(await read()).toMatchObject({ owner: null, acknowledged: null, activity: [{ kind: "let-go" }, {}] });
    });

    it("is a member of the organization", async () => {
      const { id, change, read } = await withIncident();
      const stranger = await member(db(), await organization(db()));
      const key: Actor = { kind: "key", id: "key_1", name: "ci" };
      expect(await change({ action: "hand-over", to: stranger.userId }, 10)).toEqual({ outcome: "no-member" });
      expect(await change({ action: "take" }, 10, key)).toEqual({ outcome: "no-member" });
      const theirs = db().scope(stranger.organizationId).ownership;
      const by: Actor = { kind: "member", id: stranger.userId, name: "Eve" };
      expect(await theirs.change(id, { action: "take" }, by, now)).toEqual({ outcome: "unknown" });
      expect(await theirs.comment(id, "mine", by, now)).toEqual({ outcome: "unknown" });
      expect(await read()).toMatchObject({ owner: null });
      expect((await read()).activity).toBeUndefined();
    });

    it("is the responsible member where their agent takes it", async () => {
      const { scope, scopeId, ada, change, read } = await withIncident();
      const { id, token } = await agent(db());
      const claude: Actor = { kind: "agent", id, name: "Claude Code" };
      await db().agents.claim(token, ada, now);
      await change({ action: "take" }, 10, claude);
      expect(await read()).toMatchObject({ owner: { id: ada.userId }, acknowledged: { by: claude } });
      const other = await agent(db());
      const unclaimed: Actor = { kind: "agent", id: other.id, name: "Claude Code" };
      expect(await change({ action: "take" }, 20, unclaimed)).toEqual({ outcome: "no-member" });
      expect((await scope.audit.list({ limit: 1 }))[0]?.actor).toEqual({ id, name: "Claude Code" });
      expect(scopeId).not.toBe(other.id);
    });

    it("is no one once they have left the organization, also when they come back", async () => {
      const { scopeId, scope, ada, change, read } = await withIncident();
      await change({ action: "take" }, 10);
      await leave(ada.userId);
      expect((await read()).owner).toBeNull();
      await db().organizations.addMember({ organizationId: scopeId, userId: ada.userId, role: "member", now });
      expect((await read()).owner).toBeNull();
      expect(await scope.incidents.list({ limit: 10, terms: ownedBy(null) })).toHaveLength(1);
    });

    it("filters the list, by id and by email address, within the organization", async () => {
      const { scope, id, ada, grace, change } = await withIncident();
      await scope.incidents.open(newIncident());
      await change({ action: "take" }, 10);
      const listed = async (owner: string | null) =>
        (await scope.incidents.list({ limit: 10, terms: ownedBy(owner) })).map((incident) => incident.id);
      expect(await listed(ada.userId)).toEqual([id]);
      expect(await listed(`${ada.userId}@Example.com`)).toEqual([id]);
      expect(await listed(grace.userId)).toEqual([]);
      expect(await listed(null)).not.toContain(id);
      expect((await scope.incidents.list({ limit: 10, terms: ownedBy(ada.userId) }))[0]?.owner?.id).toBe(ada.userId);
      const elsewhere = db().scope(await organization(db()));
      expect(await elsewhere.incidents.list({ limit: 10, terms: ownedBy(ada.userId) })).toEqual([]);
    });

    it("stays when the failure comes back, which no one has seen yet", async () => {
      const { scope, ada, actor } = await withIncident();
      const occur = (ms: number) => {
        const one = { release: "1.0.0", at: after(ms).toISOString(), now: after(ms) };
        return scope.failures.decide(occurrence("v1:owned", one), (known) => ({ ...openOrJoin(known), history }));
      };
      await occur(0);
      const [{ id } = { id: "" }] = await scope.incidents.list({ limit: 1 });
      const by = actor(ada.userId);
      await scope.ownership.change(id, { action: "take" }, by, after(1));
      await scope.lifecycle.change(id, { action: "resolve", in: "now" }, by, after(2));
      await occur(hourMs);
      expect(await scope.incidents.find(id)).toMatchObject({
        ...{ lifecycle: { state: "open", returns: 1 }, owner: { id: ada.userId }, acknowledged: null },
      });
    });

    it("is mentioned in comments, whose author's name goes with their account", async () => {
      const { scope, id, ada, grace, actor, read } = await withIncident();
      const text = `Rolled back. @${grace.userId}@example.com, can you check?\n<b>\u0000`;
      const added = await scope.ownership.comment(id, text, actor(ada.userId), after(10));
      expect(added).toMatchObject({ outcome: "added", mentioned: [{ id: grace.userId }] });
      const comment = { text, mentions: [{ id: grace.userId, name: "Ada" }] };
      expect((await read()).activity).toMatchObject([{ kind: "commented", by: { id: ada.userId }, comment }]);
      expect(await scope.audit.list({ limit: 1 })).toMatchObject([{ action: "incident.commented", target: id }]);
      await scope.ownership.change(id, { action: "hand-over", to: grace.userId }, actor(ada.userId), after(20));
      await scope.ownership.change(id, { action: "acknowledge" }, actor(grace.userId), after(30));
      expect(await db().accounts.remove(grace.userId)).toEqual({ outcome: "removed" });
      const { owner, acknowledged, activity } = await read();
      const removed = "a removed account";
      expect([owner, acknowledged?.by.name]).toEqual([null, removed]);
      expect(activity?.map(({ by }) => by?.name)).toEqual([removed, "Ada", "Ada"]);
      expect([activity?.[1]?.to?.name, activity?.[2]?.comment?.mentions]).toEqual([
        removed,
        [{ id: grace.userId, name: removed }],
      ]);
    });

    it("is the member to whom the custom instructions say that the service belongs, unless a rule matches", async () => {
      const { scope, ada, grace } = await withIncident();
      const by = { id: ada.userId, name: "Ada" };
      const text = `cart belongs to team checkout\ncart belongs to ${grace.userId}@example.com`;
      await scope.instructions.write({ text, version: 0, by, now });
      const owner = async (service: string) => {
        const { id } = await scope.incidents.open({ ...newIncident(), service });
        const attempt = (await scope.incidents.begin(id, after(10))) ?? 0;
        await scope.incidents.complete(id, attempt, report, after(20));
        return (await scope.incidents.find(id))?.owner?.id;
      };
      expect(await owner("cart")).toBe(grace.userId);
      expect(await owner("orders")).toBeUndefined();
      await scope.ownershipRules.replace([{ match: "service", pattern: "cart", owner: ada.userId }]);
      expect(await owner("cart")).toBe(ada.userId);
    });

    it("is whom the first matching rule names, once the first investigation has ended", async () => {
      const { scope, id, ada, grace, change, read } = await withIncident();
      const rule = (match: "service" | "path", pattern: string, owner: string) => ({ match, pattern, owner });
      const rules = [rule("path", "src/**", ada.userId), rule("service", "cart", `${grace.userId}@example.com`)];
      expect(await scope.ownershipRules.replace([rule("path", "**", "usr_none")])).toEqual({ unknown: "usr_none" });
      expect(await scope.ownershipRules.replace(rules)).toEqual({ unknown: null });
      const owners = async () => (await scope.ownershipRules.read()).rules.map(({ owner }) => owner.id);
      expect(await owners()).toEqual([ada.userId, grace.userId]);
      const located = (file: string) => {
        const cause = { ...report.root_cause, location: { file, line: 1, function: null } };
        return { ...report, root_cause: cause };
      };
      const investigate = async (incidentId: string, file: string) => {
        const attempt = (await scope.incidents.begin(incidentId, after(10))) ?? 0;
        await scope.incidents.complete(incidentId, attempt, located(file), after(10));
      };
      await investigate(id, "/app/src/total.ts");
      expect(await read()).toMatchObject({
        ...{ owner: { id: ada.userId, since: after(10).toISOString() }, acknowledged: null },
        activity: [{ kind: "assigned", by: null, to: { id: ada.userId } }],
      });
      await change({ action: "let-go" }, 20);
      await scope.incidents.requeue(id);
      await investigate(id, "src/total.ts");
      expect((await read()).owner).toBeNull();
      const failed = await scope.incidents.open({ ...newIncident(), service: "cart" });
      const attempt = (await scope.incidents.begin(failed.id, after(10))) ?? 0;
      await scope.incidents.fail(failed.id, attempt, { code: "c", message: "m" }, after(30));
      expect((await scope.incidents.find(failed.id))?.owner?.id).toBe(grace.userId);
      await leave(ada.userId);
      expect(await owners()).toEqual([grace.userId]);
      expect(
        (
          await db()
            .scope(await organization(db()))
            .ownershipRules.read()
        ).rules,
      ).toEqual([]);
    });
  });
}
