import type { ChainLink, Report } from "@whence/protocol";
import { plainText } from "../plain-text.ts";

/** Steps shown before someone asks for all. */
const stepsShownMax = 5;

/**
 * Returns the links of the causal chain that the cause's sentence doesn't tell already, and the last one, unless it is
 * the only one.
 */
export function untoldSteps({
  chain,
  root_cause_summary: summary,
}: Pick<Report, "chain" | "root_cause_summary">): ChainLink[] {
  const told = withoutPlaces(summary);
  const last = chain.length > 1 ? chain.length - 1 : null;
  return chain.filter(({ what }, index) => index === last || !told.includes(mainPart(what)));
}

/** Returns the first steps and the last ones, without those in between that are too many. */
export function shownSteps(steps: readonly ChainLink[]): ChainLink[] {
  if (steps.length <= stepsShownMax) return [...steps];
  return [...steps.slice(0, 2), ...steps.slice(2 - stepsShownMax)];
}

/** A sentence up to where it goes into detail. */
function mainPart(what: string): string {
  const [main = ""] = plainText(what).split(/, (?:and|which|so) | \(built from/);
  return withoutPlaces(main);
}

function withoutPlaces(text: string): string {
  return plainText(text)
    .replaceAll(/ \([^)]*\)/g, "")
    .trim();
}
