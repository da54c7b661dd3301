import { describe, expect, it } from "vitest";
import { listedCause } from "../../../../src/features/incidents/list/listed-cause.ts";
import { sampleSummary } from "../../../samples.ts";

describe("the cause of an incident in a list", () => {
  it("is the report's headline as plain text", () => {
    expect(listedCause(sampleSummary({ root_cause_summary: "`items` is undefined [e1, e2]." }))).toBe(
      "items is undefined.",
    );
  });

  it("has its times in the reader's time zone", () => {
    const summary = "`api` has been restarting again and again since 2026-03-01T09:50:00.000Z.";
    const shown = listedCause(sampleSummary({ root_cause_summary: summary }));
    expect(shown).toMatch(/^api has been restarting again and again since \d\d:\d0:00 /);
    expect(shown).not.toContain("T09:50");
  });

  it("is why the investigation failed when there is no headline", () => {
    const failure = { code: "WHENCE_ERR_TIMEOUT", message: "it took too long" };
    expect(listedCause(sampleSummary({ status: "failed", failure, category: "timeout" }))).toBe("It took too long");
  });

  it("is the category when only that is known", () => {
    expect(listedCause(sampleSummary({ category: "bad-config" }))).toBe("Bad config");
  });

  it("is the state of the investigation before anything is known", () => {
    expect(listedCause(sampleSummary({ status: "completed" }))).toBe("Report ready");
    expect(listedCause(sampleSummary({ status: "queued" }))).toBe("Investigating…");
    expect(listedCause(sampleSummary({ status: "investigating" }))).toBe("Investigating…");
  });
});
