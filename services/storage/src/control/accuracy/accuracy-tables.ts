/** How sure the report of an incident was. Small rows, for sums; the report itself is with its incident. */
export interface ReportScoreTable {
  incident_id: string;
  /** Of the investigation that made the report. */
  attempt: number;
  category: string;
  score: number;
  /** Before the history of the organization counted. */
  model_score: number;
  completed_at: string;
}

/** A prediction that the service looks after. */
export interface PredictionTable {
  incident_id: string;
  /** Its index in the report. */
  position: number;
  /** 1 when another candidate would not make it. */
  is_discriminating: number;
  watch_json: string;
  due: string;
  /** `open`, `upheld`, `refuted`, or `undecided`: `due` has passed and there was no evidence either way. */
  state: string;
  /** How often it was looked at; the latest look alone may write. */
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
  /** 1 when its author, a program, asked for the analysis: then it counts for nothing. */
  is_own: number;
}
