import type { OutsideFinding } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { boundedFindings } from "../../src/integrations/finding.ts";

const finding: OutsideFinding = {
  ...{ kind: "record", what: "issue", title: "boom", target: null },
  ...{ vendor: "sentry", at: "2026-03-01T12:00:00Z", url: null },
};

describe("a finding's address", () => {
  it.each([
    [2_000, true],
    [2_001, false],
  ])("of %i characters is kept whole, or left out: %s", (length, isKept) => {
    const url = `https://grafana.example/explore?panes=${"x".repeat(length)}`.slice(0, length);
    expect(boundedFindings([{ ...finding, url }], []).map((one) => one.url)).toEqual([isKept ? url : null]);
  });
});
