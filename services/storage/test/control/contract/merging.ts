import { describe, expect, it } from "vitest";
import type { ControlDb, EvidencePlan } from "../../../src/index.ts";
import { joins, opens } from "./joining.ts";
import { after, drainOutbox, now, occurrence, openOrJoin, organization, report } from "./samples.ts";

const env = "PROD";
const by = { kind: "member", id: "usr_merging", name: "Ada" } as const;

/** What every control database does about incidents that people merge. */
export function describeMerging(name: string, db: () => ControlDb): void {
  /** An incident with a report, named after a failure of the service. */
  async function reported(scopeId: string, service: string, plan?: EvidencePlan): Promise<string> {
    const { failures, incidents } = db().scope(scopeId);
    const fingerprint = `v1:${service}`;
    const decided = opens(fingerprint);
    const opened = "incident" in decided ? { ...decided, incident: { ...decided.incident, service } } : decided;
    await failures.decide(occurrence(fingerprint, { service }), () => opened);
    const id = (await failures.find(fingerprint, env))?.incidentId ?? "";
    await incidents.complete(id, (await incidents.begin(id, now)) ?? 0, report, now, plan && { plan });
    return id;
  }

  describe(`${name}: an incident that someone merged`, () => {
    it("outlives the service of the other one, with its report, its input, and its failures", async () => {
      const scopeId = await organization(db());
      const { failures, incidents, merges } = db().scope(scopeId);
      const [web, api] = [await reported(scopeId, "web"), await reported(scopeId, "api")];
      const seen = await failures.openIncidents({ env, since: after(-60_000) });
      const caller = occurrence("v1:caller", { service: "orders" });
      await failures.decideAsSeen(seen, caller, () => joins(api, "v1:api"));
      expect(await merges.merge(web, [api], by, now)).toEqual({ outcome: "changed" });
      await failures.decide(occurrence("v1:api", { service: "api" }), openOrJoin);
      await db().erasures.removeRows(await db().erasures.request({ scopeId, service: "web", now }), by);
      expect(await incidents.find(web)).toBeNull();
      const kept = await incidents.find(api);
      expect(kept).toMatchObject({ status: "completed", report: { root_cause: report.root_cause } });
      expect(kept).toMatchObject({ occurrences: { events: 2 }, joined_failures: [{ fingerprint: "v1:caller" }] });
      expect(kept?.merged_into ?? null).toBeNull();
      expect(await incidents.input(api)).toEqual({ kind: "event", eventId: "v1:api" });
      const known = await failures.list({ limit: 10 });
      expect(known.map(({ fingerprint, incidentId }) => [fingerprint, incidentId]).toSorted()).toEqual([
        ["v1:api", api],
        ["v1:caller", api],
      ]);
    });

    it("goes with its own service, and leaves the other one", async () => {
      const scopeId = await organization(db());
      const { failures, incidents, merges } = db().scope(scopeId);
      const [web, api] = [await reported(scopeId, "web"), await reported(scopeId, "api")];
      await merges.merge(web, [api], by, now);
      await db().erasures.removeRows(await db().erasures.request({ scopeId, service: "api", now }), by);
      expect(await incidents.find(api)).toBeNull();
      const kept = await incidents.find(web);
      expect([kept?.status, kept?.joined_failures ?? []]).toEqual(["completed", []]);
      expect((await failures.list({ limit: 10 })).map(({ fingerprint }) => fingerprint)).toEqual(["v1:web"]);
    });

    it("counts toward what telemetry may open in the span", async () => {
      const { failures, incidents, merges } = db().scope(await organization(db()));
      const open = async (fingerprint: string) => {
        const decided = opens(fingerprint);
        const allowed = "incident" in decided ? { ...decided, allowance: { max: 2, spanMs: 60_000 } } : decided;
        await failures.decide(occurrence(fingerprint), () => allowed);
        const id = (await failures.find(fingerprint, env))?.incidentId ?? null;
        if (id !== null) await incidents.complete(id, (await incidents.begin(id, now)) ?? 0, report, now);
        return id;
      };
      const [first, second] = [await open("v1:first"), await open("v1:second")];
      expect(await merges.merge(first ?? "", [second ?? ""], by, now)).toEqual({ outcome: "changed" });
      expect(await open("v1:third")).toBeNull();
    });

    it("has its report refined again once it is separated", async () => {
      const scopeId = await organization(db());
      const { incidents, merges } = db().scope(scopeId);
      const plan = { mark: "a", refineAt: after(7_000), refinedUntil: after(600_000) };
      const [web, api] = [await reported(scopeId, "web"), await reported(scopeId, "api", plan)];
      await drainOutbox(db());
      await merges.merge(web, [api], by, now);
      expect((await incidents.find(api))?.refinement).toMatchObject({ refining: false });
      const asked = async (at: Date): Promise<string[]> => {
        await db().refinements.askDue(at, { max: 1_000, holdMs: 60_000 });
        const pending = (await db().outbox.pending(1_000)).filter(({ body }) => body.includes(api));
        await db().outbox.remove(pending.map(({ id }) => id));
        return pending.map(({ body }) => body);
      };
      expect(await asked(after(20_000))).toEqual([]);
      expect(await merges.separate(api, by, after(20_000))).toEqual({ outcome: "changed" });
      expect((await incidents.find(api))?.refinement).toMatchObject({
        ...{ refining: true, refined_until: after(600_000).toISOString() },
      });
      expect(await asked(after(29_999))).toEqual([]);
      expect(await asked(after(30_000))).toEqual([expect.stringContaining('"refine":true')]);
    });
  });
}
