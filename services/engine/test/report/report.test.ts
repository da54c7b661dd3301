import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { engine } from "../../src/report/assemble.ts";
import { investigated, textSubject } from "../investigated.ts";

describe("a report", () => {
  it("has the version of the package as its engine's", () => {
    const manifest: unknown = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8"));
    expect(manifest).toMatchObject({ version: engine.version });
  });

  it("attributes each of its fields to the service's rules", async () => {
    const { report } = await investigated(textSubject("Error: x"));
    const { engine: _, provenance, ...written } = report;
    expect(Object.keys(provenance).sort()).toEqual(Object.keys(written).sort());
    expect(new Set(Object.values(provenance))).toEqual(new Set(["server"]));
  });

  it("predicts something that can be checked", async () => {
    const { report } = await investigated(textSubject("Error: connect ECONNREFUSED 10.0.0.1:80"));
    expect(report.predictions.length).toBeGreaterThan(0);
    for (const { check, outcome } of report.predictions) expect([check === "", outcome]).toEqual([false, "open"]);
  });

  it("says how likely the file is to be the right one", async () => {
    const log = "TypeError: Cannot read properties of undefined (reading 'b')\n    at f (/srv/a.js:1:3)\n";
    const { report } = await investigated(textSubject(log, { "a.js": "a.b;\n" }));
    expect(report.confidence.basis).toMatch(/^\d\d% likely to be the right file\.$/);
  });

  it("isn't certain about a place when it knows none", async () => {
    const { report } = await investigated(textSubject("Error: connect ECONNREFUSED 10.0.0.1:80"));
    expect(report.confidence.score).toBe(0.1);
    expect(report.root_cause.location).toBeNull();
  });
});
