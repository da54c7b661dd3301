import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type FailureSummary, hourMs } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { decisionName, skippedNames } from "../../../src/features/failures/decision-names.ts";
import { failureFilterSchema } from "../../../src/features/failures/failure-filter.ts";
import { spentBudget } from "../../../src/features/failures/spent-budget.ts";

const now = Date.parse("2026-03-01T12:00:00.000Z");
const decidedAgo = (agoMs: number, rule = "budget-spent"): FailureSummary => {
  const at = new Date(now - agoMs).toISOString();
  return {
    fingerprint: "v1:1",
    service: "shop",
    env: "PROD",
    title: "boom",
    events: 1,
    first_seen: at,
    last_seen: at,
    incident_id: null,
    decision: { outcome: "skipped", rule, reason: "" },
    decided_at: at,
    decisions: [],
  };
};

describe("why a failure wasn't investigated", () => {
  it("has words for each documented rule, and for no other", async () => {
    const page = await readFile(join(import.meta.dirname, "../../../../../docs/incidents.md"), "utf8");
    const [, section = ""] = page.split("## When none opens");
    const [table = ""] = section.split("\n## ");
    const rules = [...table.matchAll(/^\| `([a-z-]+)`/gm)].map(([, rule]) => rule);
    expect(Object.keys(skippedNames).sort()).toEqual(rules.sort());
  });

  it("names a rule that the page doesn't know yet", () => {
    expect(decisionName({ outcome: "skipped", rule: "new-rule", reason: "" }).name).toBe("Skipped: new-rule");
  });
});

describe("the filter in the URL of the failures", () => {
  it("shows those that weren't investigated unless it says all", () => {
    expect(failureFilterSchema.parse({ show: "none", rule: "" })).toEqual({});
    expect(failureFilterSchema.parse({ show: "all" })).toEqual({ show: "all" });
    expect(failureFilterSchema.parse({ rule: "budget-spent" })).toEqual({ rule: "budget-spent" });
  });
});

describe("a budget", () => {
  it("was used up recently when it skipped a failure within the last hour", () => {
    expect(spentBudget([], now)).toBeNull();
    expect(spentBudget([decidedAgo(0, "muted-failure"), decidedAgo(hourMs)], now)).toBeNull();
    const latest = decidedAgo(1_000);
    expect(spentBudget([latest, decidedAgo(hourMs - 1), decidedAgo(hourMs)], now)).toEqual({
      failures: 2,
      latestAt: latest.decided_at,
    });
  });
});
