import { type Evidence, type Incident, openedLifecycle, type Report } from "@whence/protocol";
import { describe, expect, it } from "vitest";
import { codeExcerpt } from "../../src/terminal/code-excerpt.ts";
import { plainJson, plainText } from "../../src/terminal/plain-text.ts";
import { reportMarkdown } from "../../src/terminal/report-markdown.ts";
import { reportText } from "../../src/terminal/report-text.ts";
import { styleFor, wrap } from "../../src/terminal/style.ts";

const failed: Incident = {
  id: "inc_1",
  organization_id: null,
  status: "failed",
  lifecycle: openedLifecycle("2026-03-01T12:00:00.000Z"),
  owner: null,
  acknowledged: null,
  title: "Error: boom",
  severity: "high",
  trigger: { kind: "analyze", agent_id: null, files: 0 },
  service: null,
  env: null,
  fingerprint: null,
  decision: { outcome: "opened", reason: "r", rule: "asked" },
  created_at: "2026-03-01T12:00:00.000Z",
  started_at: null,
  completed_at: "2026-03-01T12:00:01.000Z",
  url: "http://a/incidents/inc_1",
  failure: { code: "WHENCE_ERR_INVESTIGATION_FAILED", message: "the investigation failed 5 times: boom" },
};

describe("a failed analysis", () => {
  it("shows the reason, as text and as Markdown", () => {
    const text = reportText(failed, { style: styleFor(false), columns: 80, files: [] });
    for (const shown of [text, reportMarkdown(failed)]) {
      expect(shown).toContain("failed");
      expect(shown).toContain("the investigation failed 5 times: boom");
      expect(shown).toContain("http://a/incidents/inc_1");
    }
  });
});

describe("colors", () => {
  it("are used when enabled, and not otherwise", () => {
    expect(styleFor(true).red("x")).toBe("\u001b[31mx\u001b[39m");
    expect(styleFor(true).red("")).toBe("");
    expect(styleFor(false).red("x")).toBe("x");
  });
});

describe("text from outside", () => {
  it.each([
    ["\u001b[31m\u001b[1mred\u001b[0m\u001b[m \u001b[38;5;9m!", "red !"],
    ["\u001b[2J\u001b[1;1H\u001b]0;title", "�[2J�[1;1H�]0;title"],
    ["a\tb\r\nc\rd\n", "a    b\nc\nd\n"],
    ["\u0000\u007f\u009b\u202e\u2066x", "�����x"],
    ["äöü € 漢字 🎉", "äöü € 漢字 🎉"],
  ])("shows %j as %j", (given, shown) => {
    expect(plainText(given)).toBe(shown);
  });

  it("is unchanged after JSON, without a character that a terminal acts on", () => {
    const value = { a: "\u001b\u009b\u202e\u2066é" };
    const json = plainJson(value);
    expect(JSON.parse(json)).toEqual(value);
    expect(json.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202e\u2066]/u);
  });
});

describe("lines", () => {
  it("are broken at spaces, with longer words left whole", () => {
    expect(wrap("one two three four five", 20, "")).toBe("one two three four\nfive");
    expect(wrap(`a ${"x".repeat(30)} b`, 20, "")).toBe(`a\n${"x".repeat(30)}\nb`);
    expect(wrap("a\n\nb", 40, "  ")).toBe("  a\n\n  b");
  });
});

