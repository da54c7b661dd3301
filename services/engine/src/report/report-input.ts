import type { Location } from "@whence/protocol";
import type { Findings } from "../findings/findings.ts";
import type { Observation } from "../findings/observation.ts";
import type { Candidate, Ranking } from "../rank/candidate.ts";
import type { InputFact } from "../signals/fact.ts";
import type { Traced } from "../trace/traced.ts";
import type { EvidenceBook } from "./evidence-book.ts";
import type { Link } from "./link.ts";
import type { Messages } from "./messages.en.ts";
import type { ShownPath } from "./shown-path.ts";

/** A candidate with its chain, and the evidence that a sentence about it cites. */
export interface ChainedCandidate {
  readonly candidate: Candidate;
  readonly chain: readonly Link[];
  readonly location: Location | null;
  /** All of its evidence. */
  readonly ids: readonly string[];
  /** The strongest evidence of the origin and the symptom. */
  readonly citedIds: readonly string[];
}

/** The input of every part of a report. */
export interface ReportInput {
  readonly findings: Findings;
  readonly traced: Traced;
  readonly ranking: Ranking;
  readonly candidates: readonly ChainedCandidate[];
  /** The variables of the failing code; null where none is known. */
  readonly locals: Observation<InputFact<"local-values">> | null;
  readonly book: EvidenceBook;
  readonly messages: Messages;
  readonly shown: ShownPath;
  /** Milliseconds since 1970; predictions start then. */
  readonly now: number;
}
