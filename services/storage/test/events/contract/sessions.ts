import { randomUUID } from "node:crypto";
import { hourMs } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import type { EventStore, StoredSessions } from "../../../src/index.ts";

const now = Math.floor(Date.now() / hourMs) * hourMs;
const at = (ms: number): string => new Date(now + ms).toISOString();
const span = { service: "shop", env: "PROD", from: at(-hourMs), to: at(hourMs) };

/** What every connection of the event store returns about sessions. */
export function describeSessions(name: string, opened: () => EventStore): void {
  const scope = async (...inserts: readonly (readonly Partial<StoredSessions>[])[]) => {
    const scopeId = `org_${randomUUID()}`;
    for (const sessions of inserts) {
      await opened().insertSessions(
        sessions.map((some) => ({
          ...{ scopeId, service: "shop", env: "PROD", release: "1.0", id: "a", at: at(0), receivedAt: at(1) },
          ...{ sessions: 1, crashed: 0, unhandled: 0, ...some },
        })),
      );
    }
    return opened().forScope(scopeId);
  };

  describe(`${name}: sessions`, () => {
    it("count once by their ID, whatever their reports say in whatever order", async () => {
      const reports = [{ crashed: 1 }, {}, { id: "b" }];
      const scoped = await scope([], reports, reports.toReversed());
      expect(await scoped.sessionCounts(span)).toEqual({
        from: at(-hourMs),
        counts: [{ release: "1.0", hour: at(0), sessions: 2, crashed: 1, unhandled: 0 }],
      });
    });

    it("that crash after an error that nothing caught count as crashed, whichever is reported first", async () => {
      const reports = [{ unhandled: 1 }, { crashed: 1 }, { id: "b", unhandled: 1 }];
      for (const inOrder of [reports, reports.toReversed()]) {
        const { counts } = await (await scope(inOrder)).sessionCounts(span);
        expect(counts).toMatchObject([{ sessions: 2, crashed: 1, unhandled: 1 }]);
      }
    });

    it("of a server that failed differently count apart, however often they come", async () => {
      const together = { id: "server", sessions: 10, crashed: 2, unhandled: 3 };
      const { counts } = await (await scope([together], [together])).sessionCounts(span);
      expect(counts).toMatchObject([{ sessions: 10, crashed: 2, unhandled: 3 }]);
    });

    it("are counted by hour, release, and environment, those that were reported together, too", async () => {
      const together = { id: "server", sessions: 5_000, crashed: 20 };
      const scoped = await scope(
        [together, { id: "c", at: at(-1) }, { id: "d", release: "", at: at(-hourMs) }],
        [together, { env: "STAGING" }, { service: "orders" }, { id: "e", at: at(-hourMs - 1) }],
      );
      const [none, old, many] = (await scoped.sessionCounts(span)).counts;
      expect([none, old]).toEqual([
        { release: "", hour: at(-hourMs), sessions: 1, crashed: 0, unhandled: 0 },
        { release: "1.0", hour: at(-hourMs), sessions: 1, crashed: 0, unhandled: 0 },
      ]);
      expect(many).toMatchObject({ release: "1.0", hour: at(0), crashed: 20 });
      // A sketch of many is within a few percent.
      expect(Math.abs((many?.sessions ?? 0) / 5_000 - 1)).toBeLessThan(0.05);
      expect(await scoped.serviceEnvs("orders")).toEqual([{ env: "PROD", lastSeenAt: at(1) }]);
    });
  });
}
