import { describe, expect, it } from "vitest";
import { observeData } from "../../src/findings/observe-input.ts";
import { isReleaseSeen, isServiceSeen } from "../../src/model/known-services.ts";
import { comparison } from "../../src/signals/facts/comparison.ts";

const at = "2026-03-01T10:00:00.000Z";

describe("what was seen of a service", () => {
  const released = { service: "orders", release: "1.4.2" };
  const fact = { kind: "comparison", comparison: { ...comparison.example.comparison, ...released } } as const;
  const seen = observeData({ kind: "integration", name: "git" }, fact, { observed_at: at, fact });

  it("needs the release of that service to be deployed or compared", () => {
    expect(isReleaseSeen(released, [seen])).toBe(true);
    expect(isReleaseSeen({ ...released, release: "1.4.1" }, [seen])).toBe(false);
    expect(isReleaseSeen({ ...released, service: "payments" }, [seen])).toBe(false);
  });

  it("knows a service by any observation that names it", () => {
    expect(isServiceSeen("orders", [seen])).toBe(true);
    expect(isServiceSeen("Rename amount", [seen])).toBe(false);
  });
});