describe("the lines around a place", () => {
  const files = [
    { name: "src/a.js", content: Array.from({ length: 12 }, (_, index) => `line ${index + 1}`).join("\n") },
  ];
  const at = (line: number | null, file = "src/a.js", evidence: readonly Evidence[] = []) =>
    codeExcerpt({ file, line, function: null }, files, evidence, styleFor(false));

  it("are numbered, with the place marked", () => {
    expect(at(10)?.split("\n")).toEqual([
      "   7 │ line 7",
      "   8 │ line 8",
      "   9 │ line 9",
      "> 10 │ line 10",
      "  11 │ line 11",
      "  12 │ line 12",
    ]);
    expect(at(1)?.split("\n")).toHaveLength(4);
    expect(at(12, "/srv/src/a.js")).toContain("> 12 │");
  });

  const read = (handler: string): number | undefined =>
    codeExcerpt(
      { file: "areas.py", line: 3, function: null },
      [
        {
          name: "areas.py",
          content: `for row in rows:\n    try:\n        area = int(row["area"])\n        a = 1\n        b = 2\n        c = 3\n        areas[row["id"]] = area\n    ${handler}\n        continue\n`,
        },
      ],
      [],
      styleFor(false),
    )?.split("\n").length;

  it("go on to the handler that decides what becomes of an error there", () => {
    expect(read("except ValueError:")).toBe(9);
  });

  it("end where they would without a handler", () => {
    expect(read("total = sum(areas)")).toBe(6);
    expect(read("        except ValueError:")).toBe(6);
  });

  it("are left out when the file is of another version than the one that ran", () => {
    const seen = (excerpt: string, first?: number): Evidence => ({
      ...{ id: "e1", source: { kind: "source_file", name: "src/a.js" }, observed_at: "2026-03-01T10:00:00Z" },
      ...{ summary: "`src/a.js:10`", location: { file: "src/a.js", line: 10, function: null }, excerpt },
      ...{ range: null, sha256: "0".repeat(64) },
      ...(first !== undefined && { first_line: first }),
    });
    expect(at(10, "src/a.js", [seen("line 9\nline 10\n", 9)])).toContain("> 10 │ line 10");
    expect(at(10, "src/a.js", [seen("line 9\nanother\n", 9)])).toBeNull();
    expect(at(10, "src/a.js", [seen("    at f (src/a.js:10:3)")])).toBeNull();
  });

  it("are left out when the file isn't available", () => {
    expect(at(13)).toBeNull();
    expect(at(null)).toBeNull();
    expect(at(1, "b.js")).toBeNull();
  });
});

