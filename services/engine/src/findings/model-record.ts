/** How often a model named the cause where it was known without it: from decisive evidence, or from people. */
export interface ModelRecord {
  readonly answers: number;
  readonly right: number;
}
