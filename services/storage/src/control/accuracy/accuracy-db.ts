import type {
  Feedback,
  FeedbackRequest,
  PredictionOutcome,
  PredictionResult,
  Report,
  Verdict,
  Watch,
} from "@whence/protocol";

/** The feedback on the reports of a scope. */
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
   * Takes predictions whose next check is due, scope by scope in turn, the longest waiting first. All processes
   * together take at most `perScopeMax` of a scope per minute. A prediction is due again after `holdMs`, in case the
   * process that took it dies.
   */
  take(now: Date, bounds: TakeBounds): Promise<readonly TakenPrediction[]>;
  /** Settles a prediction. False when a later check has taken it, or it is already settled. */
  settle(taken: TakenPrediction, settled: SettledPrediction): Promise<boolean>;
  /** Postpones the next check. False as for {@link settle}. */
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
  /** The number of this check, from 1. Only the latest may write. */
  readonly look: number;
}

/** The outcome of a prediction. `undecided`: `due` has passed without evidence either way. */
export interface SettledPrediction {
  readonly state: "upheld" | "refuted" | "undecided";
  readonly result: PredictionResult;
}

/** The author of a verdict. */
export type FeedbackAuthor = Feedback["author"];

export type GiveOutcome =
  /** `counts`: whether this verdict calibrates later reports. `feedback`: all feedback on the incident. */
  | { readonly outcome: "kept"; readonly counts: boolean; readonly feedback: readonly Feedback[] }
  /** The scope has no such incident; there is no report; the author changed their verdict too often. */
  | { readonly outcome: "unknown" | "no-report" | "too-often" };

/** Verdicts on the reports of one scope, by people, agents and predictions. */
export interface FeedbackRepository {
  /**
   * Stores an author's verdict on the current report. The same verdict again changes nothing; a different one is added.
   */
  give(incidentId: string, author: FeedbackAuthor, opinion: FeedbackRequest, now: Date): Promise<GiveOutcome>;
  /** Newest first. `judged`: only reports with a verdict or a settled discriminating prediction. */
  records(options: { limit: number; judged: boolean }): Promise<readonly ReportRecord[]>;
}

/** A report's confidence, verdicts and predictions. */
export interface ReportRecord {
  readonly incidentId: string;
  readonly category: Report["root_cause"]["category"];
  readonly score: number;
  readonly modelScore: number;
  /** A report of a process exit. Rules write those and they name no file, so the score doesn't measure the model. */
  readonly isOfExit: boolean;
  readonly completedAt: string;
  /** Each author's latest verdict on this report, without those of programs on analyses that they requested. */
  readonly verdicts: readonly { readonly author: FeedbackAuthor; readonly verdict: Verdict }[];
  /** The predictions that the service checks. */
  readonly predictions: readonly { readonly isDiscriminating: boolean; readonly outcome: PredictionOutcome }[];
}
