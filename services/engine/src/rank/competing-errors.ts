import type { ParsedError } from "../findings/parsed-error.ts";
import { ownPlaceOf } from "../source/own-place.ts";

/**
 * Factor for an error that was chosen for how it ended, when another one points to another file. Of such recorded
 * failures 30% were answered correctly, at a stated 65%: the crash often only follows from what was logged before it.
 */
const endingFactor = 0.5;
/**
 * Factor for the first of several errors. The recorded logs are truthful, and are answered as well as others; a forged
 * one isn't.
 */
const firstFactor = 0.9;

/**
 * Returns the share of the confidence that remains when other errors in the text, which point to other files, may be
 * the failure.
 */
export function competitionFactor({ chosenBecause, exceptions, chain }: ParsedError): number {
  if (chosenBecause === null) return 1;
  const own = ownPlaceOf(exceptions, chain[0] ?? -1)?.file;
  const isElsewhere = chosenBecause.rivals.some((index) => {
    const file = ownPlaceOf(exceptions, index)?.file;
    return file !== undefined && file !== own;
  });
  if (!isElsewhere) return 1;
  return endings.has(chosenBecause.reason) ? endingFactor : firstFactor;
}

const endings: ReadonlySet<string> = new Set(["ended-process", "ends-text", "logged-fatal"]);
