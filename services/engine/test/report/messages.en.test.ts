import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Report } from "@whence/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Written } from "../../src/report/render.ts";
import { kindsOfFailure } from "./kinds-of-failure.ts";
import { reworded } from "./reworded.ts";
import { caseOf, eventFindings, reported } from "./written-reports.ts";

/** Words and turns that a translated sentence has. */
const ruledOut =
  /\b(?:anew|whoever|in vain|heard of|tells? of|told of|told no|(?:is|are) told|is no longer explained|c[ao]mes? up|any more|at fault|to blame|guilty|innocent|likeliest|thereof|nobody|of which|by itself|is well|a mistake of|the way of|as far as|acquitted|is none)\b|\d %/i;

/** Every string of a report that is made of words. */
function sentencesOf(report: Written): string[] {
  const { confidence, impact, root_cause: cause } = report;
  return [
    ...[report.root_cause_summary, cause.statement, report.detailed_analysis, impact.summary, confidence.basis],
    ...report.chain.map(({ what }) => what),
    ...report.candidates.flatMap(({ statement, support, against }) => [statement, ...support, ...against]),
    ...[...report.short_term_solutions, ...report.long_term_solutions].flatMap(({ title, detail }) => [title, detail]),
    ...report.timeline.map(({ what }) => what),
    ...report.predictions.flatMap(({ statement, check, refuted_by }) => [statement, check, refuted_by ?? ""]),
    ...report.not_checked,
  ];
}

const withoutCode = (text: string): string => text.replace(/```[\s\S]*?```|(`+)[^`](?:.*?[^`])?\1(?!`)/g, " ");

describe("the messages of a report", () => {
  const source = join(import.meta.dirname, "../../src");
  const worded = [
    "report/messages",
    "signals/code",
    "signals/facts",
    "signals/inputs",
    "signals/outside",
    "signals/changes",
    "signals/gaps",
    "words",
  ].flatMap((folder) =>
    readdirSync(join(source, folder), { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
  );

  it.each(worded.filter((file) => file.endsWith(".ts")))(
    "%s has none of the words that a translated sentence has",
    (file) => {
      expect(readFileSync(join(source, file), "utf8").match(new RegExp(ruledOut, "gi"))).toBeNull();
    },
  );

  it.each(kindsOfFailure)("have none of them when rendered: %s", (_, findings) => {
    for (const sentence of sentencesOf(reported(findings))) {
      expect(withoutCode(sentence)).not.toMatch(ruledOut);
    }
  });

  it.each(kindsOfFailure)("leave no placeholder and no empty sentence: %s", (_, findings) => {
    for (const sentence of sentencesOf(reported(findings)).filter((one) => one !== "")) {
      expect(withoutCode(sentence)).not.toMatch(/\{\w+\}|undefined|\bnull\b|NaN|\bit fails\b|\(empty\)/);
    }
  });

  it("show the path of a frame's code relative to the folder that the service was deployed to", () => {
    const findings = eventFindings();
    const one = caseOf(findings, { kind: "service", service: "orders" });
    const candidates = one.ranking.candidates.map((candidate) => ({ ...candidate, frames: findings.frames }));
    const [first] = reported({ ...one, ranking: { ...one.ranking, candidates } }).candidates;
    expect(first?.support).toEqual(["`formatMoney` (`src/money.ts:2`): `return money.currency;`"]);
  });

  it.each(kindsOfFailure)("give a headline of at most 25 words: %s", (_, findings) => {
    const { root_cause_summary: headline } = reported(findings);
    expect(headline.split(/\s+/).length).toBeLessThanOrEqual(25);
    expect(headline).toMatch(/\[e\d+\]$/);
  });

  it.each(kindsOfFailure)("can all be replaced, while the findings stay the same: %s", (_, findings) => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.constantFrom("foo", "bar 7", "before `x`", "")), (words) => {
        const stream = words[Symbol.iterator]();
        const next = (): string => stream.next().value ?? "";
        expect(structureOf(reported(findings, reworded(next)))).toEqual(structureOf(reported(findings)));
      }),
      { numRuns: 5 },
    );
  });
});

/** What a report holds beside words. */
function structureOf({ chain, candidates, root_cause: { category, location, service } }: Written): unknown {
  return {
    root: { category, location, service },
    chain: chain.map(({ what: _, ...link }) => link),
    candidates: candidates.map(({ statement: _, support: __, against: ___, ...candidate }) => candidate),
  } satisfies Record<string, Partial<Report["root_cause"]> | readonly object[]>;
}
