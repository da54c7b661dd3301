import type { Category } from "@whence/protocol";
import type { LocatedFrame } from "../findings/located-frame.ts";
import type { Observation } from "../findings/observation.ts";
import type { SignatureMatch } from "../findings/signature.ts";
import type { AnyCodeSignal } from "../signals/signal.ts";
import type { Subject } from "../signals/subject.ts";

/** A possible cause and what led to it. Plain facts: words are made of them by the report. */
export interface Candidate {
  readonly subject: Subject;
  /** The service that it is in; null when that isn't known. */
  readonly service: string | null;
  readonly category: Category;
  /** 0 to 1: the share of reports in which a candidate like this one was the cause. */
  readonly probability: number;
  /** What the code shows of it, the most telling first. */
  readonly signals: readonly AnyCodeSignal[];
  /** The frames of the error that lie in it, innermost first. */
  readonly frames: readonly LocatedFrame[];
  /** What telemetry shows of it; each has its `fact`. */
  readonly observations: readonly Observation[];
  /** The known failure that names it. */
  readonly signature: SignatureMatch | null;
}

/** Why a confidence is what it is, in figures. */
export interface ConfidenceBasis {
  readonly score: number;
  /** The score before the organization's own history counted. */
  readonly modelScore: number;
  /** Judged reports of this organization in the same band, and how many of them were confirmed. */
  readonly judged: number;
  readonly confirmed: number;
  /** Whether the second candidate is within 10 points. */
  readonly isTie: boolean;
  /** Whether other errors of the text, that may be the failure instead, lowered it. */
  readonly isContested: boolean;
  /** Whether it was lowered because a part of the text may have been made to look like the error. */
  readonly isForgeable: boolean;
  /** Whether it is about a file, a service, or only the kind of failure. */
  readonly about: "file" | "service" | "failure";
}

/** The candidates, the most likely first; never empty. */
export interface Ranking {
  readonly candidates: readonly Candidate[];
  readonly confidence: ConfidenceBasis;
}
