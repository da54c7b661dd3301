import { describe, expect, it } from "vitest";
import type { Fact } from "../../src/signals/fact.ts";
import { at, connectionError, type Failure, failedCall, reportOn } from "../outside/failures.ts";

const error = connectionError("connect ECONNREFUSED 10.0.2.204:9833", { code: "ECONNREFUSED", syscall: "connect" });
const refused: Failure = { error, calls: [failedCall("http://payments:9833/charge", "ECONNREFUSED")] };

const calls: Fact = {
  kind: "failing-calls",
  calls: {
    ...{ host: "payments:9833", service: "payments", how: "error", chance: 1 },
    ...{ events: 20, of: 20, others: 0, othersOf: 0 },
  },
};
const concentrated = (dimension: "host" | "instance" | "route"): Fact => ({
  kind: "concentration",
  concentration: { dimension, value: "one", failing: 20, of: 20, expected: 0.5, chance: 1e-6 },
});
const restarted = (seconds: number): Fact => ({
  kind: "process-state",
  state: {
    ...{ service: "orders", instance: "i2", host: "h1", own: true, severity: 0.4, resource: "restart" },
    ...{ at: at(seconds), previous: { lastAt: at(seconds - 20), shutDownCleanly: true } },
  },
});
const deployed: Fact = {
  kind: "deploy",
  deploy: {
    ...{ service: "orders", release: "2.0.0", previous: "1.0.0", at: at(-60), verdict: "near", own: true },
    ...{ reason: { kind: "soon-after" }, firstSeen: at(0), answeredLast: false, counts: null },
  },
};

/** The probability of a service as the cause, by the report's first candidate of it; 0 without one. */
async function scoreOf(service: string, facts: readonly Fact[]): Promise<number> {
  const { candidates } = await reportOn({ ...refused, facts: [calls, ...facts] }, []);
  return candidates.find((candidate) => candidate.service === service)?.score ?? 0;
}

describe("a failed call that precedes every failure", () => {
  it("makes the service that was called the first suspect", async () => {
    expect(await scoreOf("payments", [])).toBeGreaterThan(await scoreOf("orders", []));
  });

  it.each(["host", "instance"] as const)(
    "speaks less against that service when all failures are in one %s of several",
    async (dimension) => {
      const facts = [concentrated(dimension)];
      expect(await scoreOf("payments", facts)).toBeLessThan(await scoreOf("payments", []));
      expect(await scoreOf("orders", facts)).toBeGreaterThan(await scoreOf("payments", facts));
    },
  );

  it("speaks as much against that service when all failures are on one route", async () => {
    expect(await scoreOf("payments", [concentrated("route")])).toBe(await scoreOf("payments", []));
  });
});

describe("a restart of the failing service", () => {
  it("makes the service suspect when it came before the failure", async () => {
    expect(await scoreOf("orders", [restarted(-30)])).toBeGreaterThan(await scoreOf("orders", []));
  });

  it("is given as a reason", async () => {
    const { candidates } = await reportOn({ ...refused, facts: [calls, restarted(-30)] }, []);
    const own = candidates.find(({ service }) => service === "orders");
    expect(own?.support.join()).toContain("`orders` on `h1` restarted at");
  });

  it.each([
    ["after the failure", [restarted(300)]],
    ["for a release, which counts on its own", [restarted(-30), deployed]],
  ])("adds nothing when it came %s", async (_, facts) => {
    expect(await scoreOf("orders", facts)).toBe(await scoreOf("orders", facts.slice(1)));
  });
});
