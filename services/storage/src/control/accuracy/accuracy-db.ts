import type {
  Feedback,
  FeedbackRequest,
  PredictionOutcome,
  PredictionResult,
  Report,
  Verdict,
  Watch,
} from "@whence/protocol";

/** What is said of the reports of a scope. */
export interface FeedbackScope {
  readonly feedback: FeedbackRepository;
}

/** The predictions of all scopes. */
export interface PredictionStore {
  readonly predictions: PredictionDirectory;
}

/** The predictions of all scopes. Any process may check them, for any organization. */
export interface PredictionDirectory {
  /**
   * Takes those whose next look is due, the longest waiting first and each scope in its turn. Of one scope no more than
   * `perScopeMax` are taken within a minute, by all processes together. A taken one comes again after `holdMs`, so that a
   * process that dies holds up nothing.
   */
  take(now: Date, bounds: TakeBounds): Promise<readonly TakenPrediction[]>;
  /** Writes what became of it, once: false when a later look has it, or it is settled. */
  settle(taken: TakenPrediction, settled: SettledPrediction): Promise<boolean>;
  /** Leaves it open until then; false as for {@link settle}. */
  postpone(taken: TakenPrediction, nextLookAt: Date): Promise<boolean>;
}

export interface TakeBounds {
  readonly perScopeMax: number;
  readonly max: number;
  readonly holdMs: number;
}

export interface TakenPrediction {
  readonly scopeId: string;
  readonly incidentId: string;
  readonly position: number;
  readonly watch: Watch;
  readonly due: string;
  /** Which look this is, from 1: fences off the others. */
  readonly look: number;
}

/** `undecided`: `due` has passed, and the telemetry cannot tell. */
export interface SettledPrediction {
  readonly state: "upheld" | "refuted" | "undecided";
  readonly result: PredictionResult;
}

/** Who gives a verdict. */
export type FeedbackAuthor = Feedback["author"];

export type GiveOutcome =
  /** Whether the given opinion counts, and all that is held of the incident. */
  | { readonly outcome: "kept"; readonly counts: boolean; readonly feedback: readonly Feedback[] }
  /** No such incident in the scope; no report to judge; an author who changed it too often. */
  | { readonly outcome: "unknown" | "no-report" | "too-often" };

/** What people and predictions say of the reports of one scope. */
export interface FeedbackRepository {
  /** Keeps the author's opinion of the present report. The same opinion again changes nothing; another is added. */
  give(incidentId: string, author: FeedbackAuthor, opinion: FeedbackRequest, now: Date): Promise<GiveOutcome>;
  /** Newest first. With `judged` those alone about which anybody, or a telling prediction, said something. */
  records(options: { limit: number; judged: boolean }): Promise<readonly ReportRecord[]>;
}

/** A report, how sure it was, and what became of it. */
export interface ReportRecord {
  readonly incidentId: string;
  readonly category: Report["root_cause"]["category"];
  readonly score: number;
  readonly modelScore: number;
  /** It tells how processes ended, by rules, and names no file: its score says nothing of the model's. */
  readonly isOfExit: boolean;
  readonly completedAt: string;
  /** Each author's latest, about this very report; none of a program about an analysis that it asked for. */
  readonly verdicts: readonly { readonly author: FeedbackAuthor; readonly verdict: Verdict }[];
  /** Those that the service looks after. */
  readonly predictions: readonly { readonly isDiscriminating: boolean; readonly outcome: PredictionOutcome }[];
}
