import { hourMs } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import type { AlertName, ControlDb, NewAlert, NewIncident, ResolvedAlert, Scope } from "../../../src/index.ts";
import { makeRule } from "./notification-rules.ts";
import { after, newIncident, now, organization, report, sourceAllowance } from "./samples.ts";

const ada = { id: "usr_ada", name: "Ada" };
const secret = "a very secret secret";

function adding(name: string) {
  return { ...({ kind: "grafana", inputs: {}, secrets: { secret } } as const), name, by: ada, now };
}

function alert(name: AlertName, about: Partial<NewAlert> = {}): NewAlert {
  return {
    ...name,
    title: "orders is down",
    url: "https://grafana.example.com/1",
    firedAt: now.toISOString(),
    now,
    forgottenAfterMs: 1_000,
    allowance: sourceAllowance,
    ...about,
  };
}

/** The same alert, which ended, and whose end was announced, so many milliseconds after `now`. */
function resolved(name: AlertName, ms: number): ResolvedAlert {
  const { allowance: _allowance, firedAt: _firedAt, ...announced } = alert(name, { now: after(ms) });
  return { ...announced, at: after(ms).toISOString(), resolutionsMax: 10 };
}

/** What every control database does about senders of webhooks and what they announce. */
export function describeAlerts(name: string, db: () => ControlDb): void {
  async function newSource(): Promise<{ readonly scope: Scope; readonly scopeId: string; readonly sourceId: string }> {
    const scopeId = await organization(db());
    const scope = db().scope(scopeId);
    const { id: sourceId } = await scope.alertSources.add(adding("Grafana"));
    return { scope, scopeId, sourceId };
  }

  describe(`${name}: the alerts of an incident`, () => {
    it("are those of every source that belong to it, the latest first, in their own scope only", async () => {
      const { scope, sourceId } = await newSource();
      const second = await scope.alertSources.add(adding("Another"));
      const opened = await scope.alerts.open(alert({ sourceId, key: "a" }), newIncident());
      const id = opened !== null && typeof opened === "object" ? opened.id : "";
      const firedAt = after(5).toISOString();
      const runbook = "https://wiki.example.com/orders";
      await scope.alerts.open(
        alert({ sourceId: second.id, key: "b" }, { firedAt, title: "later", runbookUrl: runbook }),
        { id },
      );
      await scope.alerts.open(alert({ sourceId, key: "c" }), newIncident());
      const of = { url: "https://grafana.example.com/1", resolved_at: null };
      expect(await scope.alerts.ofIncident(id, 10)).toEqual([
        { sourceId: second.id, title: "later", runbook_url: runbook, fired_at: firedAt, ...of },
        { sourceId, title: "orders is down", runbook_url: null, fired_at: now.toISOString(), ...of },
      ]);
      expect(await scope.alerts.ofIncident(id, 1)).toHaveLength(1);
      const { scope: other } = await newSource();
      expect(await other.alerts.ofIncident(id, 10)).toEqual([]);
    });

    it("raise its severity to theirs when they join it, and never lower it", async () => {
      const { scope, sourceId } = await newSource();
      const { id } = await scope.incidents.open({ ...newIncident(), severity: "low" });
      const severityAfter = async (key: string, severity: NewAlert["severity"] = null) => {
        await scope.alerts.open(alert({ sourceId, key }, { severity }), { id });
        return (await scope.incidents.find(id))?.severity;
      };
      expect(await severityAfter("a")).toBe("low");
      expect(await severityAfter("b", "critical")).toBe("critical");
      expect(await severityAfter("c", "medium")).toBe("critical");
    });
  });

  describe(`${name}: alert sources`, () => {
    it("are listed without their secrets, the oldest first, and found by id with them", async () => {
      const { scope, scopeId, sourceId } = await newSource();
      await scope.alertSources.add(adding("Another"));
      const [first, second] = await scope.alertSources.list();
      expect(first).toEqual({
        id: sourceId,
        kind: "grafana",
        name: "Grafana",
        inputs: {},
        known: ["secret"],
        created_at: now.toISOString(),
        created_by: ada,
        received_at: null,
        alerts: 0,
        withheld: 0,
        answers_publicly: false,
        failed: null,
      });
      expect(second?.name).toBe("Another");
      expect(await db().alertSources.find(sourceId)).toEqual({
        id: sourceId,
        scopeId,
        kind: "grafana",
        inputs: { secret },
        answersPublicly: false,
      });
      const exported = [];
      for await (const row of db().exportRows()) exported.push(JSON.stringify(row));
      expect(exported.filter((row) => row.includes(secret))).toEqual([]);
    });

    it("may be added before what they need is known, which is entered later", async () => {
      const { scope } = await newSource();
      const added = await scope.alertSources.add({ ...adding("PagerDuty"), kind: "pagerduty", secrets: {} });
      expect(added.known).toEqual([]);
      expect(await db().alertSources.find(added.id)).toMatchObject({ inputs: {} });
      const entered = { inputs: {}, secrets: { secret }, now: after(1) };
      expect(await scope.alertSources.enter(added.id, entered)).toEqual({ ...added, known: ["secret"] });
      expect(await db().alertSources.find(added.id)).toMatchObject({ inputs: { secret } });
      expect(await scope.alertSources.enter("als_unknown", entered)).toBeNull();
    });

    it("forget their secrets except those to keep, and say why", async () => {
      const { scope, sourceId: keptId } = await newSource();
      const { id } = await scope.alertSources.add({ ...adding("PagerDuty"), inputs: { account: "acme" } });
      await scope.alertSources.forgetSecrets(id, [], "it was removed", after(1));
      await scope.alertSources.forgetSecrets(keptId, ["secret", "token"], "it was removed", after(1));
      expect(await scope.alertSources.find(id)).toMatchObject({
        known: ["account"],
        inputs: { account: "acme" },
        failed: { at: after(1).toISOString(), reason: "it was removed" },
      });
      expect((await db().alertSources.find(id))?.inputs).toEqual({ account: "acme" });
      expect((await db().alertSources.find(keptId))?.inputs).toEqual({ secret });
    });

    it("are found by their kind in all organizations, with their secrets", async () => {
      const { scope, scopeId } = await newSource();
      const { id } = await scope.alertSources.add({ ...adding("Slack"), kind: "slack" });
      const found = await db().alertSources.ofKind("slack");
      expect(found.filter((one) => one.id === id)).toEqual([
        { id, scopeId, kind: "slack", inputs: { secret }, answersPublicly: false },
      ]);
      expect(found.filter(({ kind }) => kind !== "slack")).toEqual([]);
    });

    it("answer publicly once that is set, of the organization's own alone, and until it is taken back", async () => {
      const { scope, sourceId } = await newSource();
      const { scope: other } = await newSource();
      expect(await other.alertSources.answerPublicly(sourceId, true)).toBeNull();
      expect(await db().alertSources.find(sourceId)).toMatchObject({ answersPublicly: false });
      for (const isSet of [true, false]) {
        expect(await scope.alertSources.answerPublicly(sourceId, isSet)).toMatchObject({ answers_publicly: isSet });
        expect(await db().alertSources.find(sourceId)).toMatchObject({ answersPublicly: isSet });
      }
    });

    it("note what they announced, and why a webhook failed", async () => {
      const { scope, sourceId } = await newSource();
      await scope.alertSources.note(sourceId, { alerts: 2 }, after(1));
      await scope.alertSources.note(sourceId, { failure: "its signature is wrong" }, after(2));
      await scope.alertSources.note(sourceId, { alerts: 1 }, after(3));
      expect(await scope.alertSources.find(sourceId)).toMatchObject({
        received_at: after(3).toISOString(),
        alerts: 3,
        failed: { at: after(2).toISOString(), reason: "its signature is wrong" },
      });
    });

    it("are removed with their secret and alerts, once, while their incidents stay", async () => {
      const { scope, sourceId } = await newSource();
      const opened = await scope.alerts.open(alert({ sourceId, key: "k" }), newIncident());
      expect((await scope.alertSources.remove(sourceId))?.id).toBe(sourceId);
      expect(await scope.alertSources.remove(sourceId)).toBeNull();
      expect(await db().alertSources.find(sourceId)).toBeNull();
      expect(await scope.alerts.list(sourceId, 10)).toEqual([]);
      const id = opened !== null && opened !== "noted" && opened !== "withheld" ? opened.id : "";
      expect((await scope.incidents.find(id))?.id).toBe(id);
    });

    it("belong to one organization", async () => {
      const { sourceId } = await newSource();
      const { scope: other } = await newSource();
      expect(await other.alertSources.find(sourceId)).toBeNull();
      expect(await other.alertSources.remove(sourceId)).toBeNull();
      expect(await db().alertSources.find("als_unknown")).toBeNull();
    });
  });

  describe(`${name}: alerts`, () => {
    it("open one incident each, however often they are announced, and by however many at once", async () => {
      const { scope, sourceId } = await newSource();
      const announced = alert({ sourceId, key: "k" });
      const answers = await Promise.all([1, 2, 3].map(() => scope.alerts.open(announced, newIncident())));
      expect(answers.filter((answer) => answer !== null)).toHaveLength(1);
      expect(await scope.alerts.open(announced, newIncident())).toBeNull();
      const incidents = await scope.incidents.list({ limit: 10 });
      expect(incidents).toHaveLength(1);
      expect(await scope.alerts.list(sourceId, 10)).toEqual([
        {
          key: "k",
          title: "orders is down",
          url: "https://grafana.example.com/1",
          resolved_at: null,
          incident_id: incidents[0]?.id,
          fired_at: now.toISOString(),
        },
      ]);
    });

    it("belong to an incident that there is", async () => {
      const { scope, sourceId } = await newSource();
      const { id } = await scope.incidents.open(newIncident());
      const announced = alert({ sourceId, key: "k" });
      expect(await scope.alerts.open(announced, { id })).toBe("noted");
      expect(await scope.alerts.open(announced, { id })).toBeNull();
      expect((await scope.incidents.list({ limit: 10 })).map((incident) => incident.id)).toEqual([id]);
      expect(await scope.alerts.list(sourceId, 10)).toMatchObject([{ incident_id: id }]);
    });

    it("are resolved, and open another incident when they fire after that", async () => {
      const { scope, sourceId } = await newSource();
      const announced = alert({ sourceId, key: "k" });
      await scope.alerts.open(announced, newIncident());
      expect(await scope.alerts.resolve(resolved({ sourceId, key: "k" }, 5))).toBe(true);
      expect(await scope.alerts.list(sourceId, 10)).toMatchObject([{ resolved_at: after(5).toISOString() }]);
      const late = alert({ sourceId, key: "k" }, { firedAt: after(5).toISOString() });
      expect(await scope.alerts.open(late, newIncident())).toBeNull();
      const again = alert({ sourceId, key: "k" }, { firedAt: after(6).toISOString() });
      expect(await scope.alerts.open(again, newIncident())).toMatchObject({ status: "queued" });
      expect(await scope.alerts.list(sourceId, 10)).toMatchObject([
        { resolved_at: null, fired_at: after(6).toISOString() },
      ]);
    });

    it("end the incident that opened for them once all of them are resolved, for the rules to announce", async () => {
      const { scope, sourceId } = await newSource();
      await makeRule(scope.notifications, { events: ["opened"] });
      const trigger = {
        kind: "alert",
        source: "grafana",
        sender: "Grafana",
        source_id: sourceId,
        key: "a",
        url: null,
      } as const;
      const ofAlert = { ...newIncident(), trigger: { ...trigger, at: now.toISOString() } };
      const opened = await scope.alerts.open(alert({ sourceId, key: "a" }), ofAlert);
      const id = typeof opened === "object" ? (opened?.id ?? "") : "";
      const { id: ofTelemetry } = await scope.incidents.open(newIncident());
      await scope.alerts.open(alert({ sourceId, key: "b" }), { id });
      await scope.alerts.open(alert({ sourceId, key: "c" }), { id: ofTelemetry });
      const ended = async () =>
        (await db().notifications.occasions(after(100), 1_000))
          .filter(({ kind, incidentId }) => kind === "resolved" && [id, ofTelemetry].includes(incidentId))
          .map(({ incidentId }) => incidentId);
      for (const key of ["a", "c"]) await scope.alerts.resolve(resolved({ sourceId, key }, 5));
      expect(await ended()).toEqual([]);
      for (const ms of [6, 7]) await scope.alerts.resolve(resolved({ sourceId, key: "b" }, ms));
      expect(await ended()).toEqual([id]);
    });

    it("announce once that the incident is back, also with a higher severity", async () => {
      const { scope, sourceId } = await newSource();
      await makeRule(scope.notifications, { events: ["opened", "completed"], min_severity: "critical" });
      const trigger = { kind: "alert", source: "grafana", sender: "Grafana", source_id: sourceId, url: null } as const;
      const ofAlert: NewIncident = {
        ...{ ...newIncident(), severity: "low" },
        trigger: { ...trigger, key: "a", at: now.toISOString() },
      };
      const opened = await scope.alerts.open(alert({ sourceId, key: "a" }), ofAlert);
      const id = typeof opened === "object" ? (opened?.id ?? "") : "";
      await scope.incidents.complete(id, (await scope.incidents.begin(id, now)) ?? 0, report, now);
      await scope.alerts.resolve(resolved({ sourceId, key: "a" }, 5));
      const { notifications } = db();
      const noted = async () =>
        (await notifications.occasions(after(100), 1_000)).filter(({ incidentId }) => incidentId === id);
      for (const occasion of await noted()) await notifications.plan(occasion, [], after(6));
      await scope.alerts.open(alert({ sourceId, key: "b" }, { severity: "critical", now: after(7) }), { id });
      expect((await scope.incidents.find(id))?.severity).toBe("critical");
      expect((await noted()).map(({ kind }) => kind)).toEqual(["returned"]);
    });

    it("open no incident when their end arrived first, and one when they fire after it", async () => {
      const { scope, sourceId } = await newSource();
      const fires = (at: number, now: number) =>
        scope.alerts.open(
          alert({ sourceId, key: "k" }, { firedAt: after(at).toISOString(), now: after(now) }),
          newIncident(),
        );
      expect(await scope.alerts.resolve(resolved({ sourceId, key: "k" }, 5))).toBe(false);
      expect(await scope.alerts.list(sourceId, 10)).toEqual([]);
      expect(await fires(4, 6)).toBeNull();
      expect(await fires(5, 7)).toBeNull();
      expect(await scope.incidents.list({ limit: 10 })).toEqual([]);
      expect(await fires(6, 8)).toMatchObject({ status: "queued" });
      expect(await scope.alerts.list(sourceId, 10)).toMatchObject([{ resolved_at: null }]);
    });

    it("remember their latest end, for as long as alerts are remembered", async () => {
      const { scope, sourceId } = await newSource();
      const fires = (key: string, at: number, now: number) =>
        scope.alerts.open(
          alert({ sourceId, key }, { firedAt: after(at).toISOString(), now: after(now) }),
          newIncident(),
        );
      for (const at of [5, 50]) await scope.alerts.resolve(resolved({ sourceId, key: "a" }, at));
      await scope.alerts.resolve(resolved({ sourceId, key: "b" }, 50));
      expect(await fires("a", 40, 60)).toBeNull();
      expect(await fires("b", 40, 1_050)).toMatchObject({ status: "queued" });
    });

    it.each([
      ["beyond those that are remembered", 2, [0, 1, 2], ["opens", "known", "known"]],
      ["that are older than alerts are remembered", 9, [0, 1, 1_001], ["opens", "opens", "known"]],
    ])("forget ends %s", async (_, resolutionsMax, times, expected) => {
      const { scope, sourceId } = await newSource();
      for (const [index, at] of times.entries())
        await scope.alerts.resolve({ ...resolved({ sourceId, key: `k${index}` }, at), resolutionsMax });
      const answers = [];
      for (const [index, at] of times.entries()) {
        const fired = alert({ sourceId, key: `k${index}` }, { firedAt: after(at).toISOString(), now: after(at) });
        answers.push((await scope.alerts.open(fired, newIncident())) === null ? "known" : "opens");
      }
      expect(answers).toEqual(expected);
    });

    it("open another incident when they weren't announced for as long as they are remembered", async () => {
      const { scope, sourceId } = await newSource();
      const announce = (ms: number) =>
        scope.alerts.open(alert({ sourceId, key: "k" }, { now: after(ms) }), newIncident());
      expect(await announce(0)).not.toBeNull();
      expect(await announce(999)).toBeNull();
      expect(await announce(1_998)).toBeNull();
      expect(await announce(2_998)).not.toBeNull();
      expect(await scope.incidents.list({ limit: 10 })).toHaveLength(2);
    });

    it("open as many incidents in an hour as their source may, and those beyond later", async () => {
      const { scope, sourceId } = await newSource();
      const allowance = { max: 2, spanMs: hourMs };
      const announce = (key: string, ms: number) =>
        scope.alerts.open(
          alert({ sourceId, key }, { now: after(ms), allowance, forgottenAfterMs: 1e9 }),
          newIncident(),
        );
      expect(await announce("a", 0)).toMatchObject({ status: "queued" });
      expect(await announce("b", 1)).toMatchObject({ status: "queued" });
      expect(await announce("a", 2)).toBeNull();
      expect(await announce("c", 3_599_999)).toBe("withheld");
      expect((await scope.alerts.list(sourceId, 10)).map(({ key }) => key)).toEqual(["a", "b"]);
      expect(await scope.alertSources.find(sourceId)).toMatchObject({
        withheld: 1,
        failed: { at: after(3_599_999).toISOString() },
      });
      expect(await announce("c", hourMs)).toMatchObject({ status: "queued" });
      expect(await scope.incidents.list({ limit: 10 })).toHaveLength(3);
    });

    it.each([
      [2, 2],
      [3, 2],
    ])("of %i, the latest %i are listed", async (count, listed) => {
      const { scope, sourceId } = await newSource();
      for (let at = 0; at < count; at += 1) {
        const key = `k${at}`;
        await scope.alerts.open(alert({ sourceId, key }, { firedAt: after(at).toISOString() }), newIncident());
      }
      const keys = (await scope.alerts.list(sourceId, 2)).map(({ key }) => key);
      expect(keys).toEqual([`k${count - 1}`, `k${count - 2}`].slice(0, listed));
    });
  });
}
