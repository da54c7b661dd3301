import { hourMs, limits, type Severity } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import type { ControlDb, NotificationOccasion, Scope } from "../../../src/index.ts";
import { ada, makeRule as make, ruleWith } from "./notification-rules.ts";
import { after, newIncident, now, organization, report } from "./samples.ts";

const bounds = { max: 100, perScopeMax: 100, holdMs: 60_000 };
const webhookSecret = "whsec_never-stored-as-it-is";

/** Opens an incident and ends its investigation. */
async function explained({ incidents }: Scope): Promise<string> {
  const { id } = await incidents.open(newIncident());
  await incidents.complete(id, (await incidents.begin(id, now)) ?? 0, report, now);
  return id;
}

export function describeNotifications(name: string, db: () => ControlDb): void {
  const scopeWith = async () => {
    const scopeId = await organization(db());
    return { scopeId, scope: db().scope(scopeId) };
  };
  /** Other scopes of the same database have occasions and deliveries of their own. */
  const occasionsOf = async (scopeId: string, at: Date = now): Promise<readonly NotificationOccasion[]> =>
    (await db().notifications.occasions(at, 1_000)).filter((occasion) => occasion.scopeId === scopeId);
  const takeOf = async (scopeId: string, at: Date = now, changes: Partial<typeof bounds> = {}) =>
    (await db().notifications.take(at, { ...bounds, ...changes })).filter((taken) => taken.scopeId === scopeId);
  /** Tells everything there is to tell of the scope by the rule. */
  const planAll = async (scopeId: string, ruleId: string, at: Date = now, severity: Severity = "medium") => {
    for (const occasion of await occasionsOf(scopeId)) {
      await db().notifications.plan(occasion, [{ ruleId, type: occasion.kind, severity, without: [] }], at);
    }
  };

  describe(`${name}: an incident that turns out to be more severe`, () => {
    it("goes to the rules that wait for that severity, and to no rule twice", async () => {
      const { scopeId, scope } = await scopeWith();
      const [told, waiting] = [await make(scope.notifications), await make(scope.notifications)];
      const { id } = await scope.incidents.open({ ...newIncident(), severity: "medium" });
      const attempt = (await scope.incidents.begin(id, now)) ?? 0;
      await scope.incidents.complete(id, attempt, report, now);
      await planAll(scopeId, told.id);
      await takeOf(scopeId);
      await scope.incidents.raiseSeverity(id, attempt, "high", now);
      await planAll(scopeId, told.id);
      expect(await takeOf(scopeId)).toEqual([]);
      await scope.incidents.raiseSeverity(id, attempt, "critical", now);
      await planAll(scopeId, waiting.id);
      expect((await takeOf(scopeId)).map(({ ruleId, type }) => [ruleId, type]).toSorted()).toEqual([
        [waiting.id, "completed"],
        [waiting.id, "opened"],
      ]);
    });
  });

  describe(`${name}: notification rules`, () => {
    it("are made, read, replaced and removed, with who did so", async () => {
      const { notifications } = (await scopeWith()).scope;
      const rule = await make(notifications);
      expect(rule).toEqual({
        ...ruleWith(),
        id: rule.id,
        changed_at: now.toISOString(),
        changed_by: ada,
        last_delivery: null,
        held_back: 0,
      });
      const change = ruleWith({ enabled: false, name: "Nights" });
      const replaced = await notifications.replace(rule.id, { change, secrets: {}, by: ada, now: after(1) });
      expect(replaced).toEqual({ ...rule, ...change, changed_at: after(1).toISOString() });
      expect(await notifications.list()).toEqual([replaced]);
      expect(await notifications.remove(rule.id)).toBe(true);
      expect(await notifications.remove(rule.id)).toBe(false);
      expect(await notifications.find(rule.id)).toBeNull();
    });

    it("keep the secret of their webhook encrypted, until another one comes or the rule goes", async () => {
      const { scopeId, scope } = await scopeWith();
      const change = ruleWith({ webhook_url: "https://example.com/hook" });
      const made = await scope.notifications.create({ change, secrets: { webhook: webhookSecret }, by: ada, now });
      const id = made?.id ?? "";
      expect(await scope.notifications.secret(id, "webhook")).toBe(webhookSecret);
      await scope.notifications.replace(id, { change, secrets: {}, by: ada, now });
      expect(await scope.notifications.secret(id, "webhook")).toBe(webhookSecret);
      const rows = [];
      for await (const row of db().exportRows()) rows.push(JSON.stringify(row));
      expect(rows.some((row) => row.includes(scopeId) && row.includes(`notification.${id}`))).toBe(true);
      expect(rows.filter((row) => row.includes(webhookSecret))).toEqual([]);
      await scope.notifications.replace(id, { change, secrets: { webhook: "another" }, by: ada, now });
      expect(await scope.notifications.secret(id, "webhook")).toBe("another");
      await scope.notifications.remove(id);
      expect(await scope.notifications.secret(id, "webhook")).toBeNull();
    });

    it("keep the credential of a channel encrypted and out of what is read, until the channel goes", async () => {
      const { notifications } = (await scopeWith()).scope;
      const secrets = { slack: "https://hooks.slack.com/services/never-read" };
      const change = { ...ruleWith({ slack: true }), slack_target: secrets.slack };
      const id = (await notifications.create({ change, secrets, by: ada, now }))?.id ?? "";
      expect(await notifications.secret(id, "slack")).toBe(secrets.slack);
      expect(JSON.stringify(await notifications.list())).not.toContain("never-read");
      const rows = [];
      for await (const row of db().exportRows()) rows.push(JSON.stringify(row));
      expect(rows.filter((row) => row.includes("never-read"))).toEqual([]);
      await notifications.replace(id, { change: ruleWith({ teams: true }), secrets: {}, by: ada, now });
      expect(await notifications.secret(id, "slack")).toBeNull();
    });

    it("are as many as an organization may have, and no more", async () => {
      const { notifications } = (await scopeWith()).scope;
      for (let count = 0; count < limits.notificationRulesMax; count += 1) await make(notifications);
      expect(
        await notifications.create({ change: ruleWith(), secrets: { webhook: webhookSecret }, by: ada, now }),
      ).toBeNull();
      expect(await notifications.list()).toHaveLength(limits.notificationRulesMax);
    });

    it("belong to their scope only", async () => {
      const { notifications } = (await scopeWith()).scope;
      const { id } = await make(notifications);
      const other = (await scopeWith()).scope.notifications;
      expect(await other.list()).toEqual([]);
      expect(await other.find(id)).toBeNull();
      expect(
        await other.replace(id, { change: ruleWith(), secrets: { webhook: webhookSecret }, by: ada, now }),
      ).toBeNull();
      expect(await other.test(id, now)).toBe(false);
      expect(await other.deliveries(id, 10)).toEqual([]);
      expect(await other.remove(id)).toBe(false);
      expect(await notifications.secret(id, "webhook")).toBeNull();
    });
  });

  describe(`${name}: what there is to tell`, () => {
    it("is noted when an incident opens, is explained or fails, where a rule is on", async () => {
      const { scopeId, scope } = await scopeWith();
      await explained(scope);
      expect(await occasionsOf(scopeId)).toEqual([]);
      await make(scope.notifications, { enabled: false });
      await explained(scope);
      expect(await occasionsOf(scopeId)).toEqual([]);
      await make(scope.notifications);
      const id = await explained(scope);
      const failed = (await scope.incidents.open(newIncident())).id;
      const attempt = (await scope.incidents.begin(failed, now)) ?? 0;
      await scope.incidents.fail(failed, attempt, { code: "X", message: "x" }, now);
      expect((await occasionsOf(scopeId)).map(({ incidentId, kind }) => [incidentId, kind])).toEqual([
        [id, "completed"],
        [id, "opened"],
        [failed, "failed"],
        [failed, "opened"],
      ]);
    });

    it("isn't noted without an incident, so a report that comes too late isn't announced", async () => {
      const { scopeId, scope } = await scopeWith();
      await make(scope.notifications);
      const { id } = await scope.incidents.open(newIncident());
      const stale = (await scope.incidents.begin(id, now)) ?? 0;
      await scope.incidents.begin(id, now);
      await scope.incidents.complete(id, stale, report, now);
      await scope.incidents.fail(id, stale, { code: "X", message: "x" }, now);
      expect((await occasionsOf(scopeId)).map(({ kind }) => kind)).toEqual(["opened"]);
    });

    it("reaches each recipient once, also when two processes plan it at once and it recurs", async () => {
      const { scopeId, scope } = await scopeWith();
      const emails = ["a@example.com", "b@example.com", "A@example.com"];
      const { id } = await make(scope.notifications, { emails, webhook_url: "https://example.com/hook" });
      const incidentId = await explained(scope);
      const completed = (await occasionsOf(scopeId)).filter(({ kind }) => kind === "completed");
      const [occasion] = completed;
      if (!occasion) throw new Error("there is nothing to tell");
      const plan = () =>
        db().notifications.plan(occasion, [{ ruleId: id, type: "completed", severity: "low", without: [] }], now);
      await Promise.all([plan(), plan()]);
      await plan();
      const taken = await takeOf(scopeId);
      expect(taken.map(({ channel, recipient }) => `${channel} ${recipient}`).toSorted()).toEqual([
        ...["email A@example.com", "email b@example.com", "webhook "],
      ]);
      expect(taken[0]).toMatchObject({ type: "completed", incidentId, ruleId: id, attempt: 1, heldBackUntil: null });
      expect((await occasionsOf(scopeId)).map(({ kind }) => kind)).toEqual(["opened"]);
    });

    it("isn't sent by rules of another scope", async () => {
      const { scopeId, scope } = await scopeWith();
      await make(scope.notifications);
      await explained(scope);
      const other = await scopeWith();
      const foreign = await make(other.scope.notifications);
      await planAll(scopeId, foreign.id);
      expect([...(await takeOf(scopeId)), ...(await takeOf(other.scopeId))]).toEqual([]);
    });
  });

  describe(`${name}: deliveries`, () => {
    const withOne = async () => {
      const { scopeId, scope } = await scopeWith();
      const rule = await make(scope.notifications);
      const incidentId = (await scope.incidents.open(newIncident())).id;
      await planAll(scopeId, rule.id);
      return { scopeId, scope, rule, incidentId };
    };

    it("are taken once each until their hold ends, and settled by the latest attempt alone", async () => {
      const { scopeId } = await withOne();
      const both = await Promise.all([takeOf(scopeId), takeOf(scopeId)]);
      const [first] = both.flat();
      expect(both.flat()).toHaveLength(1);
      expect(await takeOf(scopeId, after(bounds.holdMs - 1))).toEqual([]);
      const [second] = await takeOf(scopeId, after(bounds.holdMs));
      expect(second).toEqual({ ...first, attempt: 2 });
      if (!first || !second) throw new Error("nothing was taken");
      expect(await db().notifications.settle(first, { state: "sent", reason: null }, now)).toBe(false);
      expect(await db().notifications.settle(second, { state: "sent", reason: null }, now)).toBe(true);
      expect(await takeOf(scopeId, after(10 * hourMs))).toEqual([]);
    });

    it("that are tried again wait until then, with the reason", async () => {
      const { scopeId, scope, rule, incidentId } = await withOne();
      const [taken] = await takeOf(scopeId);
      if (!taken) throw new Error("nothing was taken");
      const waits = { state: "waiting", reason: "no answer", nextAttemptAt: after(500) } as const;
      await db().notifications.settle(taken, waits, now);
      const [shown] = await scope.notifications.deliveries(rule.id, 10);
      expect(shown).toEqual({
        id: taken.id,
        type: "opened",
        incident: { id: incidentId, title: "boom" },
        channel: "email",
        recipient: "oncall@example.com",
        state: "waiting",
        attempts: 1,
        created_at: now.toISOString(),
        settled_at: null,
        next_attempt_at: after(500).toISOString(),
        reason: "no answer",
      });
      expect((await scope.notifications.find(rule.id))?.last_delivery).toEqual(shown);
      expect(await takeOf(scopeId, after(499))).toEqual([]);
      const [again] = await takeOf(scopeId, after(500));
      if (!again) throw new Error("nothing was taken");
      await db().notifications.settle(again, { state: "given_up", reason: "gone" }, after(501));
      expect((await scope.notifications.deliveries(rule.id, 10))[0]).toMatchObject({
        state: "given_up",
        attempts: 2,
        settled_at: after(501).toISOString(),
        next_attempt_at: null,
        reason: "gone",
      });
    });

    it("are represented by the one of the latest message that is worst off", async () => {
      const { scopeId, scope } = await scopeWith();
      const emails = ["a@example.com", "b@example.com", "c@example.com"];
      const { id } = await make(scope.notifications, { emails });
      await scope.notifications.test(id, now);
      const taken = await takeOf(scopeId);
      const settle = async (index: number, state: "sent" | "given_up") => {
        const one = taken[index];
        if (one) await db().notifications.settle(one, { state, reason: "so" }, now);
      };
      const shown = async () => (await scope.notifications.find(id))?.last_delivery;
      await settle(0, "sent");
      await settle(1, "sent");
      expect(await shown()).toMatchObject({ recipient: taken[2]?.recipient, state: "waiting" });
      await settle(2, "given_up");
      expect(await shown()).toMatchObject({ recipient: taken[2]?.recipient, state: "given_up" });
      await scope.notifications.test(id, now);
      expect(await shown()).toMatchObject({ state: "waiting", attempts: 0 });
    });

    it("of one scope leave room for the others'", async () => {
      const crowded = await scopeWith();
      const rule = await make(crowded.scope.notifications, { per_hour: 500 });
      for (let count = 0; count < 5; count += 1) await crowded.scope.incidents.open(newIncident());
      await planAll(crowded.scopeId, rule.id);
      const { scopeId } = await withOne();
      const taken = await db().notifications.take(now, { ...bounds, perScopeMax: 2 });
      expect(taken.filter((one) => one.scopeId === crowded.scopeId)).toHaveLength(2);
      expect(taken.filter((one) => one.scopeId === scopeId)).toHaveLength(1);
      expect(await takeOf(crowded.scopeId, now, { perScopeMax: 2 })).toEqual([]);
      expect(await takeOf(crowded.scopeId, now, { perScopeMax: 4 })).toHaveLength(2);
    });

    it("go with their rule, and are forgotten some time after they were settled", async () => {
      const { scopeId, scope, rule } = await withOne();
      const [taken] = await takeOf(scopeId);
      if (!taken) throw new Error("nothing was taken");
      await db().notifications.forget(after(hourMs), 100);
      expect(await scope.notifications.deliveries(rule.id, 10)).toHaveLength(1);
      await db().notifications.settle(taken, { state: "sent", reason: null }, now);
      await db().notifications.forget(after(bounds.holdMs), 1_000);
      expect(await scope.notifications.deliveries(rule.id, 10)).toHaveLength(1);
      expect(await db().notifications.forget(after(bounds.holdMs + 1), 1_000)).toBeGreaterThan(0);
      expect(await scope.notifications.deliveries(rule.id, 10)).toEqual([]);
      await scope.notifications.test(rule.id, now);
      await scope.notifications.remove(rule.id);
      expect(await takeOf(scopeId, after(hourMs))).toEqual([]);
    });

    it("of a test go to each recipient, also while the rule is off", async () => {
      const { scopeId, scope } = await scopeWith();
      const { id } = await make(scope.notifications, { enabled: false, webhook_url: "https://example.com" });
      expect(await scope.notifications.test(id, now)).toBe(true);
      expect(await scope.notifications.test(id, now)).toBe(true);
      expect(await takeOf(scopeId)).toHaveLength(4);
      expect((await scope.notifications.deliveries(id, 3)).map(({ type }) => type)).toEqual(["test", "test", "test"]);
    });
  });

  describe(`${name}: a rule's messages of an hour`, () => {
    it("are as many as it says; the rest comes in one when the hour is over", async () => {
      const { scopeId, scope } = await scopeWith();
      const rule = await make(scope.notifications, { per_hour: 2, emails: ["a@example.com", "b@example.com"] });
      for (let count = 0; count < 5; count += 1) {
        await scope.incidents.open(newIncident({ title: `boom ${count}`, severity: "low" }));
      }
      await planAll(scopeId, rule.id);
      const until = after(hourMs).toISOString();
      const told = await takeOf(scopeId);
      expect(told.map(({ heldBackUntil }) => heldBackUntil)).toEqual([null, null, until, until]);
      expect((await scope.notifications.find(rule.id))?.held_back).toBe(3);
      await db().notifications.summarise(after(hourMs - 1), 10);
      expect(await takeOf(scopeId, after(1))).toEqual([]);
      await Promise.all([
        db().notifications.summarise(after(hourMs), 10),
        db().notifications.summarise(after(hourMs), 10),
      ]);
      const summaries = (await takeOf(scopeId, after(hourMs))).filter(({ type }) => type === "summary");
      expect(summaries.map(({ recipient }) => recipient)).toEqual(["a@example.com", "b@example.com"]);
      const [summary] = summaries;
      if (!summary) throw new Error("there is no summary");
      const held = await scope.notifications.heldBack(summary, 2);
      expect(held.count).toBe(3);
      expect(held.first.map(({ title, severity }) => [title, severity])).toEqual([
        ["boom 2", "low"],
        ["boom 3", "low"],
      ]);
      expect((await scope.notifications.find(rule.id))?.held_back).toBe(0);
      expect((await (await scopeWith()).scope.notifications.heldBack(summary, 2)).count).toBe(0);
    });

    it("start again with the first message after it, including a summary", async () => {
      const { scopeId, scope } = await scopeWith();
      const rule = await make(scope.notifications, { per_hour: 1 });
      const openAt = async (at: Date) => {
        await scope.incidents.open(newIncident());
        await planAll(scopeId, rule.id, at);
      };
      await openAt(now);
      await openAt(after(hourMs));
      expect((await scope.notifications.find(rule.id))?.held_back).toBe(0);
      await openAt(after(hourMs + 1));
      await db().notifications.summarise(after(2 * hourMs), 10);
      await openAt(after(2 * hourMs + 1));
      const types = (await scope.notifications.deliveries(rule.id, 10)).map(({ type }) => type);
      expect(types).toEqual(["summary", "opened", "opened"]);
      expect((await scope.notifications.find(rule.id))?.held_back).toBe(1);
    });
  });
}
