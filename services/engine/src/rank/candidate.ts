import type { Category } from "@whence/protocol";
import type { LocatedFrame } from "../findings/located-frame.ts";
import type { Observation } from "../findings/observation.ts";
import type { SignatureMatch } from "../findings/signature.ts";
import type { AnyCodeSignal } from "../signals/signal.ts";
import type { Subject } from "../signals/subject.ts";
import type { Agreement } from "./agreement.ts";

/** A possible cause and the evidence for it. Plain facts; the report puts them into words. */
export interface Candidate {
  readonly subject: Subject;
  /** The service that it is in; null when unknown. */
  readonly service: string | null;
  readonly category: Category;
  /** From 0 to 1: the share of reports in which a candidate like this one was the cause. */
  readonly probability: number;
  /** What the code shows about it, the most telling first. */
  readonly signals: readonly AnyCodeSignal[];
  /** The frames of the error within it, innermost first. */
  readonly frames: readonly LocatedFrame[];
  /** What telemetry shows about it; each has its `fact`. */
  readonly observations: readonly Observation[];
  /** What a language model quotes about it. */
  readonly quoted?: readonly Observation[];
  /** The known failure that names it. */
  readonly signature: SignatureMatch | null;
}

/** Whose calls a stack has that shows no code of the program itself. */
export type BareStack = "runtime" | "test";

/** The reasons for a confidence, in figures. */
export interface ConfidenceBasis {
  readonly score: number;
  /** The score before the organization's own history was applied. */
  readonly modelScore: number;
  /** The score without what a language model says, which alone decides what the report names and repairs. */
  readonly engineScore: number;
  /** How a language model's runs relate to the first candidate; null where they say nothing about it. */
  readonly agreement: Agreement | null;
  /** Reports of this organization in the same band that were judged, and how many of them were confirmed. */
  readonly judged: number;
  readonly confirmed: number;
  /** Whether the second candidate is within 10 points. */
  readonly isTie: boolean;
  /** Whether other errors in the text, which may be the failure instead, lowered it. */
  readonly isContested: boolean;
  /** Whether it was lowered because part of the text may have been made to look like the error. */
  readonly isForgeable: boolean;
  /** Whose calls the stack has, if these lowered it; else null. */
  readonly bareStack: BareStack | null;
  /** Whether it is about a file, a service, only the category of failure, or a failure that the platform states. */
  readonly about: "file" | "service" | "failure" | "stated";
}

/** The candidates, the most likely first; never empty. */
export interface Ranking {
  readonly candidates: readonly Candidate[];
  readonly confidence: ConfidenceBasis;
}
