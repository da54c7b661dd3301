/** The confidence of an incident's report, in a small row for sums. The report itself is stored with its incident. */
export interface ReportScoreTable {
  incident_id: string;
  /** Of the investigation that made the report. */
  attempt: number;
  category: string;
  score: number;
  /** The score before the organization's history was applied. */
  model_score: number;
  completed_at: string;
}

/** A prediction that the service checks. */
export interface PredictionTable {
  incident_id: string;
  /** Its index in the report. */
  position: number;
  /** 1 when only this candidate predicts it. */
  is_discriminating: number;
  watch_json: string;
  due: string;
  /** `open`, `upheld`, `refuted`, or `undecided`: `due` has passed and there was no evidence either way. */
  state: string;
  /** How often it was checked; only the latest check may write. */
  looks: number;
  looked_at: string | null;
  next_look_at: string;
  result_json: string | null;
}

/** One verdict; an author's latest revision counts. Rows are only added. */
export interface VerdictTable {
  incident_id: string;
  author_kind: string;
  author_id: string;
  revision: number;
  /** Of the investigation whose report it is about. */
  attempt: number;
  verdict: string;
  reason: string | null;
  actual_cause_json: string | null;
  given_at: string;
  /** 1 when a program judges an analysis that it requested. Such a verdict doesn't count. */
  is_own: number;
}
