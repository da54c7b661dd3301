import { hourMs } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import type { ControlDb, DecidedFailure, JoiningFailure } from "../../../src/index.ts";
import { after, drainOutbox, history, newIncident, occurrence, openOrJoin, organization, skipped } from "./samples.ts";

const env = "PROD";
const since = after(-60_000);

/** What opens an incident of the telemetry, named after the failure. */
export function opens(fingerprint: string): DecidedFailure {
  const decision = { outcome: "opened", reason: "new", rule: "new" } as const;
  const trigger = { kind: "event", event_id: fingerprint, mechanism: "x", handled: true } as const;
  const input = { kind: "event", eventId: fingerprint } as const;
  const incident = newIncident({ decision, fingerprint, env, trigger, input, service: "shop", severity: "medium" });
  const allowance = { max: 1_000, spanMs: hourMs };
  return { decision, title: "boom", history, incident, allowance, otherwise: { decision: skipped, history } };
}

/** What joins an incident that is named after `anchor`. */
export function joins(
  incidentId: string,
  anchor: string,
  root: JoiningFailure["joining"]["root"] = null,
): JoiningFailure {
  const decision = { outcome: "joined", reason: "it follows", rule: "failed-call" } as const;
  return { decision, title: "boom", history, joining: { incidentId, anchor, severity: "high", root } };
}

const root: NonNullable<JoiningFailure["joining"]["root"]> = {
  title: "the root",
  eventId: "root-event",
  formerReason: "it follows from the root",
  trigger: { kind: "event", event_id: "root-event", mechanism: "x", handled: true },
};

/** What every control database does about failures that belong to another one's incident. */
export function describeJoining(name: string, db: () => ControlDb): void {
  describe(`${name}: failures that join an incident`, () => {
    it("lets one of twenty open an incident that have all looked before, and takes the others back whole", async () => {
      const { failures, incidents } = db().scope(await organization(db()));
      const seen = await failures.openIncidents({ env, since });
      const names = Array.from({ length: 20 }, (_, index) => `v1:at-once-${index}`);
      const decided = await Promise.all(
        names.map((one) => failures.decideAsSeen(seen, occurrence(one), () => opens(one))),
      );
      expect(decided.filter((one) => one !== null)).toHaveLength(1);
      expect(await incidents.list({ limit: 30 })).toHaveLength(1);
      expect(await failures.list({ limit: 30 })).toHaveLength(1);
      expect((await failures.openIncidents({ env, since })).opened).toBe(seen.opened + 1);
    });

    it("counts a joined failure separately, and shows it with the incident and its service in lists", async () => {
      const { failures, incidents } = db().scope(await organization(db()));
      await failures.decide(occurrence("v1:root"), () => opens("v1:root"));
      const seen = await failures.openIncidents({ env, since });
      const [incident] = seen.incidents;
      const own = occurrence("v1:follows", { service: "orders", events: 3 });
      await failures.decideAsSeen(seen, own, () => joins(incident?.id ?? "", "v1:root"));
      await failures.decide(occurrence("v1:follows", { events: 2, at: after(9_000).toISOString() }), openOrJoin);
      const found = await incidents.find(incident?.id ?? "");
      expect(found).toMatchObject({ fingerprint: "v1:root", severity: "high", occurrences: { events: 1 } });
      expect(found?.joined_failures).toMatchObject([
        { service: "orders", fingerprint: "v1:follows", events: 5, last_seen: after(9_000).toISOString() },
      ]);
      expect((await incidents.list({ limit: 1 }))[0]?.also_in).toEqual(["orders"]);
      expect((await failures.find("v1:follows", env))?.joined).toMatchObject({ rule: "failed-call" });
    });

    it("names an incident after what it follows from once, and asks for its investigation again", async () => {
      await drainOutbox(db());
      const { failures, incidents } = db().scope(await organization(db()));
      await failures.decide(occurrence("v1:symptom"), () => opens("v1:symptom"));
      const seen = await failures.openIncidents({ env, since });
      const id = seen.incidents[0]?.id ?? "";
      const attempt = await incidents.begin(id, after(1));
      const join = (one: string) =>
        failures.decideAsSeen(seen, occurrence(one, { service: "payments" }), () => joins(id, "v1:symptom", root));
      const decided = await Promise.all([join("v1:one"), join("v1:other")]);
      expect(decided.filter((one) => one === null)).toHaveLength(1);
      const found = await incidents.find(id);
      expect(found).toMatchObject({ title: "the root", service: "payments", status: "queued" });
      expect(found?.joined_failures).toMatchObject([{ fingerprint: "v1:symptom", reason: "it follows from the root" }]);
      expect(await incidents.input(id)).toEqual({ kind: "event", eventId: "root-event" });
      const asked = (await db().outbox.pending(100)).filter(({ body }) => body.includes(id));
      expect(asked.map(({ id: message }) => message).toSorted()).toEqual([id, `${id}:after-${attempt}`]);
    });

    it("changes nothing when the decision needs another look, or for an incident of another scope", async () => {
      const [mine, theirs] = [db().scope(await organization(db())), db().scope(await organization(db()))];
      await theirs.failures.decide(occurrence("v1:theirs"), () => opens("v1:theirs"));
      const [incident] = (await theirs.failures.openIncidents({ env, since })).incidents;
      const seen = await mine.failures.openIncidents({ env, since });
      expect(seen).toEqual({ opened: 0, incidents: [] });
      expect(await mine.failures.decideAsSeen(seen, occurrence("v1:a"), () => null)).toBeNull();
      const join = () => joins(incident?.id ?? "", "v1:theirs");
      expect(await mine.failures.decideAsSeen(seen, occurrence("v1:a"), join)).toBeNull();
      expect(await mine.failures.list({ limit: 10 })).toEqual([]);
    });
  });
}
