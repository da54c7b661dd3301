import { describe, expect, it } from "vitest";
import type { ControlDb, EvidencePlan, MergingIncident } from "../../../src/index.ts";
import { joins, opens } from "./joining.ts";
import { after, drainOutbox, newIncident, now, occurrence, organization, report } from "./samples.ts";

const env = "PROD";
const bounds = { max: 10, holdMs: 60_000 };
const plan = (refineAt: Date | null, mark = "a"): EvidencePlan => ({ mark, refineAt, refinedUntil: refineAt });

/** What every control database does about reports that are refined, and incidents that turn out to be one. */
export function describeRefining(name: string, db: () => ControlDb): void {
  async function completed(refineAt: Date | null) {
    const { incidents } = db().scope(await organization(db()));
    const { id } = await incidents.open(newIncident());
    const attempt = (await incidents.begin(id, now)) ?? 0;
    await incidents.complete(id, attempt, report, now, { plan: plan(refineAt) });
    await drainOutbox(db());
    return { incidents, id, attempt };
  }

  describe(`${name}: a report that is refined`, () => {
    it("is requested once when it is due, and again when that request came to nothing", async () => {
      const { id } = await completed(after(7_000));
      const asked = async (at: Date): Promise<string[]> => {
        await Promise.all([1, 2, 3].map(() => db().refinements.askDue(at, bounds)));
        const pending = (await db().outbox.pending(100)).filter(({ body }) => body.includes(id));
        await db().outbox.remove(pending.map((one) => one.id));
        return pending.map(({ body }) => body);
      };
      expect(await asked(after(6_999))).toEqual([]);
      expect(await asked(after(7_000))).toEqual([expect.stringContaining('"refine":true')]);
      expect(await asked(after(66_999))).toEqual([]);
      expect(await asked(after(67_000))).toHaveLength(1);
    });

    it("has a version for each report that says something else, and the first ones stay", async () => {
      const { incidents, id } = await completed(after(7_000));
      const taken = await incidents.beginRefinement(id, after(600_000));
      expect(taken).toMatchObject({ version: 1, mark: "a" });
      const surer = { ...report, confidence: { ...report.confidence, score: 0.99 } };
      await incidents.refine(id, taken?.attempt ?? 0, surer, after(7_100), plan(after(60_000), "b"));
      expect((await incidents.find(id))?.refinement).toEqual({
        version: 2,
        refining: true,
        refined_at: after(7_100).toISOString(),
        refined_until: after(60_000).toISOString(),
      });
      const again = await incidents.beginRefinement(id, after(600_000));
      const impact = { ...report.impact, events: 99 };
      await incidents.refine(id, again?.attempt ?? 0, { ...surer, impact }, after(60_100), plan(null, "b"));
      const found = await incidents.find(id);
      expect(found?.refinement).toMatchObject({ version: 2, refining: false, refined_until: null });
      expect(found?.report?.impact.events).toBe(99);
      const versions = await incidents.reports(id);
      expect(versions.map(({ version, at }) => [version, at])).toEqual([
        [2, after(7_100).toISOString()],
        [1, now.toISOString()],
      ]);
      expect(versions[1]?.report).toEqual(report);
      expect(await incidents.beginRefinement(id, after(600_000))).toBeNull();
    });

    it("makes its incident more severe, never less, and not for an attempt that was overtaken", async () => {
      const { incidents, id, attempt } = await completed(after(7_000));
      const severity = async () => (await incidents.find(id))?.severity;
      await incidents.raiseSeverity(id, attempt + 1, "critical", now);
      expect(await severity()).toBe("high");
      await incidents.raiseSeverity(id, attempt, "low", now);
      expect(await severity()).toBe("high");
      await incidents.raiseSeverity(id, attempt, "critical", now);
      expect(await severity()).toBe("critical");
    });

    it("is overtaken by an investigation that somebody asked for", async () => {
      const { incidents, id } = await completed(after(7_000));
      const taken = await incidents.beginRefinement(id, after(600_000));
      await incidents.requeue(id);
      expect(await incidents.refine(id, taken?.attempt ?? 0, report, now, plan(null))).toBe(false);
      expect(await incidents.beginRefinement(id, after(600_000))).toBeNull();
      expect((await incidents.find(id))?.refinement).toMatchObject({ version: 1, refining: true });
    });
  });

  describe(`${name}: an incident that is held`, () => {
    async function twoIncidents() {
      const scopeId = await organization(db());
      const { failures, incidents } = db().scope(scopeId);
      const open = async (fingerprint: string, heldUntil?: Date): Promise<string> => {
        const decided = opens(fingerprint);
        const incident = "incident" in decided ? { ...decided.incident, heldUntil } : undefined;
        await failures.decide(occurrence(fingerprint), () => (incident ? { ...decided, incident } : decided));
        return (await failures.find(fingerprint, env))?.incidentId ?? "";
      };
      const [root, symptom] = [await open("v1:root"), await open("v1:symptom", after(60_000))];
      const merging: MergingIncident = {
        incidentId: symptom,
        fingerprint: "v1:symptom",
        env,
        now: after(7_000),
        decision: { outcome: "joined", rule: "failed-call", reason: "it follows" },
        into: { incidentId: root, anchor: "v1:root", root: null },
      };
      return { scopeId, failures, incidents, root, symptom, merging };
    }

    it("has people who asked about it get the answer of the other one", async () => {
      const { scopeId, failures, incidents, root, symptom, merging } = await twoIncidents();
      const { alertSources, conversations } = db().scope(scopeId);
      const adding = {
        kind: "webhook",
        name: "Chat",
        inputs: {},
        secrets: {},
        by: { id: "usr_1", name: "Ada" },
      } as const;
      const { id: sourceId } = await alertSources.add({ ...adding, now });
      const asked = { thread: "t", requestId: "1", how: "mentioned", question: "", author: "Ada", place: {} } as const;
      await conversations.ask(sourceId, { ...asked, at: now.toISOString() }, now);
      const due = async () => {
        const posts = await db().conversations.take(after(60_000), { max: 1_000, perScopeMax: 4, holdMs: 1 });
        return posts.filter((post) => post.scopeId === scopeId);
      };
      const [start] = await due();
      const id = start?.conversationId ?? "";
      await conversations.open(id, { title: "down", url: null }, { id: symptom }, now);
      await (start && db().conversations.settle(start, { state: "posted" }, now));
      await failures.merge(merging);
      expect(await conversations.find(id)).toMatchObject({ incidentId: root, status: "PROCESSING" });
      expect(await due()).toEqual([]);
      await incidents.complete(root, (await incidents.begin(root, now)) ?? 0, report, now);
      expect(await conversations.find(id)).toMatchObject({ status: "COMPLETED" });
      expect(await due()).toMatchObject([{ kind: "answer", conversationId: id }]);
    });

    it("joins the other one with all that had joined it, once, and is in no list", async () => {
      const { failures, incidents, root, symptom, merging } = await twoIncidents();
      const seen = await failures.openIncidents({ env, since: after(-60_000) });
      await failures.decideAsSeen(seen, occurrence("v1:caller"), () => joins(symptom, "v1:symptom"));
      expect(await Promise.all([failures.merge(merging), failures.merge(merging)])).toContain(true);
      expect(await failures.merge(merging)).toBe(false);
      expect((await incidents.list({ limit: 10 })).map(({ id }) => id)).toEqual([root]);
      expect(await incidents.find(symptom)).toMatchObject({ status: "merged", merged_into: root });
      const joined = (await incidents.find(root))?.joined_failures ?? [];
      expect(joined.map(({ fingerprint, events }) => [fingerprint, events]).toSorted()).toEqual([
        ["v1:caller", 1],
        ["v1:symptom", 1],
      ]);
      expect(await failures.find("v1:caller", env)).toMatchObject({ incidentId: root, isHeld: false });
      expect(await incidents.begin(symptom, now)).toBeNull();
      expect(await incidents.requeue(symptom)).toBe("under-way");
    });

    it("does not join one that is named after another failure by now, nor after it was released", async () => {
      const { failures, incidents, symptom, merging } = await twoIncidents();
      const into = { ...merging.into, anchor: "v1:another" };
      expect(await failures.merge({ ...merging, into })).toBe(false);
      expect(await incidents.find(symptom)).toMatchObject({ status: "queued" });
      expect(await failures.find("v1:symptom", env)).toMatchObject({ incidentId: symptom, isHeld: true });
      expect(await failures.release(symptom, now)).toBe(true);
      expect(await failures.release(symptom, now)).toBe(false);
      expect(await failures.merge(merging)).toBe(false);
    });

    it("gives the other one its name when that follows from it", async () => {
      const { failures, incidents, root, symptom, merging } = await twoIncidents();
      const trigger = { kind: "event", event_id: "e", mechanism: "x", handled: true } as const;
      const named = { title: "the root", trigger, eventId: "e", formerReason: "it follows from the root" };
      expect(await failures.merge({ ...merging, into: { ...merging.into, root: named } })).toBe(true);
      const left = await incidents.find(root);
      expect(left).toMatchObject({ title: "the root", fingerprint: "v1:symptom", status: "queued" });
      expect(left?.joined_failures).toMatchObject([{ fingerprint: "v1:root" }]);
      expect((await incidents.find(symptom))?.merged_into).toBe(root);
    });
  });
}
