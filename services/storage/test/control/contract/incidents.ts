import { compareIncidents, incidentSorts, sortValue } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import type { ControlDb, IncidentTerm } from "../../../src/index.ts";
import {
  after,
  agent,
  drainOutbox,
  history,
  member,
  newIncident,
  now,
  occurrence,
  openOrJoin,
  organization,
  report,
  roomy,
} from "./samples.ts";

/** What every control database does about incidents. */
export function describeIncidents(name: string, db: () => ControlDb): void {
  describe(`${name}: incidents`, () => {
    it("stores a queued incident with its input, and asks for its investigation in the same breath", async () => {
      await drainOutbox(db());
      const scopeId = await organization(db());
      const { incidents } = db().scope(scopeId);
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
      expect(await db().outbox.pending(10)).toEqual([{ id: opened.id, topic: "investigations", body }]);
      expect((await db().outbox.pending(10, "investigations")).map(({ id }) => id)).toEqual([opened.id]);
      expect(await db().outbox.pending(10, "another")).toEqual([]);
      await db().outbox.remove([opened.id]);
      expect(await db().outbox.pending(10)).toEqual([]);
    });

    it("remembers which event an incident is about", async () => {
      const { incidents } = db().scope(await organization(db()));
      const { id } = await incidents.open(newIncident({ input: { kind: "event", eventId: "e-1" } }));
      expect(await incidents.input(id)).toEqual({ kind: "event", eventId: "e-1" });
    });

    it("lists by what a report comes to, and by text that means itself", async () => {
      const { incidents } = db().scope(await organization(db()));
      const open = async (change: Parameters<typeof newIncident>[0]): Promise<string> =>
        (await incidents.open(newIncident(change))).id;
      const first = await open({ title: "100% of Carts_fail", service: "cart", env: "PROD", severity: "critical" });
      const second = await open({ title: "1000 carts", service: "orders", env: "STAGING", now: after(60_000) });
      const found = async (filter: object): Promise<string[]> =>
        (await incidents.list({ limit: 10, ...filter })).map(({ id }) => id);
      const withText = (text: string, isNegated = false): Promise<string[]> =>
        found({ terms: [{ field: "text", text, isNegated }] });
      expect(await withText("CARTS")).toEqual([second, first]);
      expect(await withText("100% of carts_")).toEqual([first]);
      expect(await withText("0%")).toEqual([first]);
      expect(await withText("s_f")).toEqual([first]);
      expect(await withText("s_f", true)).toEqual([second]);
      expect(await found({ env: "STAGING" })).toEqual([second]);
      expect(await found({ severity: "critical" })).toEqual([first]);
      expect(await found({ trigger: "event" })).toEqual([]);
      expect(await found({ since: after(60_000).toISOString() })).toEqual([second]);
      expect(await found({ until: after(60_000).toISOString() })).toEqual([first]);
      expect(await incidents.countByService(after(60_000).toISOString())).toEqual([
        { service: "orders", env: "STAGING", incidents: 1 },
      ]);
      expect(await incidents.countByService(now.toISOString())).toHaveLength(2);
      expect(await incidents.facets()).toEqual({ services: ["cart", "orders"], envs: ["PROD", "STAGING"] });
      await incidents.complete(first, (await incidents.begin(first, now)) ?? 0, report, after(2));
      const { category, root_cause_summary, confidence } = (await incidents.list({ limit: 10 }))[1] ?? {};
      expect({ category, root_cause_summary, confidence }).toEqual({
        category: report.root_cause.category,
        root_cause_summary: report.root_cause_summary,
        confidence: report.confidence.score,
      });
      expect(await withText(report.root_cause_summary.toUpperCase())).toEqual([first]);
    });

    it("lists incidents that meet each term of a search", async () => {
      const { incidents } = db().scope(await organization(db()));
      const open = async (change: Parameters<typeof newIncident>[0]): Promise<string> =>
        (await incidents.open(newIncident(change))).id;
      const cart = await open({ title: "out of stock", service: "cart" });
      const orders = await open({ title: "out of memory", service: "orders", now: after(1) });
      const pasted = await open({ title: "out of reach", service: null, now: after(2) });
      const found = async (...terms: readonly IncidentTerm[]): Promise<string[]> =>
        (await incidents.list({ limit: 10, terms })).map(({ id }) => id);
      const text = { field: "text", text: "out of", isNegated: false } as const;
      const ofCart = { field: "service", oneOf: ["cart"], isNegated: false } as const;
      expect(await found()).toEqual([pasted, orders, cart]);
      expect(await found(text, ofCart)).toEqual([cart]);
      expect(await found({ ...ofCart, oneOf: ["cart", "orders"] })).toEqual([orders, cart]);
      expect(await found({ ...ofCart, isNegated: true })).toEqual([pasted, orders]);
      expect(await found(ofCart, { ...ofCart, isNegated: true })).toEqual([]);
    });

    it("lists by the releases in which a failure occurred", async () => {
      const { incidents, failures } = db().scope(await organization(db()));
      for (const [fingerprint, releases] of [
        ["v1:a", ["1.0.0", "1.1.0"]],
        ["v1:b", ["1.1.0"]],
        ["v1:c", [""]],
      ] as const) {
        const release = releases.at(-1) ?? "";
        await failures.decide(occurrence(fingerprint), () => ({
          ...openOrJoin(null),
          history: { ...history, release, releases: [...releases] },
        }));
      }
      const found = async (isNegated: boolean, ...oneOf: string[]): Promise<string[]> => {
        const list = await incidents.list({ limit: 10, terms: [{ field: "release", oneOf, isNegated }] });
        return list.map(({ id }) => id);
      };
      const [c, b, a] = (await incidents.list({ limit: 10 })).map(({ id }) => id);
      expect(await found(false, "1.1.0")).toEqual([b, a]);
      expect(await found(false, "1.0.0")).toEqual([a]);
      expect(await found(false, "1.0.0", "2.0.0")).toEqual([a]);
      expect(await found(false, "1.0")).toEqual([]);
      expect(await found(false, "1_0.0")).toEqual([]);
      expect(await found(true, "1.0.0")).toEqual([c, b]);
    });

    it("queues what has ended again, under another message, and keeps its report until the next", async () => {
      const { incidents } = db().scope(await organization(db()));
      const { id } = await incidents.open(newIncident());
      expect(await incidents.requeue(id)).toBe("under-way");
      await incidents.complete(id, (await incidents.begin(id, now)) ?? 0, report, after(2));
      await drainOutbox(db());
      expect(await incidents.requeue(id)).toBe("queued");
      expect(await incidents.requeue(id)).toBe("under-way");
      expect(await incidents.find(id)).toMatchObject({ status: "queued", started_at: null, report });
      const [message, ...others] = await db().outbox.pending(10);
      expect([message?.id === id, others]).toEqual([false, []]);
      expect(JSON.parse(message?.body ?? "")).toMatchObject({ incident_id: id });
      expect(await incidents.begin(id, after(3))).toBe(2);
      expect(
        await db()
          .scope(await organization(db()))
          .incidents.requeue(id),
      ).toBe("under-way");
    });

    it("lists the newest first, page by page, by service and by status", async () => {
      const { incidents } = db().scope(await organization(db()));
      const ids: string[] = [];
      for (const service of ["a", "b", "a"]) ids.unshift((await incidents.open(newIncident({ service }))).id);
      await incidents.begin(ids[2] ?? "", now);
      const listed = async (filter: object): Promise<string[]> =>
        (await incidents.list({ limit: 10, ...filter })).map(({ id }) => id);
      expect(await listed({})).toEqual(ids);
      expect(await listed({ limit: 2 })).toEqual(ids.slice(0, 2));
      expect(await listed({ before: { id: ids[1] ?? "", value: "" } })).toEqual(ids.slice(2));
      expect(await listed({ service: "b" })).toEqual([ids[1]]);
      expect(await listed({ status: "investigating" })).toEqual([ids[2]]);
      expect(await listed({ status: "queued", service: "a" })).toEqual([ids[0]]);
    });

    it("lists in the order of each value, page by page, each incident once", async () => {
      const { incidents, failures } = db().scope(await organization(db()));
      for (const [fingerprint, events, ms] of [
        ["v1:a", 3, 30],
        ["v1:b", 5, 10],
        ["v1:c", 3, 20],
      ] as const)
        await failures.decide(occurrence(fingerprint, { events, at: after(ms).toISOString() }), openOrJoin);
      for (const score of [0.83, 0.4, 0.83]) {
        const { id } = await incidents.open(newIncident());
        const attempt = await incidents.begin(id, now);
        await incidents.complete(id, attempt ?? 0, { ...report, confidence: { score, basis: "" } }, now);
      }
      const all = await incidents.list({ limit: 10 });
      for (const sort of incidentSorts) {
        const wanted = all.toSorted((one, other) => compareIncidents(one, other, sort)).map(({ id }) => id);
        const paged: string[] = [];
        let [last] = await incidents.list({ limit: 1, sort });
        while (last) {
          paged.push(last.id);
          [last] = await incidents.list({ limit: 1, sort, before: { id: last.id, value: sortValue(last, sort) } });
        }
        expect([sort, paged]).toEqual([sort, wanted]);
      }
      const [most] = await incidents.list({ limit: 1, sort: "events" });
      expect(most?.occurrences?.events).toBe(5);
    });

    it("opens as many within a span as an unclaimed agent may, and says when the next one may come", async () => {
      const { id, token } = await agent(db());
      const { incidents } = db().scope(id);
      const allowance = { max: 2, spanMs: 1_000, openMax: 100 };
      const openAt = async (ms: number) => {
        const opened = await incidents.openWithin(newIncident({ now: after(ms) }), allowance, roomy);
        return opened.outcome === "exhausted" ? opened.freeAt : opened.outcome;
      };
      const trigger = { kind: "event", event_id: "e", mechanism: "m", handled: false } as const;
      await incidents.open(newIncident({ trigger }));
      expect([await openAt(0), await openAt(400)]).toEqual(["opened", "opened"]);
      expect([await openAt(401), await openAt(999)]).toEqual([after(1_000), after(1_000)]);
      expect([await openAt(1_000), await openAt(1_001)]).toEqual(["opened", after(1_400)]);
      await db().agents.claim(token, await member(db(), await organization(db())), after(1_001));
      expect(await openAt(1_001)).toBe("opened");
    });

    it("opens no more than an unclaimed agent may when many come at once", async () => {
      const { incidents } = db().scope((await agent(db())).id);
      const allowance = { max: 3, spanMs: 1_000, openMax: 100 };
      const outcomes = await Promise.all(
        Array.from({ length: 12 }, () => incidents.openWithin(newIncident(), allowance, roomy)),
      );
      expect(outcomes.filter(({ outcome }) => outcome === "opened").length).toBe(3);
      expect((await incidents.list({ limit: 100 })).length).toBe(3);
    });

    it("opens another of an unclaimed agent when one of those that it may have open has ended", async () => {
      const { incidents } = db().scope((await agent(db())).id);
      const openOne = () => incidents.openWithin(newIncident(), { max: 100, spanMs: 1_000, openMax: 2 }, roomy);
      const [first] = [await openOne(), await openOne()];
      expect((await openOne()).outcome).toBe("busy");
      const id = first?.outcome === "opened" ? first.incident.id : "";
      await incidents.begin(id, now);
      expect((await openOne()).outcome).toBe("busy");
      await incidents.fail(id, 1, { code: "WHENCE_ERR_INTERNAL", message: "m" }, now);
      expect((await openOne()).outcome).toBe("opened");
    });

    it("opens whatever comes in an organization, and in the one that has claimed the agent by now", async () => {
      const organizationId = await organization(db());
      const { id, token } = await agent(db());
      await db().agents.claim(token, await member(db(), organizationId), now);
      for (const scopeId of [organizationId, id]) {
        const opened = await db()
          .scope(scopeId)
          .incidents.openWithin(newIncident(), { max: 0, spanMs: 1_000, openMax: 0 }, roomy);
        expect(opened).toMatchObject({ outcome: "opened", incident: { organization_id: organizationId } });
      }
    });

    it("goes from queued through investigating to its report, once", async () => {
      const { incidents } = db().scope(await organization(db()));
      const { id } = await incidents.open(newIncident());
      expect(await incidents.complete(id, 0, report, now)).toBe(false);
      expect(await incidents.begin(id, after(1))).toBe(1);
      expect(await incidents.complete(id, 1, report, after(5))).toBe(true);
      expect(await incidents.complete(id, 1, report, after(6))).toBe(false);
      expect(await incidents.fail(id, 1, { code: "X", message: "y" }, after(6))).toBe(false);
      expect(await incidents.begin(id, after(7))).toBeNull();
      expect(await incidents.find(id)).toMatchObject({
        status: "completed",
        started_at: after(1).toISOString(),
        completed_at: after(5).toISOString(),
        report,
      });
    });

    it("keeps why an investigation failed", async () => {
      const { incidents } = db().scope(await organization(db()));
      const { id } = await incidents.open(newIncident());
      await incidents.begin(id, now);
      expect(await incidents.fail(id, 1, { code: "WHENCE_ERR_X", message: "no" }, after(2))).toBe(true);
      const failed = await incidents.find(id);
      expect(failed).toMatchObject({ status: "failed", failure: { code: "WHENCE_ERR_X", message: "no" } });
    });

    it("resumes an investigation without the steps of the one before, and keeps when it first began", async () => {
      const { incidents } = db().scope(await organization(db()));
      const { id } = await incidents.open(newIncident());
      const step = (seq: number, detail: string) => ({ seq, at: now.toISOString(), step: "parse", detail }) as const;
      await incidents.begin(id, after(1));
      await incidents.addStep(id, 1, step(1, "first life"));
      expect(await incidents.begin(id, after(9))).toBe(2);
      expect(await incidents.steps(id, 0)).toEqual([]);
      const answered = { ...step(2, "two"), result: "1 | const cache = new Map();" };
      await incidents.addStep(id, 2, answered);
      await incidents.addStep(id, 2, step(1, "one"));
      expect(await incidents.steps(id, 0)).toEqual([step(1, "one"), answered]);
      expect(await incidents.steps(id, 1)).toEqual([answered]);
      await incidents.addStep(id, 2, step(2, "two"));
      expect(await incidents.steps(id, 1)).toEqual([step(2, "two")]);
      expect(await incidents.find(id)).toMatchObject({ started_at: after(1).toISOString() });
    });

    it("lets an attempt write nothing once a later one has begun", async () => {
      const { incidents } = db().scope(await organization(db()));
      const { id } = await incidents.open(newIncident());
      const step = (detail: string) => ({ seq: 1, at: now.toISOString(), step: "parse", detail }) as const;
      const stalled = await incidents.begin(id, after(1));
      const current = await incidents.begin(id, after(2));
      expect([stalled, current]).toEqual([1, 2]);
      await incidents.addStep(id, 1, step("stalled, before"));
      expect(await incidents.steps(id, 0)).toEqual([]);
      await incidents.addStep(id, 2, step("current"));
      await incidents.addStep(id, 1, step("stalled, after"));
      expect(await incidents.steps(id, 0)).toEqual([step("current")]);
      expect(await incidents.complete(id, 1, report, after(3))).toBe(false);
      expect(await incidents.fail(id, 1, { code: "X", message: "y" }, after(3))).toBe(false);
      expect(await incidents.find(id)).toMatchObject({ status: "investigating", completed_at: null });
      expect(await incidents.complete(id, 2, report, after(4))).toBe(true);
    });

    it("takes no step of an incident that failed, or that was never begun", async () => {
      const { incidents } = db().scope(await organization(db()));
      const { id } = await incidents.open(newIncident());
      const step = { seq: 1, at: now.toISOString(), step: "parse", detail: "late" } as const;
      await incidents.addStep(id, 0, step);
      await incidents.begin(id, now);
      await incidents.fail(id, 1, { code: "X", message: "y" }, now);
      await incidents.addStep(id, 1, step);
      expect(await incidents.steps(id, 0)).toEqual([]);
    });

    it("takes steps of an incident that has a report, since that may be refined", async () => {
      const { incidents } = db().scope(await organization(db()));
      const { id } = await incidents.open(newIncident());
      const step = { seq: 1, at: now.toISOString(), step: "model", detail: "asked" } as const;
      await incidents.begin(id, now);
      await incidents.complete(id, 1, report, now);
      await incidents.addStep(id, 1, step);
      expect(await incidents.steps(id, 0)).toEqual([step]);
    });

    it("shows and changes nothing of another scope's incident", async () => {
      const mine = db().scope(await organization(db())).incidents;
      const { id } = await mine.open(newIncident());
      const { incidents: theirs } = db().scope(await organization(db()));
      const step = { seq: 1, at: now.toISOString(), step: "parse", detail: "" } as const;
      expect(await theirs.find(id)).toBeNull();
      expect(await theirs.input(id)).toBeNull();
      expect(await theirs.list({ limit: 10 })).toEqual([]);
      expect(await theirs.begin(id, now)).toBeNull();
      await mine.begin(id, now);
      await theirs.addStep(id, 1, step);
      expect(await mine.steps(id, 0)).toEqual([]);
      await mine.addStep(id, 1, step);
      expect(await theirs.steps(id, 0)).toEqual([]);
      expect(await theirs.complete(id, 1, report, now)).toBe(false);
      expect(await theirs.fail(id, 1, { code: "X", message: "y" }, now)).toBe(false);
      expect(await mine.find(id)).toMatchObject({ status: "investigating" });
    });
  });
}
