import { describe, expect, it } from "vitest";
import type { ControlDb, DecidedFailure, FailureFilter, KnownFailure } from "../../../src/index.ts";
import {
  after,
  drainOutbox,
  history,
  newIncident,
  now,
  occurrence,
  openOrJoin,
  organization,
  skipped,
} from "./samples.ts";

/** What every control database does about failures. */
export function describeFailures(name: string, db: () => ControlDb): void {
  describe(`${name}: failures`, () => {
    it("opens one incident when 20 deciders meet the same new failure at once", async () => {
      await drainOutbox(db());
      const { failures, incidents } = db().scope(await organization(db()));
      const decisions = await Promise.all(
        Array.from({ length: 20 }, () => failures.decide(occurrence("v1:race"), openOrJoin)),
      );
      expect(decisions.filter(({ outcome }) => outcome === "opened").length).toBe(1);
      const [incident, ...others] = await incidents.list({ limit: 10 });
      expect(others).toEqual([]);
      expect((await db().outbox.pending(10)).map(({ id }) => id)).toEqual([incident?.id]);
      expect(await failures.find("v1:race", "PROD")).toMatchObject({
        incidentId: incident?.id,
        incidentStatus: "queued",
        decision: { outcome: "joined" },
      });
    });

    it("shows `decide` the failure as it is stored, and keeps its first and last occurrence in any order", async () => {
      const { failures } = db().scope(await organization(db()));
      const known: (KnownFailure | null)[] = [];
      const decide = (failure: KnownFailure | null): DecidedFailure => {
        known.push(failure);
        return openOrJoin(failure);
      };
      await failures.decide(occurrence("v1:known", { at: "2026-03-01T13:00:05.5+01:00" }), decide);
      await failures.decide(occurrence("v1:known", { at: "2026-03-01T12:00:09Z", now: after(7) }), decide);
      await failures.decide(occurrence("v1:known", { at: "2026-03-01T12:00:01Z" }), decide);
      expect(known[0]).toBeNull();
      expect(known[1]).toMatchObject({ firstSeen: "2026-03-01T12:00:05.500Z", decision: { outcome: "opened" } });
      expect(await failures.find("v1:known", "PROD")).toMatchObject({
        firstSeen: "2026-03-01T12:00:01.000Z",
        lastSeen: "2026-03-01T12:00:09.000Z",
        service: "shop",
      });
      expect(await failures.find("v1:known", "DEV")).toBeNull();
    });

    it("answers the decision taken before, and changes nothing, for an event that comes again", async () => {
      const { failures, incidents } = db().scope(await organization(db()));
      const once = occurrence("v1:again");
      const opened = await failures.decide(once, openOrJoin);
      const before = await failures.find("v1:again", "PROD");
      expect(await failures.decide({ ...once, now: after(5) }, openOrJoin)).toEqual(opened);
      expect(await failures.find("v1:again", "PROD")).toEqual(before);
      expect((await incidents.list({ limit: 10 })).length).toBe(1);
    });

    it("records each outcome and rule once, with the first and the last time, the latest first", async () => {
      const { failures } = db().scope(await organization(db()));
      await failures.decide(occurrence("v1:log"), openOrJoin);
      await failures.decide(occurrence("v1:log", { now: after(1) }), openOrJoin);
      await failures.decide(occurrence("v1:log", { now: after(2), eventId: "last" }), openOrJoin);
      const [joined, opened] = await failures.decisions("v1:log", "PROD");
      expect(joined).toMatchObject({
        outcome: "joined",
        firstAt: after(1).toISOString(),
        lastAt: after(2).toISOString(),
        lastEventId: "last",
      });
      expect(opened).toMatchObject({ outcome: "opened", firstAt: now.toISOString(), lastAt: now.toISOString() });
    });

    it("keeps nothing of a decision that throws", async () => {
      const { failures } = db().scope(await organization(db()));
      const throws = (): never => {
        throw new Error("undecided");
      };
      await expect(failures.decide(occurrence("v1:throws"), throws)).rejects.toThrow("undecided");
      expect(await failures.find("v1:throws", "PROD")).toBeNull();
      expect(await failures.decisions("v1:throws", "PROD")).toEqual([]);
      expect(await failures.list({ limit: 10 })).toEqual([]);
    });

    it("lists the latest decided first, of its scope alone", async () => {
      const { failures } = db().scope(await organization(db()));
      await failures.decide(occurrence("v1:old"), openOrJoin);
      await failures.decide(occurrence("v1:new", { now: after(1) }), openOrJoin);
      expect((await failures.list({ limit: 10 })).map(({ fingerprint }) => fingerprint)).toEqual(["v1:new", "v1:old"]);
      expect((await failures.list({ limit: 1 })).length).toBe(1);
      const { failures: theirs } = db().scope(await organization(db()));
      expect(await theirs.list({ limit: 10 })).toEqual([]);
      expect(await theirs.find("v1:old", "PROD")).toBeNull();
      expect(await theirs.decisions("v1:old", "PROD")).toEqual([]);
    });

    it("lists those whose latest decision has an outcome or a rule", async () => {
      const { failures } = db().scope(await organization(db()));
      const skip = (rule: string) => (): DecidedFailure => ({ title: "boom", history, decision: { ...skipped, rule } });
      await failures.decide(occurrence("v1:opened"), skip("spent"));
      await failures.decide(occurrence("v1:opened", { now: after(1) }), openOrJoin);
      await failures.decide(occurrence("v1:muted", { now: after(2) }), skip("muted"));
      await failures.decide(occurrence("v1:spent", { now: after(3) }), skip("muted"));
      await failures.decide(occurrence("v1:spent", { now: after(4) }), skip("spent"));
      const listed = async (filter: Omit<FailureFilter, "limit">) =>
        (await failures.list({ limit: 10, ...filter })).map(({ fingerprint }) => fingerprint);
      expect(await listed({ outcome: "skipped" })).toEqual(["v1:spent", "v1:muted"]);
      expect(await listed({ outcome: "opened" })).toEqual(["v1:opened"]);
      expect(await listed({ rule: "spent" })).toEqual(["v1:spent"]);
      expect(await listed({ outcome: "opened", rule: "spent" })).toEqual([]);
      const { failures: theirs } = db().scope(await organization(db()));
      expect(await theirs.list({ limit: 10, outcome: "skipped" })).toEqual([]);
    });

    it("orders what was decided at the same time by the bytes of its fingerprint", async () => {
      const { failures } = db().scope(await organization(db()));
      for (const fingerprint of ["v1:é", "v1:a", "v1:_", "v1:B"]) {
        await failures.decide(occurrence(fingerprint), openOrJoin);
      }
      const listed = (await failures.list({ limit: 10 })).map(({ fingerprint }) => fingerprint);
      expect(listed).toEqual(["v1:B", "v1:_", "v1:a", "v1:é"]);
    });

    it("counts occurrences on the incident once, however often the latest hundred are delivered again", async () => {
      const { failures, incidents } = db().scope(await organization(db()));
      const told = Array.from({ length: 100 }, (_, index) =>
        occurrence("v1:count", { events: index + 1, at: after(index * 1_000).toISOString() }),
      );
      for (const one of told) await failures.decide(one, openOrJoin);
      for (const one of told) await failures.decide(one, openOrJoin);
      await failures.decide(occurrence("v1:count", { events: 7, at: after(-1_000).toISOString() }), openOrJoin);
      const [listed] = await incidents.list({ limit: 10 });
      const occurrences = { events: 5_050 + 7, last_seen: after(99_000).toISOString() };
      expect(listed?.occurrences).toEqual(occurrences);
      expect((await incidents.find(listed?.id ?? ""))?.occurrences).toEqual(occurrences);
    });

    it("remembers what was decided to be remembered, and shows it to the next decision", async () => {
      const { failures } = db().scope(await organization(db()));
      const deferred = { rule: "later", reason: "not now" };
      const decided = { decision: skipped, title: "boom", history: { ...history, events: 41, deferred } };
      await failures.decide(occurrence("v1:memory"), () => decided);
      expect((await failures.find("v1:memory", "PROD"))?.history).toEqual(decided.history);
    });

    it("opens no more incidents of telemetry than are allowed in the span, and then decides otherwise", async () => {
      const { failures, incidents } = db().scope(await organization(db()));
      const decision = { outcome: "opened", reason: "new", rule: "new" } as const;
      const trigger = { kind: "event", event_id: "e", mechanism: "x", handled: true } as const;
      const decide = (at: Date) => (): DecidedFailure => ({
        decision,
        title: "boom",
        history,
        allowance: { max: 2, spanMs: 1_000 },
        incident: newIncident({ decision, trigger, now: at }),
        otherwise: { decision: skipped, history: { ...history, deferred: { rule: "new", reason: "new" } } },
      });
      await incidents.open(newIncident());
      const taken: string[] = [];
      for (const [index, ms] of [0, 0, 0, 1_000].entries()) {
        const at = after(ms);
        taken.push((await failures.decide(occurrence(`v1:${index}`, { now: at }), decide(at))).outcome);
      }
      expect(taken).toEqual(["opened", "opened", "skipped", "opened"]);
      expect(await failures.find("v1:2", "PROD")).toMatchObject({
        incidentId: null,
        decision: skipped,
        history: { deferred: { rule: "new" } },
      });
    });
  });
}
