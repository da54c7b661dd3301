import { count, percent } from "../../prose.ts";
import type { ConfidenceBasis } from "../../rank/candidate.ts";

/** What the confidence is about, and what the organization's own history says. */
export const confidence = {
  basis: ({ score, about }: ConfidenceBasis): string => {
    if (about === "failure") return "The kind of failure may be known; where in the code isn't.";
    const certainty = score >= 0.9 ? "Certain" : score >= 0.6 ? "Likely" : score >= 0.4 ? "Possible" : "Unknown";
    const what = {
      file: `${percent(score)} likely to be the right file`,
      service: `${percent(score)} likely to be the right service`,
    }[about];
    return `${certainty}: ${what}.`;
  },
  history: ({ score, modelScore, judged, confirmed }: ConfidenceBasis): string => {
    const moved = modelScore === score ? "" : ` That moved it from ${percent(modelScore)}.`;
    return judged === 0
      ? ""
      : `In your organization, ${confirmed} of ${count(judged, "reviewed report")} with similar confidence ${confirmed === 1 ? "was" : "were"} confirmed.${moved}`;
  },
  contested: (): string => "Another error in the text may be the failure instead.",
  tie: (): string => "The second candidate is about as likely as the first.",
} as const;
