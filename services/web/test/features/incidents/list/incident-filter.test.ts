import { dayMs, hourMs } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import {
  changedFilter,
  incidentFilterSchema,
  isNarrowed,
  sinceOf,
  spanNames,
  spans,
  withCurrent,
} from "../../../../src/features/incidents/list/incident-filter.ts";

describe("the filter of incidents in a URL", () => {
  it("is read without invalid values, each value on its own", () => {
    expect(incidentFilterSchema.parse({ service: "shop", severity: "huge", search: "x".repeat(201) })).toEqual({
      service: "shop",
    });
  });

  it("has a search of up to 200 characters", () => {
    const search = "x".repeat(200);
    expect(incidentFilterSchema.parse({ search })).toEqual({ search });
  });

  it("ignores unknown parameters", () => {
    expect(incidentFilterSchema.parse({ page: "2" })).toEqual({});
  });
});

describe("a change of the filter", () => {
  it("replaces one value and keeps the others", () => {
    expect(changedFilter({ service: "shop", env: "PROD" }, "env", "STAGING")).toEqual({
      service: "shop",
      env: "STAGING",
    });
  });

  it("removes a value that becomes empty", () => {
    const changed = changedFilter({ service: "shop", status: "failed" }, "status", "");
    expect(changed.status).toBeUndefined();
    expect(changed.service).toBe("shop");
  });

  it("removes a value that becomes invalid", () => {
    expect(changedFilter({ severity: "high" }, "severity", "huge").severity).toBeUndefined();
  });
});

describe("a narrowed list", () => {
  it("is one with any value in its filter", () => {
    expect(isNarrowed({ span: "1h" })).toBe(true);
    expect(isNarrowed({ search: "a" })).toBe(true);
  });

  it("isn't one whose values were all removed", () => {
    expect(isNarrowed({})).toBe(false);
    expect(isNarrowed(changedFilter({ span: "1h" }, "span", ""))).toBe(false);
  });
});

describe("how far back a list goes", () => {
  const now = Date.parse("2026-03-08T12:00:00.000Z");

  it("is a time before now", () => {
    expect(sinceOf("1h", now)).toBe("2026-03-08T11:00:00.000Z");
    expect(sinceOf("7d", now)).toBe("2026-03-01T12:00:00.000Z");
  });

  it("is unlimited without a span", () => {
    expect(sinceOf(undefined, now)).toBeUndefined();
  });

  it("grows from span to span", () => {
    expect(spanNames.map((name) => spans[name].ms)).toEqual([hourMs, dayMs, 7 * dayMs, 30 * dayMs]);
  });
});

describe("the choices of a filter", () => {
  const choices = [
    ["shop", "shop"],
    ["payments", "payments"],
  ] as const;

  it("are unchanged while nothing else is chosen", () => {
    expect(withCurrent(choices, undefined)).toBe(choices);
    expect(withCurrent(choices, "shop")).toBe(choices);
  });

  it("have the URL's value last when no incident has it", () => {
    expect(withCurrent(choices, "gone")).toEqual([...choices, ["gone", "gone"]]);
    expect(withCurrent([], "gone")).toEqual([["gone", "gone"]]);
  });
});
