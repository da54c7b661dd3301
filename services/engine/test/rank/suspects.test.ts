import { describe, expect, it } from "vitest";
import { failureContextOf } from "../../src/outside/failure-context.ts";
import { categoryOfError } from "../../src/rank/failure-category.ts";
import { shippedServiceModel } from "../../src/rank/service-model.ts";
import { findSuspects } from "../../src/rank/suspects.ts";
import type { Fact } from "../../src/signals/fact.ts";
import type { FailingCalls } from "../../src/signals/facts/failing-calls.ts";
import { at, connectionError, type Failure, failedCall, reportOn } from "../outside/failures.ts";
import { caseOf, eventFindings, failedAt, reported } from "../report/written-reports.ts";

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

const besides: Fact = {
  kind: "related-failure",
  failure: {
    ...{ service: "payments", message: "Error: x", at: failedAt, location: null, link: "time", role: "beside" },
    ...{ traces: { with: 0, of: 0 }, wasThere: false, category: null },
    error: { type: "Error", message: "x", code: null },
  },
};
const failing = (host: string, service: string | null): Fact => ({
  kind: "failing-calls",
  calls: { host, service, how: "status", events: 1, of: 1, others: 0, othersOf: 0, chance: 1 } satisfies FailingCalls,
});
const doubtsOf = (facts: readonly Fact[], service: string): readonly string[] =>
  reported(caseOf(eventFindings(facts), { kind: "service", service }, [], { service })).candidates[0]?.against ?? [];
const suspectsOf = (facts: readonly Fact[]) => {
  const findings = eventFindings(facts);
  const { event } = findings;
  if (!event) throw new Error("the findings are of an event");
  const evidence = {
    said: categoryOfError(findings),
    event,
    own: event.service,
    signals: [],
    observations: findings.observations,
    context: failureContextOf(findings),
  };
  return findSuspects(evidence, shippedServiceModel().weights);
};

describe("a service that failed at the same time", () => {
  it("is doubted when no call is known to connect it", () => {
    const stock: Fact = { ...besides, failure: { ...besides.failure, service: "stock" } };
    expect(doubtsOf([stock], "stock")).toEqual([
      "`stock` only failed at about the same time; no call is known to connect the two",
    ]);
  });

  it("isn't doubted for its time when a call to it failed, by its name or by what telemetry knows about the host", () => {
    expect(doubtsOf([besides], "payments")).toEqual([]);
    const stock: Fact = { ...besides, failure: { ...besides.failure, service: "stock" } };
    expect(doubtsOf([stock, failing("10.0.0.7:8080", "stock")], "stock")).toEqual([]);
  });
});

describe("a called service", () => {
  it("is one suspect, by its name when telemetry knows which service answers at the host", () => {
    const suspects = suspectsOf([failing("payments:8080", "billing")]);
    expect(suspects.map(({ subject }) => subject)).toEqual([{ kind: "service", service: "billing" }]);
  });

  it("is one suspect when the host has its name and it failed at the same time", () => {
    expect(suspectsOf([besides]).map(({ subject }) => subject)).toEqual([{ kind: "service", service: "payments" }]);
  });

  it("is its host when nothing shows which service answers there", () => {
    const suspects = suspectsOf([failing("payments:8080", null)]);
    expect(suspects.map(({ subject }) => subject)).toEqual([{ kind: "dependency", name: "payments:8080" }]);
  });
});
