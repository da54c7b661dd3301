import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { engine } from "../../../src/investigation/report/report.ts";
import { investigated, textSubject } from "../engine/investigated.ts";

describe("a report", () => {
  it("names the version of the package as its engine's", () => {
    const manifest: unknown = JSON.parse(readFileSync(join(import.meta.dirname, "../../../package.json"), "utf8"));
    expect(manifest).toMatchObject({ version: engine.version });
  });

  it("says of each of its fields that the service's rules wrote it", async () => {
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

  it("says what its confidence rests on, and that it is not calibrated yet", async () => {
    const { report } = await investigated(textSubject("Error: connect ECONNREFUSED 10.0.0.1:80"));
    expect(report.confidence.basis).toMatch(/^Rests on: .*errno\.econnrefused.*not yet calibrated/);
  });
});
