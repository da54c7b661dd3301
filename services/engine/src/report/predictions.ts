import type { FailureWatch, Prediction } from "@whence/protocol";
import type { Findings, Ranked } from "../findings.ts";
import { fill, inlineCode, placeText } from "../prose.ts";
import { isExpectedOf } from "./predictions/kinds.ts";
import { watchesOf } from "./predictions/watches.ts";
import { watchedMs, wordsOf } from "./predictions/wording.ts";

const rivalRank = 2;

/**
 * What must be seen from `now` (milliseconds since 1970) on if the first candidate is right. Where there is a second
 * one, at least one of the predictions is not also the second one's, and says so.
 */
export function predict(findings: Findings, candidates: readonly Ranked[], now: number): Prediction[] {
  const [first, rival] = candidates;
  if (!first) return [];
  const from = new Date(now).toISOString();
  const watched = watchesOf(first, findings, from).map((watch) => {
    const isTelling = rival !== undefined && !isExpectedOf(rival, watch.kind, findings);
    return watchedPrediction(watch, now, isTelling);
  });
  const isTold = watched.some(({ tells_apart_from: told }) => told !== undefined);
  const apart = rival && !isTold ? [byChanging(first, rival)] : [];
  const untold = watched.length === 0 && apart.length === 0 ? [byRepeating(first)] : [];
  return [...seenIfTrue(findings), ...watched, ...apart, ...untold];
}

function watchedPrediction(watch: FailureWatch, now: number, isTelling: boolean): Prediction {
  const { statement, check, refuted_by } = wordsOf(watch);
  return {
    statement: isTelling ? `${statement} ${saysTelling}` : statement,
    ...{ check, refuted_by },
    ...(isTelling ? { tells_apart_from: rivalRank } : {}),
    watch,
    due: new Date(now + watchedMs[watch.kind]).toISOString(),
    outcome: "open",
  };
}

const saysTelling = "The second candidate would not let one expect that.";

/** The signature's own test, for a person. */
function seenIfTrue({ signatures }: Findings): Prediction[] {
  const [known] = signatures;
  if (!known) return [];
  const refutedBy = fill(known.signature.rulesOut, known.groups);
  return [
    {
      statement: `If this is right, ${fill(known.signature.confirms, known.groups)}.`,
      check: `Look for it; it is refuted when ${refutedBy}.`,
      refuted_by: refutedBy,
      due: null,
      outcome: "open",
    },
  ];
}

/** Two places in the code that the telemetry cannot tell apart: who changes one of them can. */
function byChanging(first: Ranked, rival: Ranked): Prediction {
  return {
    statement: `A change at ${placeOf(first)} alone ends it; one at ${placeOf(rival)} alone does not. ${saysTelling}`,
    check: "Change one of the two and repeat what led to the error.",
    refuted_by: `It goes on after a change at ${placeOf(first)}, or ends with one at ${placeOf(rival)} alone.`,
    tells_apart_from: rivalRank,
    due: null,
    outcome: "open",
  };
}

function byRepeating(first: Ranked): Prediction {
  return {
    statement: `The failure goes on until ${placeOf(first)} is changed, and does not come back afterwards.`,
    check: "Repeat what led to the error before and after the change.",
    refuted_by: `It goes on after the change of ${placeOf(first)}.`,
    due: null,
    outcome: "open",
  };
}

function placeOf({ location, subject }: Ranked): string {
  if (location) return placeText(location);
  return subject === null ? "the cause" : inlineCode(subject);
}
