import type { Prediction } from "@whence/protocol";
import type { Findings, Ranked } from "../findings.ts";
import { inlineCode, placeText } from "../prose.ts";
import { fill } from "./analysis.ts";

/** What must be seen next if the report is right, so that anybody can check it. */
export function predict(findings: Findings, first: Ranked | null): Prediction[] {
  const known = findings.signatures[0];
  const place = first?.location ? placeText(first.location) : "the cause";
  const repeats: Prediction = {
    statement: `The failure goes on until ${place} is changed, and does not come back afterwards.`,
    check:
      findings.incident.fingerprint === null
        ? "Repeat what led to the error before and after the change."
        : `Count events with fingerprint ${inlineCode(findings.incident.fingerprint)} before and after the change.`,
    due: null,
    outcome: "open",
  };
  if (!known) return [repeats];
  const seen: Prediction = {
    statement: `If this is right, ${fill(known.signature.seenIfTrue, known.groups)}.`,
    check: `Look for it; it is refuted when ${fill(known.signature.seenIfFalse, known.groups)}.`,
    due: null,
    outcome: "open",
  };
  return [seen, repeats];
}
