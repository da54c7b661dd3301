import { minuteMs } from "@whence/protocol";
import type { FailureTotals, SpreadCount } from "@whence/storage";
import { describe, expect, it } from "vitest";
import { judgeOwn } from "../../src/collectors/judge-release.ts";
import type { KnownRelease } from "../../src/releases/known-releases.ts";

const failedAt = Date.parse("2026-03-01T12:00:00.000Z");
const minutesBefore = (minutes: number): string => new Date(failedAt - minutes * minuteMs).toISOString();

function release(name: string, from: number, until: number): KnownRelease {
  return {
    ...{ service: "orders", release: name, firstAt: minutesBefore(from), lastAt: minutesBefore(until) },
    ...{ reported: null, isSeen: true, isBack: false, isStartKnown: true },
    ...{ lives: 1, starts: [minutesBefore(from)], runningAt: null },
  };
}

function counted(name: string, failing: number, heartbeats: number): SpreadCount {
  return { dimension: "release", value: name, failing, heartbeats, otherFailures: 0 };
}

const totals: FailureTotals = {
  ...{ events: 8, firstSeen: minutesBefore(0), lastSeen: minutesBefore(0) },
  ...{ services: ["orders"], routes: [], hosts: [], releases: ["1.4.2"] },
};

describe("a release in which a failure began", () => {
  const latest = release("1.4.2", 2, -2);

  it("is compared with the one before it, however long others ran before that", () => {
    const deploy = { latest, previous: release("1.4.1", 4, 2), later: [] };
    const spread = [counted("1.4.0", 0, 110), counted("1.4.1", 0, 2), counted("1.4.2", 8, 4)];
    expect(judgeOwn(deploy, spread, totals, null)).toMatchObject({
      verdict: "near",
      previousRan: { minutes: 2, isLong: false },
    });
  });

  it("is no longer due to chance once that one ran long enough", () => {
    const deploy = { latest, previous: release("1.4.1", 60, 2), later: [] };
    const spread = [counted("1.4.1", 0, 58), counted("1.4.2", 8, 4)];
    expect(judgeOwn(deploy, spread, totals, null)).toMatchObject({ previousRan: { minutes: 58, isLong: true } });
  });

  it("isn't left for the one before it, when that was taken back", () => {
    const deploy = { latest: { ...latest, isBack: true }, previous: release("1.5.0", 60, 2), later: [] };
    const spread = [counted("1.5.0", 0, 58), counted("1.4.2", 8, 4)];
    expect(judgeOwn(deploy, spread, totals, null)).not.toHaveProperty("previousRan");
  });
});
