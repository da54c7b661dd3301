/** What code asks another service for, at a step of the value that the answer gives. */
export interface SentRequest {
  /** The texts of the URL that the code spells, in order, without what is put between them; empty when it spells none. */
  readonly urlParts: readonly string[];
  /** Whether the step takes in what an HTTP client answered, rather than what any call gave. */
  readonly isHttp: boolean;
  /** Whether the code there goes on with an answer of any status, as far as the function shows. */
  readonly takesAnyStatus: boolean;
}
