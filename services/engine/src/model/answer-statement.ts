/** What a model quotes for a statement about a report. */
export type AnswerCitation =
  /** A piece of the report's evidence: its excerpt, or what the engine says it shows. */
  | { readonly kind: "evidence"; readonly id: string; readonly excerpt: string }
  /** What was observed beyond the report: rows of telemetry, or what an integration answered. */
  | {
      readonly kind: "observed";
      readonly digest: string;
      /** The kind and the name of its source. */
      readonly source: string;
      /** What the engine says it shows. */
      readonly summary: string;
      readonly excerpt: string;
    }
  /** Lines of a file that was read for the answer, both included. */
  | {
      readonly kind: "source";
      readonly file: string;
      readonly from: number;
      readonly to: number;
      readonly excerpt: string;
    };

/** One sentence of a model's answer to a question about a report. */
export interface AnswerStatement {
  readonly sentence: string;
  readonly citations: readonly AnswerCitation[];
}
