import { describe, expect, it } from "vitest";
import { SourceText } from "../../src/source/source-text.ts";
import { investigated, textSubject } from "../investigated.ts";
import {
  boundary,
  caseOf,
  eventFindings,
  failedAt,
  placed,
  reported,
  textFindings,
  totals,
  trail,
} from "./written-reports.ts";

const own = caseOf(eventFindings([totals]), placed(boundary), trail("property"));
const analysisOf = (one = own): string => reported(one).detailed_analysis;

/** The lines of one section. */
function section(analysis: string, title: string): string[] | undefined {
  const [, text] = analysis.split(`## ${title}\n\n`);
  return text?.split("\n\n## ")[0]?.split("\n");
}

describe("the analysis of a report", () => {
  it("has its sections in order, and leaves out those that have nothing to say", () => {
    const titles = (analysis: string) => [...analysis.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
    expect(titles(analysisOf())).toEqual([
      ...["What failed", "How it happened", "Where", "What happened before"],
      ...["What supports it", "What argues against it", "What would rule it out", "What to check next"],
    ]);
    expect(titles(analysisOf({ ...own, ranking: { ...own.ranking, candidates: [] } }))).toEqual([
      ...["What failed", "What happened before"],
    ]);
  });

  it("says since when the failure occurs once", () => {
    const first = (at: string) =>
      ({ kind: "rate", rate: { shape: "first", at, until: null, before: 0, after: 1, perProcess: false } }) as const;
    const since = totals.kind === "totals" ? (totals.impact.first_seen ?? "") : "";
    const said = (at: string) =>
      section(analysisOf(caseOf(eventFindings([totals, first(at)]), placed(boundary))), "What happened before")?.join();
    expect(said(since)).not.toContain("First seen at");
    expect(said("2026-03-01T08:00:00.000Z")).toContain("First seen at 2026-03-01T08:00:00.000Z");
  });

  it("numbers the links of the causal chain, and cites each", () => {
    const lines = section(analysisOf(), "How it happened") ?? [];
    expect(lines).toHaveLength(own.traced.signals.length);
    expect(lines.map((line) => line.slice(0, 3))).toEqual(lines.map((_, index) => `${index + 1}. `));
    for (const line of lines) expect(line).toMatch(/\[e\d+(?:, e\d+)*\]$/);
  });

  it("marks the line of the place among the four on each side", () => {
    const statements = Array.from({ length: 12 }, (_, index) => `step(${index + 1});\n`).join("");
    const place = { ...placed(boundary), line: 6, source: new SourceText("source_file", boundary.file, statements) };
    const code = section(analysisOf(caseOf(eventFindings(), place)), "Where")?.filter((line) => line.includes(" | "));
    expect(code).toHaveLength(4 + 1 + 4);
    expect(code?.[0]).toBe("   2 | step(2);");
    expect(code?.[4]).toBe(">  6 | step(6);");
    expect(code?.[8]).toBe("  10 | step(10);");
  });

  it("says that the source wasn't available rather than show other code", () => {
    const unread = { ...placed(boundary), source: null };
    const where = section(analysisOf(caseOf(eventFindings(), unread)), "Where") ?? [];
    expect(where.join()).toContain("Its source wasn't available.");
    expect(where.join()).not.toContain("```");
  });

  it("doesn't ask for a file that was given, where no line of it is known", () => {
    const findings = eventFindings();
    const source = new SourceText("source_file", boundary.file, "export const cents = 100;\n");
    const whole = { kind: "place", file: boundary.file, line: null, function: null, source: null } as const;
    const analysis = analysisOf(caseOf({ ...findings, files: [source] }, whole));
    expect(section(analysis, "Where")?.join()).toContain("Nothing in the stack or the error points to a line of it.");
    expect(analysis).not.toContain(`Attach \`${boundary.file}\``);
  });

  it("tells what happened before the error: its request, its last calls, and how it was caught", () => {
    const before = section(analysisOf(), "What happened before")?.join("\n");
    expect(before).toContain("GET /orders/:id");
    expect(before).toContain("503");
    expect(before).toContain(`- ${new Date(Date.parse(failedAt) - 200).toISOString()}: `);
  });

  it("names at most three other candidates", () => {
    const [first] = own.ranking.candidates;
    const candidates = first ? [first, first, first, first, first] : [];
    const analysis = analysisOf({ ...own, ranking: { ...own.ranking, candidates } });
    expect(section(analysis, "Other candidates")).toHaveLength(3);
  });

  it("quotes the most telling line of a text without an error that it can read", () => {
    const subject = { kind: "service", service: "orders" } as const;
    const failed = section(analysisOf(caseOf(textFindings("the shop is slow today"), subject)), "What failed");
    expect(failed?.join()).toContain("the most telling line is `the shop is slow today`");
  });

  it("says which errors caused one another, the one that was thrown last first", async () => {
    const log = `Error: no report\n    at report (/srv/a.js:2:9) {\n  [cause]: TypeError: rows is not iterable\n      at load (/srv/b.js:1:1)\n}\n`;
    const { report } = await investigated(textSubject(log));
    const failed = section(report.detailed_analysis, "What failed");
    expect(failed?.[0]).toContain("`Error`: `no report`");
    expect(failed?.[1]).toContain("Caused by `TypeError`: `rows is not iterable`");
  });
});
