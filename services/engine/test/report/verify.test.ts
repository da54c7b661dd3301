import { type Evidence, type Report, verifyReport } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { verify } from "../../src/report/verify.ts";
import { SourceText } from "../../src/source/source-text.ts";
import { investigated, textSubject } from "../investigated.ts";

const log = "TypeError: Cannot read properties of undefined (reading 'x')\n    at f (/srv/a.js:1:1)\n";
const source = new SourceText("error_log", "error log", log);

async function soundReport(): Promise<Report> {
  return (await investigated(textSubject(log))).report;
}

describe("verification", () => {
  it("leaves a valid report unchanged", async () => {
    const report = await soundReport();
    expect(verify(report, [source])).toEqual({ report, dropped: [] });
  });

  it("drops evidence whose excerpt isn't in its source, and every statement that cites it", async () => {
    const report = await soundReport();
    const [first, ...others] = report.evidence;
    if (!first) throw new Error("a report has evidence");
    const forged = {
      ...report,
      evidence: [{ ...first, excerpt: first.excerpt.replace("undefined", "forgotten") }, ...others],
    };
    const { report: kept, dropped } = verify(forged, [source]);
    expect(dropped[0]?.problem).toContain("its excerpt is not what its source has there");
    expect(kept.evidence.map(({ id }) => id)).not.toContain(first.id);
    expect(JSON.stringify([kept.candidates, kept.detailed_analysis, kept.timeline])).not.toContain(`"${first.id}"`);
    expect(kept.detailed_analysis).not.toContain(`[${first.id}`);
  });

  it("drops a statement whose evidence doesn't exist", async () => {
    const report = await soundReport();
    const solution = { title: "Restart", detail: "Restart it.", evidence_ids: ["e99"] };
    const { report: kept } = verify({ ...report, short_term_solutions: [...report.short_term_solutions, solution] }, [
      source,
    ]);
    expect(kept).toEqual(report);
    expect(verifyReport(kept)).toEqual([]);
  });

  it("leaves out a section of the analysis that has no other statement", async () => {
    const report = await soundReport();
    const claim = `${report.detailed_analysis}\n\n## Also\n\n- The disk is full. [e99]`;
    expect(verify({ ...report, detailed_analysis: claim }, [source]).report).toEqual(report);
  });

  it("drops quoted code that doesn't begin on the stated line, and distinguishes excerpts with the same text", async () => {
    const code = "function f(a) {\n  return a.x;\n}\n";
    const file = new SourceText("source_file", "a.js", code);
    const window = new SourceText("stack_frame", "b.js", code, 40);
    const report = await soundReport();
    const quote = (first_line: number): Evidence => ({
      ...{ id: "e90", source: { kind: "source_file", name: "a.js" }, observed_at: "", summary: "", location: null },
      ...{ first_line, ...file.quoteLines(2, 2) },
    });
    const dropped = (first_line: number) =>
      verify({ ...report, evidence: [...report.evidence, quote(first_line)] }, [source, file, window]).dropped;
    expect([dropped(2), dropped(41)]).toEqual([[], []]);
    expect(dropped(3)).toEqual([{ where: "e90", problem: "e90: its excerpt does not begin on line 3" }]);
  });

  it("reports an excerpt that isn't as long as its range", async () => {
    const report = await soundReport();
    const evidence = report.evidence.map((one, index) => (index === 0 ? { ...one, range: { start: 0, end: 1 } } : one));
    expect(verify({ ...report, evidence }, [source]).dropped[0]?.problem).toContain("its range is not as long");
  });
});
