import { describe, expect, it } from "vitest";
import {
  changedFilesNamedMax,
  type Location,
  type Renewal,
  type Report,
  renewalNews,
  renewalText,
} from "../../src/index.ts";

const place = (file: string, line: number, name: string | null = null): Location => ({ file, line, function: name });

function reportOf(cause: Location | null, steps: readonly Location[]): Report {
  return {
    root_cause_summary: "It was null.",
    root_cause: { category: "null-dereference", statement: "It was null.", location: cause, service: null },
    chain: [{ what: "it was null", evidence_ids: [] }, ...steps.map(stepAt)],
    ...{ candidates: [], detailed_analysis: "", short_term_solutions: [], long_term_solutions: [], evidence: [] },
    ...{ timeline: [], predictions: [], not_checked: [], provenance: {} },
    impact: {
      ...{ summary: "", first_seen: null, last_seen: null, events: 0 },
      ...{ services: [], routes: [], hosts: [], releases: [] },
    },
    confidence: { score: 0.5, basis: "" },
    engine: { name: "whence", version: "0.0.0" },
  };
}

function stepAt(location: Location): Report["chain"][number] {
  return { what: "it was passed on", location, evidence_ids: [] };
}

const [origin, cart, route] = [
  place("src/price.js", 4, "priceOf"),
  place("src/cart.js", 9, "total"),
  place("app.js", 2),
];
const before = reportOf(origin, [origin, cart]);
const renewal: Renewal = {
  ...{ why: "new-release", at: "2026-01-01T00:00:00.000Z", release: "1.1.0", release_before: "1.0.0" },
  ...{ same_cause: true, news: null },
};

describe("what is new in a renewed report", () => {
  it("is nothing while files and functions are the same, whatever lines they are at", () => {
    const news = renewalNews(before, reportOf({ ...origin, line: 40 }, [{ ...cart, line: 90 }]));
    expect(news).toEqual({ place: null, steps: [], files: null });
    expect(renewalText({ ...renewal, news })).toBe(
      "The failure also occurs in release 1.1.0, last seen in 1.0.0. The cause is the same as before. " +
        "It comes about in the same places.",
    );
  });

  it("is the place of the cause, in another function of the same file, too", () => {
    const moved = place("src/price.js", 8, "discountOf");
    const news = renewalNews(before, reportOf(moved, [moved, cart]));
    expect(news).toEqual({ place: { before: origin, after: moved }, steps: [], files: null });
    expect(renewalText({ ...renewal, same_cause: false, news })).toBe(
      "The failure also occurs in release 1.1.0, last seen in 1.0.0. The report names another cause than before, " +
        "at src/price.js:8 (discountOf) instead of src/price.js:4 (priceOf).",
    );
  });

  it("is each place on the way to the symptom that wasn't there, once, the first two by name", () => {
    const added = [route, place("src/tax.js", 1), place("src/coupon.js", 5, "apply")];
    const news = renewalNews(before, reportOf(origin, [origin, ...added, route, cart]));
    expect(news).toEqual({ place: null, steps: added, files: null });
    expect(renewalText({ ...renewal, news })).toMatch(/New on the way from it: app\.js:2, src\/tax\.js:1, 1 more\.$/);
    expect(renewalText({ ...renewal, news: { ...news, steps: added.slice(0, 2) } })).toMatch(/src\/tax\.js:1\.$/);
  });

  it("is a place that is known now, and none that isn't known any longer", () => {
    const found = renewalNews(reportOf(null, []), reportOf(origin, []));
    expect(renewalText({ ...renewal, same_cause: false, news: found })).toMatch(
      /before, at src\/price\.js:4 \(priceOf\)\.$/,
    );
    const lost = renewalNews(reportOf(origin, []), reportOf(null, []));
    expect(lost.place).toEqual({ before: origin, after: null });
    expect(renewalText({ ...renewal, same_cause: false, news: lost })).toMatch(/another cause than before\.$/);
  });

  it("is each file that changed between the releases, those of the report first, the first two by name", () => {
    const named = ["src/log.js", "src/tax.js", origin.file, "src/menu.js"];
    const news = renewalNews(before, reportOf(origin, [origin, cart]), { named, more: 3 });
    expect(news.files).toEqual({ named: [origin.file, "src/log.js", "src/tax.js", "src/menu.js"], more: 3 });
    const text = (files: typeof news.files) => renewalText({ ...renewal, news: { ...news, files } });
    expect(text(news.files)).toMatch(/ Changed between the two releases: src\/price\.js, src\/log\.js, 5 more\.$/);
    expect(text({ named: ["a.js"], more: 0 })).toMatch(/ Changed between the two releases: a\.js\.$/);
    expect(text({ named: [], more: 1 })).toMatch(/ 1 file changed between the two releases\.$/);
    expect(text({ named: [], more: 0 })).toMatch(
      / No code, settings, or dependencies changed between the two releases\.$/,
    );
    expect(text(null)).not.toContain("between the two releases");
  });

  it("knows a file of the report by its path on the machine that ran it", () => {
    const ran = { ...origin, file: `/srv/shop/${origin.file}` };
    const { files } = renewalNews(before, reportOf(ran, [ran]), { named: ["src/log.js", origin.file], more: 0 });
    expect(files?.named).toEqual([origin.file, "src/log.js"]);
  });

  it("keeps the paths of twenty changed files, and counts the others", () => {
    const named = (count: number) => Array.from({ length: count }, (_, index) => `src/${index}.js`);
    const filesOf = (count: number) => renewalNews(before, before, { named: named(count), more: 1 }).files;
    expect(filesOf(changedFilesNamedMax)).toEqual({ named: named(20), more: 1 });
    expect(filesOf(changedFilesNamedMax + 1)).toEqual({ named: named(20), more: 2 });
  });
});
