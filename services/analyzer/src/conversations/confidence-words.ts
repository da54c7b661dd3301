import { confidenceText, type Report } from "@whence/protocol";
import { labels, type MessagePart } from "@whence/vendors";
import { messageLimits } from "./message-limits.ts";
import { paragraph, steps } from "./message-parts.ts";

const { runnersUpMax, runnerUpScoreMin } = messageLimits;

/**
 * Words for a report's confidence, the highest first, each from its lowest score. The engine names no cause below 40%.
 */
const bands = [
  { from: 0.9, says: "Whence is almost certain" },
  { from: 0.6, says: "Whence is fairly sure" },
  { from: 0.4, says: "Whence isn't sure" },
  { from: 0, says: "Whence doesn't know the cause" },
] as const;
/** Below this, an answer names other candidates. */
const sureFrom = 0.6;

/** Returns the confidence of a report in plain words, with its basis. */
export function confidencePart(confidence: Report["confidence"]): readonly MessagePart[] {
  return paragraph(labels.confidence, confidenceWords(confidence));
}

/** Returns, for example, `Whence is fairly sure: 64% likely to be the right file.` */
export function confidenceWords(confidence: Report["confidence"]): string {
  const band = bands.find(({ from }) => confidence.score >= from);
  return `${band?.says ?? bands[3].says}: ${confidenceText(confidence)}`;
}

/** Returns the other candidates when the report isn't sure. */
export function runnersUp(report: Report): readonly MessagePart[] {
  return report.confidence.score >= sureFrom ? [] : otherCandidates(report);
}

/** Returns the other candidates that are likely enough to name, with their probabilities. */
export function otherCandidates({ candidates }: Report): readonly MessagePart[] {
  const others = candidates.filter(({ rank, score }) => rank > 1 && score >= runnerUpScoreMin).slice(0, runnersUpMax);
  return steps(
    "Other candidates",
    others.map(({ statement, score }) => `${statement} (${Math.round(score * 100)}%)`),
  );
}
