import type { Report } from "@whence/protocol";
import { createElement } from "react";
import { describe, expect, it } from "vitest";
import { candidateFacts, lowerRankReason } from "../../../../src/features/incidents/report/candidate-facts.ts";
import { Confidence } from "../../../../src/features/incidents/report/confidence.tsx";
import { sampleCandidate } from "../../../samples.ts";
import { shownText } from "../../../shown-text.ts";

describe("the facts of a candidate", () => {
  it("are its category, its service, and its place", () => {
    expect(candidateFacts(sampleCandidate())).toBe("Null dereference · shop · src/cart.js:12");
  });

  it("leave out the place when its statement names the file", () => {
    const statement = "`items` is undefined in src/cart.js.";
    expect(candidateFacts(sampleCandidate({ statement }))).toBe("Null dereference · shop");
  });

  it("leave out what is unknown", () => {
    expect(candidateFacts(sampleCandidate({ location: null, service: null }))).toBe("Null dereference");
    const location = { file: "src/cart.js", line: null, function: null };
    expect(candidateFacts(sampleCandidate({ location, service: null }))).toBe("Null dereference · src/cart.js");
  });
});

describe("why a candidate ranks lower", () => {
  const first = sampleCandidate({ score: 0.8 });

  it("is how far it is behind the first, in percentage points", () => {
    const second = sampleCandidate({ score: 0.55, against: ["a log line rules it out"] });
    expect(lowerRankReason(second, first)).toBe("25 points behind candidate 1");
  });

  it("is its weaker evidence when nothing speaks against it", () => {
    expect(lowerRankReason(sampleCandidate({ score: 0.799 }), first)).toBe(
      "0 points behind candidate 1: its evidence is weaker",
    );
  });

  it("isn't shown for the first", () => {
    expect(lowerRankReason(first, null)).toBeNull();
  });
});

describe("a confidence", () => {
  const shownOf = (confidence: Report["confidence"]) => shownText(createElement(Confidence, { confidence }));

  it("is one sentence, with the rest of its basis folded", () => {
    expect(shownOf({ score: 0.784, basis: "By rule. As `a`." })).toBe("78%: By rule. How this is calculated As a .");
  });

  it("says the percentage once", () => {
    expect(shownOf({ score: 0.84, basis: "84% likely to be the right file." })).toBe(
      "84% likely to be the right file.",
    );
  });

  it("shows what it would be without the organization's history, if that counted", () => {
    const confidence = { score: 0.6, basis: "By rule.", model_score: 0.78 };
    expect(shownText(createElement(Confidence, { confidence }))).toContain(
      "Adjusted by your organization's history. Without it: 78%.",
    );
  });
});
