import { hourMs, type NotificationRuleChoice, type Severity, weekdays } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import type { ControlDb, NotificationOccasion, Scope } from "../../../src/index.ts";
import { makeRule, ruleWith } from "./notification-rules.ts";
import { after, newIncident, now, organization } from "./samples.ts";

const bounds = { max: 100, perScopeMax: 100, holdMs: 60_000 };

/** Quiet from midnight on. */
const quietDay = { time_zone: "UTC", from: "00:00", to: "23:59", except_critical: true };

interface PlanOptions {
  readonly version?: number;
  readonly at?: Date;
  readonly severity?: Severity;
}

export function describePlannedNotifications(name: string, db: () => ControlDb): void {
  describe(`${name}: an incident that a rule announces`, () => {
    /** Plans this for a new incident's rule, and returns the messages that it led to. */
    const withRule = async (changes: Partial<NotificationRuleChoice>) => {
      const scopeId = await organization(db());
      const scope = db().scope(scopeId);
      const { id: ruleId } = await makeRule(scope.notifications, changes);
      const incidentId = (await scope.incidents.open(newIncident())).id;
      const plan = async (kind: NotificationOccasion["kind"], more: PlanOptions = {}) => {
        const { version, at = now, severity = "medium" } = more;
        const id = version === undefined ? `${incidentId}:${kind}` : `${incidentId}:${kind}:${version}`;
        const matched = { ruleId, type: kind, severity, without: [] };
        await db().notifications.plan({ id, scopeId, incidentId, kind }, [matched], at);
      };
      const messages = async () =>
        (await scope.notifications.deliveries(ruleId, 50))
          .map(({ channel, type }) => `${channel} ${type}`)
          .toReversed();
      const heldBack = async () => (await scope.notifications.find(ruleId))?.held_back;
      return { scopeId, scope, ruleId, incidentId, plan, messages, heldBack };
    };
    /** Settles what there is to send in an organization: as given up in the named channel, and as sent in all others. */
    const send = async (scopeId: string, refusing = ""): Promise<void> => {
      for (const taken of await db().notifications.take(now, { ...bounds, max: 1_000, perScopeMax: 1_000 })) {
        if (taken.scopeId !== scopeId) continue;
        const isRefused = taken.channel === refusing;
        await db().notifications.settle(taken, { state: isRefused ? "given_up" : "sent", reason: "none" }, now);
      }
    };
    /** Ends the investigation of a new incident. */
    const end = async ({ incidents }: Scope, id: string): Promise<void> => {
      const attempt = (await incidents.begin(id, now)) ?? 0;
      await incidents.fail(id, attempt, { code: "X", message: "x" }, now);
      const noted = (await db().notifications.occasions(now, 1_000)).filter(({ incidentId }) => incidentId === id);
      for (const occasion of noted) await db().notifications.plan(occasion, [], now);
    };

    it("is resolved in the pagers that accepted a message, once, and opens no other alert there", async () => {
      const pagers = { pagerduty: "us", opsgenie: "eu", slack: true } as const;
      const { scopeId, scope, incidentId, plan, messages } = await withRule(pagers);
      await end(scope, incidentId);
      await plan("opened");
      await send(scopeId, "opsgenie");
      await plan("resolved");
      expect((await messages()).slice(4)).toEqual(["pagerduty resolved"]);
      await send(scopeId);
      await plan("resolved");
      await plan("completed");
      expect((await messages()).slice(5)).toEqual(["email completed", "slack completed", "opsgenie completed"]);
    });

    it("is resolved at once in quiet hours, and beyond the messages of an hour", async () => {
      const busy = { pagerduty: "us" as const, emails: [], per_hour: 1 };
      const { scopeId, scope, ruleId, incidentId, plan, messages } = await withRule(busy);
      await end(scope, incidentId);
      await plan("opened");
      await send(scopeId);
      const change = ruleWith({ ...busy, quiet_hours: { ...quietDay, days: [...weekdays] } });
      await scope.notifications.replace(ruleId, { change, secrets: {}, by: { id: "usr_1", name: "Ada" }, now });
      await plan("resolved");
      expect(await messages()).toEqual(["pagerduty opened", "pagerduty resolved"]);
    });

    it("isn't resolved while its investigation or a message is under way", async () => {
      const { scopeId, scope, incidentId, plan, messages } = await withRule({ pagerduty: "us", emails: [] });
      await plan("opened");
      await plan("resolved");
      await end(scope, incidentId);
      await plan("resolved");
      expect(await messages()).toEqual(["pagerduty opened"]);
      await send(scopeId);
      await plan("resolved");
      expect(await messages()).toEqual(["pagerduty opened", "pagerduty resolved"]);
    });

    it("isn't resolved where nothing was sent", async () => {
      const { scope, incidentId, plan, messages } = await withRule({ pagerduty: "us" });
      await end(scope, incidentId);
      await plan("resolved");
      expect(await messages()).toEqual([]);
    });

    it("has one message in a chat, until its report names a cause", async () => {
      const { plan, messages } = await withRule({ slack: true, teams: true, pagerduty: "us", emails: [] });
      await plan("opened");
      await plan("failed");
      expect(await messages()).toEqual([
        ...["slack opened", "teams opened", "pagerduty opened"],
        ...["pagerduty failed"],
      ]);
      await plan("completed");
      await plan("corrected", { version: 2 });
      await plan("completed");
      expect((await messages()).slice(4)).toEqual([
        ...["slack completed", "teams completed", "pagerduty completed"],
        ...["slack corrected", "teams corrected", "pagerduty corrected"],
      ]);
    });

    it("isn't corrected to recipients who haven't seen a cause, and isn't repeated to them", async () => {
      const { plan, messages } = await withRule({});
      await plan("corrected", { version: 2 });
      await plan("completed");
      expect(await messages()).toEqual(["email completed"]);
      await plan("corrected", { version: 3 });
      expect(await messages()).toEqual(["email completed", "email corrected"]);
    });

    it("waits for the end of quiet hours, and counts once in their summary", async () => {
      const quiet_hours = { ...quietDay, days: [...weekdays] };
      const { scopeId, scope, plan, messages, heldBack } = await withRule({ quiet_hours });
      const ends = new Date(`${now.toISOString().slice(0, 10)}T23:59:00.000Z`);
      await plan("opened");
      await plan("completed");
      expect([await messages(), await heldBack()]).toEqual([[], 1]);
      await db().notifications.summarise(new Date(ends.getTime() - 1), 10);
      expect(await messages()).toEqual([]);
      await db().notifications.summarise(ends, 10);
      expect([await messages(), await heldBack()]).toEqual([["email summary"], 0]);
      const [summary] = (await db().notifications.take(ends, bounds)).filter((taken) => taken.scopeId === scopeId);
      if (!summary) throw new Error("there is no summary");
      const { count, first } = await scope.notifications.heldBack(summary, 10);
      expect([count, first.map(({ title }) => title)]).toEqual([1, ["boom"]]);
    });

    it("is sent at once in quiet hours when it is critical, or turns out to be", async () => {
      const { plan, messages, heldBack } = await withRule({ quiet_hours: { ...quietDay, days: [...weekdays] } });
      await plan("opened");
      expect([await messages(), await heldBack()]).toEqual([[], 1]);
      await plan("opened", { severity: "critical" });
      await plan("opened", { severity: "critical" });
      await plan("completed", { severity: "critical" });
      expect([await messages(), await heldBack()]).toEqual([["email opened", "email completed"], 0]);
    });

    it("waits in quiet hours that have no exception, however severe it is", async () => {
      const quiet_hours = { ...quietDay, days: [...weekdays], except_critical: false };
      const { plan, messages } = await withRule({ quiet_hours });
      await plan("opened", { severity: "critical" });
      expect(await messages()).toEqual([]);
    });

    it("that exceeds the hour waits until quiet hours which have begun by then are over", async () => {
      const from = after(hourMs / 2)
        .toISOString()
        .slice(11, 16);
      const to = after(5 * hourMs)
        .toISOString()
        .slice(11, 16);
      const quiet_hours = { ...quietDay, from, to, days: [...weekdays] };
      const { plan, messages, heldBack } = await withRule({ quiet_hours, per_hour: 1 });
      await plan("opened");
      await plan("completed");
      await db().notifications.summarise(after(2 * hourMs), 10);
      expect([await messages(), await heldBack()]).toEqual([["email opened"], 1]);
      await db().notifications.summarise(after(5 * hourMs), 10);
      expect(await messages()).toEqual(["email opened", "email summary"]);
    });
  });
}
