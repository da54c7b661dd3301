import { bandIndexOf, type OrganizationHistory } from "../findings/organization-history.ts";
import { type Agreement, agreed } from "./agreement.ts";
import type { BareStack, Candidate, ConfidenceBasis } from "./candidate.ts";
import { calibrate } from "./model.ts";
import { calibrated } from "./organization-calibration.ts";
import { scoreMax, scoreMin } from "./score-bounds.ts";
import { type ServiceModel, shippedServiceModel } from "./service-model.ts";

/** Candidates this near to each other are a tie. */
export const tieWithin = 0.1;
/** Maximum error of a floating-point subtraction. */
const rounding = 1e-9;
/** Factor for a failure known only from the words of an alert or a person, which fit many causes. */
const announcedFactor = 0.85;
/** Maximum for such a failure, below "likely": what was observed at the time may not be what was announced. */
const announcedMax = 0.59;
/**
 * Factor for an error that part of its text may have been made to look like. Set by judgment: such a text points to any
 * file its author chose, and the recorded failures contain none.
 */
const forgeableFactor = 0.6;
/**
 * Maximum for a file that nothing leads to from a stack without the program's own code. Of 9 such recorded answers on
 * stacks of the runtime 3 were right; with a single file given, it would be certain. Of 67 such answers on failed tests
 * in Go none was right.
 */
const bareStackMax = 0.3;
/**
 * Maximum where the error shows an import cycle and the given files have none: what closes it may be in any other file.
 * Of 6 such recorded failures with only the failing file given, it was in that file in 2.
 */
const openCycleMax = 0.35;
/** Maximum for a package that reports refused data, as {@link bareStackMax}. Set by judgment. */
const refusedDataMax = 0.3;
/** Without a place and a service, only the category of failure is known. */
const nothingKnown = 0.1;
/** A platform states what it did, such as killing a process. Set by judgment, as that of process exits is. */
const stated = 0.9;

/** What makes an investigation less certain, whatever its candidates. */
interface Reservations {
  /** Factor for other errors in the text that may be the failure. */
  readonly competition?: number;
  /** Whether part of the text may have been made to look like the error. */
  readonly isForgeable?: boolean;
  readonly bareStack?: BareStack | null;
  /** Whether the error shows an import cycle that the given files don't have. */
  readonly isCycleOpen?: boolean;
  /** Whether a package is first only because it reports refused data. */
  readonly isRefusedData?: boolean;
  /** The source of the failure: an error, the words of an alert or a person, or heartbeats that stopped. */
  readonly knownFrom?: "error" | "announcement" | "heartbeats";
  /** How often services of a given weight are right; the shipped model's calibration by default. */
  readonly calibration?: ServiceModel["calibration"];
  /** How a language model's runs relate to the first candidate. */
  readonly agreement?: Agreement | null;
}

/**
 * Returns the probability that the first candidate is the cause, corrected by the agreement of a language model's runs,
 * and then by the organization's own history.
 */
export function confidenceOf(
  candidates: readonly Candidate[],
  history: OrganizationHistory | undefined,
  {
    competition = 1,
    isForgeable = false,
    bareStack = null,
    isCycleOpen = false,
    isRefusedData = false,
    knownFrom = "error",
    calibration = shippedServiceModel().calibration,
    agreement: found = null,
  }: Reservations = {},
): ConfidenceBasis {
  const [first, second] = candidates;
  const probabilityMax = Math.min(
    bareStack ? bareStackMax : 1,
    isCycleOpen ? openCycleMax : 1,
    isRefusedData ? refusedDataMax : 1,
  );
  const probability = Math.min(first?.probability ?? 0, probabilityMax);
  const own = probability * competition * (isForgeable ? forgeableFactor : 1);
  const isStated = first?.signature?.signature.isStated === true;
  const about = own === 0 ? (isStated ? "stated" : "failure") : first?.subject.kind === "place" ? "file" : "service";
  const ofService = {
    error: calibrate(calibration, own),
    announcement: Math.min(announcedMax, own * announcedFactor),
    // The heartbeats of an exited process are part of the failure itself.
    heartbeats: own,
  }[knownFrom];
  const scores = { file: own, service: ofService, failure: nothingKnown, stated };
  const alone = rounded(scores[about]);
  const isPlaced = about === "file" || about === "service";
  // Who forged the error may have written what the model read, too.
  const agreement = isPlaced && !(isForgeable && found === "agrees") ? found : null;
  const modelScore = agreement ? rounded(agreed(alone, agreement)) : alone;
  const band = history?.[bandIndexOf(modelScore)];
  const byHistory = (score: number): number => (history ? rounded(calibrated(score, history)) : score);
  return {
    score: byHistory(modelScore),
    modelScore,
    engineScore: byHistory(alone),
    agreement,
    judged: band?.judged ?? 0,
    confirmed: band?.confirmed ?? 0,
    isTie: first !== undefined && second !== undefined && first.probability - second.probability < tieWithin - rounding,
    isContested: competition < 1 && about === "file",
    isForgeable: isForgeable && about !== "failure",
    bareStack,
    about,
  };
}

function rounded(score: number): number {
  return Math.round(100 * Math.min(scoreMax, Math.max(scoreMin, score))) / 100;
}
