import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Location, Report } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { assemble, engine } from "../../src/report/assemble.ts";
import { bookOf } from "../../src/report/evidence-book.ts";
import { render } from "../../src/report/render.ts";
import { verify } from "../../src/report/verify.ts";
import { investigated, textSubject } from "../investigated.ts";
import { kindsOfFailure } from "./kinds-of-failure.ts";
import { now } from "./written-reports.ts";

const formats = join(import.meta.dirname, "../formats");
const texts = readdirSync(formats, { recursive: true, encoding: "utf8" }).filter((path) => /\.(?:txt|log)$/.test(path));

/** The places, as `file.ts:9`, that a text names. */
function placesIn(text: string): string[] {
  return [...text.matchAll(/`([^`\s]+:\d+)`/g)]
    .map(([, place = ""]) => place)
    .filter((place) => /\.[a-z]\w*:\d+$/i.test(place));
}

/** Returns whether a place that a text names is one of the report's: paths are shortened for display. */
function isAmong(named: string, locations: readonly (Location | null | undefined)[]): boolean {
  return locations.some((one) => {
    if (!one || one.line === null) return false;
    const whole = `${one.file}:${one.line}`;
    return whole === named || whole.endsWith(`/${named}`) || named.endsWith(`/${whole}`);
  });
}

/** Returns where the parts of a report tell different stories. */
function contradictionsIn(report: Report): string[] {
  const { root_cause: cause, candidates, chain, confidence, detailed_analysis: analysis } = report;
  const [first] = candidates;
  if (!first) return [];
  const own = [cause.location, ...chain.map(({ location }) => location)];
  const all = [...own, ...candidates.map(({ location }) => location)];
  const strangers = (part: string, text: string, known: typeof own): string[] =>
    placesIn(text)
      .filter((place) => !isAmong(place, known))
      .map((place) => `${part} names ${place}`);
  const [, where = ""] = /## Where\n\n([\s\S]*?)(?=\n\n## |$)/.exec(analysis) ?? [];
  const marked = /^> +(\d+) \|/m.exec(where)?.[1];
  const named = placesIn(report.root_cause_summary);
  // A release, a setting, or a change of the platform leads without a place of its own.
  const leadsWithCode = chain[0]?.release === undefined && placesIn(chain[0]?.what ?? "").length > 0;
  const isThere =
    !leadsWithCode || !cause.location || named.length === 0 || named.some((place) => isAmong(place, [cause.location]));
  return [
    ...(isThere ? [] : [`the headline names ${named}, and not ${cause.location?.file}:${cause.location?.line}`]),
    ...(first.score === confidence.score ? [] : [`the first scores ${first.score}, the report ${confidence.score}`]),
    ...(candidates.every(({ score }, index) => score <= (candidates[index - 1]?.score ?? 1)) ? [] : ["scores rise"]),
    ...(candidates.reduce((sum, { score }) => sum + score, 0) <= 1.001 ? [] : ["the scores exceed 1"]),
    ...(JSON.stringify(first.location) === JSON.stringify(cause.location) ? [] : ["the root cause is elsewhere"]),
    ...(first.category === cause.category ? [] : ["the root cause has another category"]),
    ...(marked === undefined || marked === String(cause.location?.line) ? [] : [`the excerpt marks line ${marked}`]),
    ...strangers("the headline", report.root_cause_summary, all),
    ...report.predictions.flatMap(({ statement }) => strangers("a prediction", statement, all)),
    ...report.short_term_solutions.flatMap(({ title }) => strangers("a fix", title, own)),
  ];
}

describe("all parts of a report tell one story", () => {
  it.each(kindsOfFailure)("written from facts: %s", (_, { findings, traced, ranking }) => {
    const book = bookOf(findings);
    const written = render(findings, traced, ranking, book, now);
    const { report } = verify(assemble(written, book), [], { findings, facts: book.facts });
    expect(contradictionsIn(report)).toEqual([]);
  });

  it.each(texts)("written from a text: %s", async (path) => {
    const { report } = await investigated(textSubject(readFileSync(join(formats, path), "utf8")));
    expect(contradictionsIn(report)).toEqual([]);
  });
});

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
