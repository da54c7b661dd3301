import { call, eventSubject, exception, frameAt, investigated, reportedEvent } from "@whence/engine/testing";
import type { Report } from "@whence/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { before, fingerprint, heartbeats, type Kept, keptTelemetry } from "./kept-telemetry.ts";

const { withStored } = keptTelemetry();
const program = { "/srv/orders/src/a.js": "function f(order) {\n  return order.total;\n}\n" };
const exceptions = [
  exception("TypeError", "Cannot read properties of undefined (reading 'total')", [
    frameAt(program, "/srv/orders/src/a.js", "total", "f"),
  ]),
];
const unavailable = { method: "POST", url: "http://payments:8080/charge", status_code: 503, duration_ms: 9 };
const breadcrumbs = [call(0.1, unavailable)];
/** How long before the investigated event the failure began. */
const beganSeconds = 300;

const failed = (secondsBefore: number, kept: Kept = {}): Kept => ({
  ...{ fingerprint, secondsBefore, ...kept },
  event: {
    exceptions,
    breadcrumbs: [{ timestamp: before(secondsBefore + 0.1), category: "http", data: unavailable }],
  },
});

/** A process of a release that began so many seconds after the failure did. */
function started(service: string, release: string, afterSeconds: number, isStartKnown: boolean): Kept {
  const uptime = isStartKnown ? 5 : 0;
  return {
    ...{ service, release, instance: `${service} ${release}`, secondsBefore: beganSeconds - afterSeconds - uptime },
    event: { type: "heartbeat", level: "info", message: "", attributes: { uptime_seconds: uptime } },
  };
}

const old = (service: string): Kept[] => heartbeats(60, { service, instance: `${service} old`, release: "1.0.0" });

async function reported(kept: readonly Kept[]): Promise<Report> {
  const subject = eventSubject(reportedEvent({ exceptions, breadcrumbs }));
  return (await investigated(subject, await withStored(...kept))).report;
}

const releasesIn = ({ evidence }: Report): { release: string; verdict: string }[] =>
  evidence
    .filter(({ source }) => source.name === "releases")
    .map(({ excerpt }) => JSON.parse(excerpt) as { release: string; verdict: string });
const verdictOn = (report: Report, release: string): string =>
  releasesIn(report).find((one) => one.release === release)?.verdict ?? "not judged";

describe("a release that began after the failure", () => {
  const outage = [...old("payments"), failed(beganSeconds), failed(200), failed(1)];

  it.each([
    ["its start is known, and is 52 s later", 52, true, "ruled-out"],
    ["its start is known, and is 17 s later", 17, true, "ruled-out"],
    ["its start is known, and clocks may differ as much", 16, true, "near"],
    ["its start is known, and is earlier", -20, true, "near"],
    ["it was first seen 121 s later", 121, false, "ruled-out"],
    ["it was first seen 120 s later, and may have run before", 120, false, "near"],
  ])("is judged by how exactly its time is known: %s", async (_, afterSeconds, isStartKnown, verdict) => {
    const report = await reported([...outage, started("payments", "1.0.1", afterSeconds, isStartKnown)]);
    expect(verdictOn(report, "1.0.1")).toBe(verdict);
    if (verdict === "ruled-out") expect(JSON.stringify(report.chain)).not.toContain("1.0.1");
  });

  it("is never a cause, whatever the order of events, and doesn't hide an earlier release", async () => {
    const breaking = started("payments", "1.0.1", -60, true);
    const kept = [...outage, breaking, started("payments", "1.0.2", 52, true)];
    const shuffled = fc.shuffledSubarray(kept, { minLength: kept.length });
    await fc.assert(
      fc.asyncProperty(shuffled, async (events) => {
        const report = await reported(events);
        expect(verdictOn(report, "1.0.1")).toBe("near");
        expect(verdictOn(report, "1.0.2")).toBe("ruled-out");
        expect(JSON.stringify(report.chain)).not.toContain("1.0.2");
      }),
      { numRuns: 5 },
    );
  });

  it.each([10, 52])(
    "doesn't hide the failing release when it is the one from before, back after %i s",
    async (back) => {
      const breaking = { release: "1.4.3", instance: "breaking" };
      const kept = [
        ...heartbeats(60).slice(0, 54),
        { ...started("orders", "1.4.3", -60, true), ...breaking },
        failed(beganSeconds, breaking),
        { ...started("orders", "1.4.2", back, true), instance: "back" },
        ...heartbeats(4, { instance: "back" }),
      ];
      const report = await reported(kept);
      expect(verdictOn(report, "1.4.3")).toBe("near");
      expect(verdictOn(report, "1.4.2")).toBe("ruled-out");
    },
  );

  it("doesn't hide an earlier one when the clocks can't tell whether it was earlier, too", async () => {
    const kept = [...outage, started("payments", "1.0.1", -60, true), started("payments", "1.0.2", 16, true)];
    expect(verdictOn(await reported(kept), "1.0.1")).toBe("near");
  });

  it("isn't a suspect for failing more often than the previous one, which failed only at the end", async () => {
    const now = { release: "1.4.3", instance: "hotfix" };
    const first = Array.from({ length: 4 }, (_, index) => failed(beganSeconds - index * 12));
    const more = Array.from({ length: 60 }, (_, index) => failed(index * 4, now));
    const hotfix = started("orders", "1.4.3", 52, true);
    const report = await reported([...heartbeats(60), ...first, { ...hotfix, ...now }, ...more]);
    expect(verdictOn(report, "1.4.3")).toBe("ruled-out");
    expect(report.root_cause.category).not.toBe("deploy-regression");
  });
});
