import { describe, expect, it } from "vitest";
import { reportWith } from "../ended-report.ts";
import { cause, conversingInEachTest } from "./conversing.ts";

const our = conversingInEachTest();

describe("an incident that is investigated again", () => {
  it("before its answer could be posted is answered from the existing report", async () => {
    our().start();
    await our().ask("t");
    const incidentId = await our().incidentOf("t");
    await our().stop();
    await our().complete(incidentId);
    await our().scope.incidents.requeue(incidentId);
    our().start();
    await our()
      .until(() => our().vendor.said("t"))
      .toEqual([cause]);
    await our().complete(incidentId);
    await our().settled();
    expect(our().vendor.said("t")).toEqual([cause]);
  });

  it("after it had failed is answered in place of the failure", async () => {
    our().start();
    await our().ask("t");
    const incidentId = await our().incidentOf("t");
    await our().fail(incidentId);
    await our()
      .until(() => our().vendor.said("t"))
      .toEqual(["Investigation failed: Checkout fails in t"]);
    await our().scope.incidents.requeue(incidentId);
    await our().complete(incidentId);
    await our()
      .until(() => our().vendor.said("t"))
      .toEqual([cause]);
    await our()
      .until(() => our().vendor.states.get("t"))
      .toBe("COMPLETED");
  });
});

describe("a corrected report", () => {
  it("replaces the answer, without another message", async () => {
    const incidentId = await our().answered("t");
    await our().scope.incidents.requeue(incidentId);
    const root_cause = { category: "timeout" as const, statement: "Code [e1].", location: null, service: null };
    await our().complete(incidentId, reportWith({ root_cause, root_cause_summary: "Another cause [e1]." }));
    await our()
      .until(() => our().vendor.said("t"))
      .toEqual(["Another cause."]);
  });

  it("that only has a higher confidence posts nothing", async () => {
    const incidentId = await our().answered("t");
    const calls = our().vendor.calls.length;
    await our().scope.incidents.requeue(incidentId);
    await our().complete(incidentId, reportWith({ confidence: { score: 0.9, basis: "more" } }));
    await our().settled();
    expect(our().vendor.calls).toHaveLength(calls);
  });
});
