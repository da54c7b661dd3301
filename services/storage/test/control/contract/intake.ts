import { incidentThresholdsSchema, type ProcessExit } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import type { ControlDb } from "../../../src/index.ts";
import { investigationsTopic } from "../../../src/index.ts";
import { after, drainOutbox, newIncident, now, occurrence, openOrJoin, organization } from "./samples.ts";

const pulse = (id: string, takingSince: Date, at: Date) => ({ id, takingSince, now: at, forgetBefore: after(-60_000) });

/** What every control database does about what comes before an investigation. */
export function describeIntake(name: string, db: () => ControlDb): void {
  describe(`${name}: intake`, () => {
    it("keeps the thresholds of a scope whole, and has the defaults for the others", async () => {
      const [mine, theirs] = [await organization(db()), await organization(db())];
      const defaults = incidentThresholdsSchema.parse({});
      expect(await db().scope(mine).thresholds.read()).toEqual(defaults);
      const chosen = { ...defaults, min_events: 3, muted_services: ["noisy"] };
      await db()
        .scope(mine)
        .thresholds.replace({ ...chosen, quiet_hours: 2 });
      await db().scope(mine).thresholds.replace(chosen);
      expect(await db().scope(mine).thresholds.read()).toEqual(chosen);
      expect(await db().scope(theirs).thresholds.read()).toEqual(defaults);
    });

    it("asks for the most urgent investigations of each scope first", async () => {
      await drainOutbox(db());
      const [mine, theirs] = [await organization(db()), await organization(db())];
      const open = async (scope: string, priority?: number) =>
        (
          await db()
            .scope(scope)
            .incidents.open(newIncident(priority === undefined ? {} : { priority }))
        ).id;
      const [low, high, middle] = [await open(mine, 1), await open(mine, 9), await open(mine, 5)];
      const other = await open(theirs);
      const urgent = await db().outbox.urgent(2, investigationsTopic.name);
      expect(urgent.map(({ id, scopeId }) => [id, scopeId])).toEqual([
        [high, mine],
        [middle, mine],
        [other, theirs],
      ]);
      expect(await db().outbox.urgent(2, "another")).toEqual([]);
      expect((await db().outbox.urgent(10, investigationsTopic.name)).map(({ id }) => id)).toContain(low);
    });

    it("counts the turns of a publisher by scope until they end, are too old, or another begins them again", async () => {
      const [mine, theirs] = [await organization(db()), await organization(db())];
      const message = (id: string, scopeId: string) => ({ id: `${id}-${mine}`, body: "{}", scopeId });
      const messages = [message("a", mine), message("b", mine), message("c", theirs)];
      const here = { publisher: `here-${mine}`, since: after(-60_000) };
      const there = { publisher: `there-${mine}`, since: after(-60_000) };
      await db().turns.begin(messages, { ...here, now });
      expect(await db().turns.count(here)).toEqual(
        new Map([
          [mine, 2],
          [theirs, 1],
        ]),
      );
      expect(await db().turns.count({ ...here, since: after(1) })).toEqual(new Map());
      await db().turns.end([`c-${mine}`, "no such turn"]);
      await db().turns.begin([message("b", mine)], { ...there, now });
      expect(await db().turns.count(here)).toEqual(new Map([[mine, 1]]));
      expect(await db().turns.count(there)).toEqual(new Map([[mine, 1]]));
      await db().turns.begin([], { ...there, now });
      await db().turns.begin([message("d", mine)], { ...there, now: after(90_000), since: after(30_000) });
      expect(await db().turns.count(here)).toEqual(new Map());
    });

    it("makes an investigation that waits more urgent when its failure gets worse", async () => {
      await drainOutbox(db());
      const scope = await organization(db());
      const { failures } = db().scope(scope);
      await failures.decide(occurrence("v1:a"), openOrJoin);
      await failures.decide(occurrence("v1:b"), openOrJoin);
      const worse = (known: Parameters<typeof openOrJoin>[0]) => ({ ...openOrJoin(known), priority: 7 });
      await failures.decide(occurrence("v1:b"), worse);
      const ids = await Promise.all(
        ["v1:b", "v1:a"].map(async (one) => (await failures.find(one, "PROD"))?.incidentId),
      );
      expect((await db().outbox.urgent(5, investigationsTopic.name)).map(({ id }) => id)).toEqual(ids);
    });

    it("keeps what processes that stopped said last", async () => {
      const exit: ProcessExit = {
        kind: "killed",
        confidence: 0.4,
        exitAfterMs: 210_000,
        noticedAt: now.toISOString(),
        othersReporting: 2,
        processes: [
          {
            instance: "i",
            service: "shop",
            host: "h",
            pid: 7,
            runtime: "node 26",
            os: "linux",
            release: "1",
            firstSeenAt: now.toISOString(),
            lastSeenAt: now.toISOString(),
            lastEventId: "e",
            readings: [
              {
                at: now.toISOString(),
                rssBytes: 1,
                heapUsedBytes: 2,
                heapLimitBytes: null,
                memoryLimitBytes: 3,
                eventLoopDelayMs: 0.5,
                mainThreadBlockedMs: null,
                requests: 120,
                failedRequests: 3,
              },
            ],
            breadcrumbs: [],
            lastSentAt: now.toISOString(),
            mainThreadStack: "",
          },
        ],
      };
      const { incidents } = db().scope(await organization(db()));
      const { id } = await incidents.open(newIncident({ input: { kind: "process-exit", exit } }));
      expect(await incidents.input(id)).toEqual({ kind: "process-exit", exit });
    });

    it("remembers the decisions about a scope's stopped processes until they report again or expire", async () => {
      const [mine, theirs] = [await organization(db()), await organization(db())];
      const { exitedProcesses } = db().scope(mine);
      await exitedProcesses.note(["a", "b"], now);
      await exitedProcesses.note(["b", "c"], after(1_000));
      expect(await exitedProcesses.decided(now)).toEqual(new Set(["a", "b", "c"]));
      expect(await exitedProcesses.decided(after(1))).toEqual(new Set(["b", "c"]));
      expect(await db().scope(theirs).exitedProcesses.decided(now)).toEqual(new Set());
      await exitedProcesses.forget("b");
      await exitedProcesses.forgetBefore(after(1));
      expect(await exitedProcesses.decided(now)).toEqual(new Set(["c"]));
    });

    it("knows since when telemetry has been accepted, counting gateways with a recent pulse", async () => {
      const { pulses } = db();
      expect(await pulses.takingSince(after(0))).toBeNull();
      await pulses.beat(pulse("a", after(-9_000), after(0)));
      await pulses.beat(pulse("b", after(-5_000), after(0)));
      expect(await pulses.takingSince(after(-1))).toEqual(after(-9_000));
      await pulses.beat(pulse("b", after(-5_000), after(10)));
      expect(await pulses.takingSince(after(1))).toEqual(after(-5_000));
      expect(await pulses.takingSince(after(11))).toBeNull();
      await pulses.beat({ ...pulse("c", after(20), after(20)), forgetBefore: after(20) });
      expect(await pulses.takingSince(after(-100_000))).toEqual(after(20));
    });
  });
}