describe("a report", () => {
  const report: Report = {
    root_cause_summary: "payments 2.0.0 stopped sending `amount` [e1].",
    chain: [
      { what: "payments 2.0.0 deployed", service: "payments", release: "2.0.0", evidence_ids: ["e1"] },
      {
        what: "`fetchPayment` returns the body unchecked",
        service: "storefront",
        location: { file: "src/payments-client.ts", line: 12, function: "fetchPayment" },
        evidence_ids: ["e2"],
      },
      { what: "\u001b[31m`formatMoney` reads `currency` of undefined", evidence_ids: [] },
    ],
    root_cause: { category: "schema-drift", statement: "It stopped [e1].", location: null, service: "payments" },
    candidates: [],
    detailed_analysis: "",
    short_term_solutions: [],
    long_term_solutions: [],
    evidence: [],
    timeline: [],
    impact: {
      summary: "",
      first_seen: null,
      last_seen: null,
      events: 0,
      services: [],
      routes: [],
      hosts: [],
      releases: [],
    },
    confidence: { score: 0.78, basis: "measured" },
    predictions: [],
    not_checked: [],
    provenance: {},
    engine: { name: "whence", version: "0.0.0" },
  };
  const { failure: _, ...completed } = { ...failed, status: "completed" as const, report };
  const shown = (incident: Incident) => reportText(incident, { style: styleFor(false), columns: 80, files: [] });

  it("shows the causal chain under the headline, each link indented further after an arrow", () => {
    expect(shown(completed)).toContain(`Root cause
  payments 2.0.0 stopped sending \`amount\` [e1].

  payments 2.0.0 deployed
  payments 2.0.0 [e1]
    → \`fetchPayment\` returns the body unchecked
      storefront · src/payments-client.ts:12 in fetchPayment [e2]
      → \`formatMoney\` reads \`currency\` of undefined

`);
  });

  it("wraps long links at the terminal's width, below their own words", () => {
    const what = "the connection pool is exhausted because reserveStock returns early without releasing its connection";
    const [first, second] = [
      { what: "reserveStock returns early", evidence_ids: [] },
      { what, evidence_ids: [] },
    ];
    const lines = shown({ ...completed, report: { ...report, chain: [first, second] } }).split("\n");
    expect(lines.every(({ length }) => length <= 80)).toBe(true);
    expect(lines).toContain("      without releasing its connection");
  });

  it("names the place of another cause, and of evidence, once", () => {
    const location = { file: "src/pay.ts", line: 12, function: "pay" };
    const statement = "`pay` (`src/pay.ts:12`) reads `amount`.";
    const candidates = [statement, statement, "Something else reads it."].map((said, index) => ({
      ...{ rank: index + 1, category: "unknown" as const, statement: said, location, service: null, score: 0.2 },
      ...{ evidence_ids: [], support: [], against: [] },
    }));
    const evidence = [
      {
        ...{ id: "e1", source: { kind: "source_file" as const, name: "src/pay.ts" }, observed_at: "", excerpt: "" },
        ...{ summary: "`pay` (`src/pay.ts:12`): `amount`", location, range: null, sha256: "0".repeat(64) },
      },
    ];
    const text = shown({ ...completed, report: { ...report, candidates, evidence } });
    expect(text).toContain("20%  `pay` (`src/pay.ts:12`) reads `amount`.\n");
    expect(text).toContain("20%  Something else reads it. (src/pay.ts:12 in pay)\n");
    expect(text).toContain("e1  `pay` (`src/pay.ts:12`): `amount`\n");
  });

  it("takes the end of a longer path for the same place, and quotes the lines around it from the evidence", () => {
    const location = { file: "/srv/tills/src/pay.ts", line: 12, function: "pay" };
    const says = "`pay` (`src/pay.ts:12`) reads `amount`";
    const root = { ...report.root_cause, location };
    const evidence = [
      {
        ...{ id: "e1", source: { kind: "source_file" as const, name: location.file }, observed_at: "", first_line: 11 },
        ...{ excerpt: "function pay(bill) {\n  return bill.amount;\n}\n", range: null, sha256: "0".repeat(64) },
        ...{ summary: says, location },
      },
    ];
    const link = { what: says, service: "tills", release: "2.0.0", location, evidence_ids: ["e1"] };
    const text = shown({
      ...completed,
      report: { ...report, root_cause_summary: `${says}.`, root_cause: root, chain: [link, link], evidence },
    });
    expect(text).toContain(`  ${says}
  tills 2.0.0 [e1]
    → ${says} [e1]

  /srv/tills/src/pay.ts:12 in pay
    11 │ function pay(bill) {
  > 12 │   return bill.amount;
    13 │ }
`);
    expect(text).toContain(`e1  ${says}\n`);
  });

  it("says that it is being refined until it is final", () => {
    const refinement = { version: 1, refining: true, refined_at: null, refined_until: "2026-03-01T12:01:00.000Z" };
    const refining = "The report is updated as evidence arrives, until\n2026-03-01T12:01:00.000Z.";
    expect(shown({ ...completed, refinement })).toContain(refining);
    expect(shown({ ...completed, refinement: { ...refinement, refining: false } })).not.toContain(refining);
  });

  it("says the confidence once", () => {
    const confidence = { score: 0.84, basis: "84% likely to be the right service." };
    const surer = { ...completed, report: { ...report, confidence } };
    expect(shown(surer)).toContain("  schema-drift, confidence: 84% likely to be the right service.");
    expect(reportMarkdown(surer)).toContain("Category schema-drift, confidence: 84% likely to be the right service.");
  });

  it("has the chain as a numbered list in Markdown", () => {
    expect(reportMarkdown(completed)).toContain(
      "2. `fetchPayment` returns the body unchecked (storefront, `src/payments-client.ts:12`) [e2]",
    );
  });
});
