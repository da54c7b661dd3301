import { describe, expect, it } from "vitest";
import { failureContextOf } from "../../src/outside/failure-context.ts";
import { categoryOfError } from "../../src/rank/failure-category.ts";
import { shippedServiceModel } from "../../src/rank/service-model.ts";
import { findSuspects } from "../../src/rank/suspects.ts";
import type { Fact } from "../../src/signals/fact.ts";
import type { FailingCalls } from "../../src/signals/facts/failing-calls.ts";
import { caseOf, eventFindings, failedAt, reported } from "./written-reports.ts";

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
