import type { ProcessExit } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import type { ControlDb, FeedbackAuthor } from "../../../src/index.ts";
import { completed, dueMs, predicting } from "./accuracy-samples.ts";
import { after, agent, member, newIncident, now, organization, report } from "./samples.ts";

const ada: FeedbackAuthor = { kind: "member", id: "ada" };
const bob: FeedbackAuthor = { kind: "member", id: "bob" };

/** What every control database does about verdicts. */
export function describeFeedback(name: string, db: () => ControlDb): void {
  describe(`${name}: feedback`, () => {
    const feedback = (scopeId: string) => db().scope(scopeId).feedback;
    const shown = async (scopeId: string, id: string) => (await db().scope(scopeId).incidents.find(id))?.feedback;

    it("keeps one verdict of each author, and what they said before", async () => {
      const scopeId = await organization(db());
      const id = await completed(db(), scopeId);
      const cause = { file: "src/a.js", category: "bad-config", service: "billing" } as const;
      await feedback(scopeId).give(id, ada, { verdict: "right" }, now);
      await feedback(scopeId).give(id, bob, { verdict: "partly", reason: "half of it" }, after(1));
      const given = await feedback(scopeId).give(id, ada, { verdict: "wrong", actual_cause: cause }, after(2));
      const none = { reason: null, actual_cause: null, on_earlier_report: false };
      const expected = [
        {
          author: ada,
          ...none,
          verdict: "wrong",
          actual_cause: cause,
          at: after(2).toISOString(),
          counts: true,
          earlier: [{ ...none, verdict: "right", at: now.toISOString() }],
        },
        {
          author: bob,
          ...none,
          verdict: "partly",
          reason: "half of it",
          at: after(1).toISOString(),
          earlier: [],
          counts: true,
        },
      ];
      expect(given).toEqual({ outcome: "kept", counts: true, feedback: expected });
      expect(await shown(scopeId, id)).toEqual(expected);
    });

    it("changes nothing when the same opinion comes again", async () => {
      const scopeId = await organization(db());
      const id = await completed(db(), scopeId);
      await feedback(scopeId).give(id, ada, { verdict: "right", actual_cause: {} }, now);
      await feedback(scopeId).give(id, ada, { verdict: "right" }, after(1));
      expect(await shown(scopeId, id)).toMatchObject([{ at: now.toISOString(), earlier: [] }]);
    });

    it("takes 20 opinions of an author about an incident, and not the 21st", async () => {
      const scopeId = await organization(db());
      const id = await completed(db(), scopeId);
      const give = (count: number) => feedback(scopeId).give(id, ada, { verdict: "right", reason: `${count}` }, now);
      for (let count = 1; count <= 20; count += 1) expect((await give(count)).outcome).toBe("kept");
      expect(await give(21)).toEqual({ outcome: "too-often" });
      expect((await feedback(scopeId).give(id, bob, { verdict: "right" }, now)).outcome).toBe("kept");
    });

    it("keeps every opinion of an author who gives ten at once", async () => {
      const scopeId = await organization(db());
      const id = await completed(db(), scopeId);
      const all = Array.from({ length: 4 }, (_, index) =>
        feedback(scopeId).give(id, ada, { verdict: "right", reason: `${index}` }, now),
      );
      await Promise.all(all);
      const [only, ...others] = (await shown(scopeId, id)) ?? [];
      expect([only?.earlier.length, others]).toEqual([3, []]);
    });

    it("is none where there is no report, and none in another scope", async () => {
      const [scopeId, other] = [await organization(db()), await organization(db())];
      const { id: queued } = await db().scope(scopeId).incidents.open(newIncident());
      const id = await completed(db(), scopeId);
      expect(await feedback(scopeId).give(queued, ada, { verdict: "right" }, now)).toEqual({ outcome: "no-report" });
      expect(await feedback(scopeId).give("inc_x", ada, { verdict: "right" }, now)).toEqual({ outcome: "unknown" });
      expect(await feedback(other).give(id, ada, { verdict: "right" }, now)).toEqual({ outcome: "unknown" });
      expect(await feedback(other).records({ limit: 10, judged: false })).toEqual([]);
      expect(await shown(scopeId, id)).toEqual([]);
    });

    it("of a report that another investigation replaced stays, marked, and counts no more", async () => {
      const scopeId = await organization(db());
      const id = await completed(db(), scopeId);
      await feedback(scopeId).give(id, ada, { verdict: "wrong" }, now);
      const { incidents } = db().scope(scopeId);
      await incidents.requeue(id);
      await incidents.complete(id, (await incidents.begin(id, now)) ?? 0, report, now);
      expect(await shown(scopeId, id)).toMatchObject([{ verdict: "wrong", on_earlier_report: true, counts: false }]);
      expect(await feedback(scopeId).records({ limit: 10, judged: true })).toEqual([]);
      await feedback(scopeId).give(id, ada, { verdict: "wrong" }, now);
      expect(await feedback(scopeId).records({ limit: 10, judged: true })).toMatchObject([
        { verdicts: [{ author: ada, verdict: "wrong" }] },
      ]);
    });

    it("of a key or an agent about the analysis that it asked for is kept, and counts for nothing", async () => {
      const scopeId = await organization(db());
      const { incidents } = db().scope(scopeId);
      const trigger = { kind: "analyze", agent_id: "agt_1", files: 0 } as const;
      const { id } = await incidents.open({ ...newIncident(), trigger, askedByKeyId: "key_1" });
      await incidents.complete(id, (await incidents.begin(id, now)) ?? 0, report, now);
      const give = (author: FeedbackAuthor) => feedback(scopeId).give(id, author, { verdict: "wrong" }, now);
      for (const author of [{ kind: "key", id: "key_1" } as const, { kind: "agent", id: "agt_1" } as const]) {
        expect(await give(author)).toMatchObject({ outcome: "kept", counts: false });
      }
      expect((await shown(scopeId, id))?.map(({ counts }) => counts)).toEqual([false, false]);
      expect(await feedback(scopeId).records({ limit: 10, judged: true })).toEqual([]);
      const others = [{ kind: "key", id: "key_2" } as const, { kind: "agent", id: "agt_2" } as const, ada];
      for (const author of others) await give(author);
      const [record] = await feedback(scopeId).records({ limit: 10, judged: true });
      expect(new Set(record?.verdicts.map(({ author }) => author))).toEqual(new Set(others));
    });

    it("goes with its incident to the organization that claims the agent", async () => {
      const { id, token } = await agent(db());
      const organizationId = await organization(db());
      const incident = await completed(db(), id);
      await feedback(id).give(incident, { kind: "agent", id }, { verdict: "right" }, now);
      await db().agents.claim(token, await member(db(), organizationId), after(1));
      expect(await shown(organizationId, incident)).toMatchObject([{ author: { kind: "agent", id } }]);
      expect(await feedback(organizationId).records({ limit: 10, judged: true })).toMatchObject([
        { incidentId: incident },
      ]);
      expect(await feedback(id).records({ limit: 10, judged: false })).toEqual([]);
    });
  });

  describe(`${name}: the records of reports`, () => {
    it("say which are of processes that stopped", async () => {
      const scopeId = await organization(db());
      const { feedback, incidents } = db().scope(scopeId);
      const exit: ProcessExit = {
        kind: "killed",
        confidence: 0.4,
        exitAfterMs: 1,
        noticedAt: now.toISOString(),
        othersReporting: 0,
        processes: [],
      };
      const { id } = await incidents.open({ ...newIncident(), input: { kind: "process-exit", exit } });
      const attempt = await incidents.begin(id, now);
      await incidents.complete(id, attempt ?? 0, report, now);
      expect(await feedback.records({ limit: 1, judged: false })).toMatchObject([{ incidentId: id, isOfExit: true }]);
    });

    it("say how sure each was, each author's last word, and what became of its predictions, newest first", async () => {
      const scopeId = await organization(db());
      const { feedback } = db().scope(scopeId);
      const exited = await completed(db(), scopeId);
      const judged = await completed(db(), scopeId);
      await feedback.give(judged, ada, { verdict: "wrong" }, now);
      await feedback.give(judged, ada, { verdict: "right" }, after(1));
      const record = {
        category: "null-dereference",
        score: 0.6,
        modelScore: 0.5,
        completedAt: now.toISOString(),
        verdicts: [],
        isOfExit: false,
        predictions: [
          { isDiscriminating: true, outcome: "open" },
          { isDiscriminating: false, outcome: "open" },
        ],
      };
      const spoken = { ...record, incidentId: judged, verdicts: [{ author: ada, verdict: "right" }] };
      expect(await feedback.records({ limit: 10, judged: false })).toEqual([spoken, { ...record, incidentId: exited }]);
      expect(await feedback.records({ limit: 1, judged: false })).toEqual([spoken]);
      expect(await feedback.records({ limit: 10, judged: true })).toEqual([spoken]);
    });

    it("are judged by a settled prediction that tells candidates apart, and by no other", async () => {
      const scopeId = await organization(db());
      const { feedback } = db().scope(scopeId);
      const id = await completed(db(), scopeId, { ...predicting, confidence: { score: 0.6, basis: "" } });
      const bounds = { perScopeMax: 1_000, max: 1_000, holdMs: 1 };
      const taken = (await db().predictions.take(after(dueMs), bounds)).filter(({ incidentId }) => incidentId === id);
      const [telling, repeating] = taken;
      const result = { at: now.toISOString(), reason: "", counts: {}, excerpt: null };
      if (repeating) await db().predictions.settle(repeating, { state: "refuted", result });
      expect(await feedback.records({ limit: 10, judged: true })).toEqual([]);
      if (telling) await db().predictions.settle(telling, { state: "upheld", result });
      expect(await feedback.records({ limit: 10, judged: true })).toMatchObject([
        {
          modelScore: 0.6,
          predictions: [
            { isDiscriminating: true, outcome: "upheld" },
            { isDiscriminating: false, outcome: "refuted" },
          ],
        },
      ]);
    });
  });
}
