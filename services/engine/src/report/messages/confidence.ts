import type { ConfidenceBasis } from "../../rank/candidate.ts";
import { count, percent } from "../../words/prose.ts";

/** The words for what the confidence is about, and for the organization's own history. */
export const confidence = {
  basis: ({ score, about }: ConfidenceBasis): string => {
    if (about === "failure") return "No evidence points to a place in the code.";
    if (about === "stated") return "The platform itself reports how it ended. Why isn't known from the text alone.";
    return `${percent(score)} likely to be the right ${about}.`;
  },
  agreement: ({ agreement, score, engineScore, about }: ConfidenceBasis): string => {
    if (agreement === null) return "";
    const without = score === engineScore ? "" : `; without it: ${percent(engineScore)}`;
    return {
      agrees: `A language model that hadn't seen this report names the same ${about} first${without}.`,
      differs: `A language model that hadn't seen this report names another ${about} first${without}.`,
      contradicts: `A language model names another ${about} first in every run${without}.`,
    }[agreement];
  },
  history: ({ score, modelScore, judged, confirmed }: ConfidenceBasis): string => {
    const moved = modelScore === score ? "" : ` This changed the confidence from ${percent(modelScore)}.`;
    return judged === 0
      ? ""
      : `In your organization, ${confirmed} of ${count(judged, "reviewed report")} with similar confidence ${confirmed === 1 ? "was" : "were"} confirmed.${moved}`;
  },
  contested: (): string => "Another error in the text may be the actual failure.",
  forgeable: (): string => "Parts of the text may come from input rather than from the program.",
  tie: (): string => "The second candidate is about as likely as the first.",
} as const;
