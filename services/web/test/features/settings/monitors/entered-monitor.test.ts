import { describe, expect, it } from "vitest";
import { checkProblem, enteredMonitor } from "../../../../src/features/settings/monitors/entered-monitor.ts";
import { fieldProblems } from "../../../../src/lib/field-problems.ts";

const common = { name: "Shop", severity: "high", service: "", env: "", alert_after: "2" };
const uptime = {
  ...{ ...common, url: "https://shop.example.com/", method: "GET", interval_minutes: "5", timeout_seconds: "10" },
  ...{ statuses: " 200, 204 ", body_contains: "", certificate_days: "0" },
};
const checkIn = {
  ...{ ...common, slug: "sync", schedule: "interval", minutes: "10", grace_minutes: "5", max_runtime_minutes: "" },
};

/** Why a form is rejected, by field. */
function problemsOf(kind: Parameters<typeof enteredMonitor>[0], fields: Parameters<typeof enteredMonitor>[1]) {
  try {
    enteredMonitor(kind, fields);
  } catch (error) {
    return fieldProblems(error);
  }
  throw new Error("the form was accepted");
}

describe("an entered monitor", () => {
  it("has numbers, lists, and nothing for what is empty", () => {
    expect(enteredMonitor("uptime", uptime)).toEqual({
      ...{ name: "Shop", severity: "high", service: null, env: null, alert_after: 2 },
      check: {
        ...{ kind: "uptime", url: "https://shop.example.com/", method: "GET", interval_minutes: 5 },
        ...{ timeout_seconds: 10, statuses: [200, 204], body_contains: null, certificate_days: 0 },
      },
    });
    expect(enteredMonitor("check-in", checkIn).check).toMatchObject({
      ...{ schedule: { type: "interval", minutes: 10 }, max_runtime_minutes: null },
    });
  });

  it("shows a rejected part at its field, and a reason without a part at the main one", () => {
    const problems = problemsOf("uptime", { ...uptime, timeout_seconds: "31" });
    expect(checkProblem(problems, "timeout_seconds")).toMatch(/30/);
    expect(checkProblem(problems, "url", true)).toBeUndefined();
    expect(checkProblem({ check: "It has no public address." }, "url", true)).toBe("It has no public address.");
    expect(checkProblem({ check: "It has no public address." }, "timeout_seconds")).toBeUndefined();
  });

  it("needs a number where one is needed", () => {
    expect(problemsOf("uptime", { ...uptime, alert_after: "often" }).alert_after).toMatch(/./);
    expect(checkProblem(problemsOf("check-in", { ...checkIn, minutes: "" }), "schedule", true)).toMatch(/./);
  });
});
