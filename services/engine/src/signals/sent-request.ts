/** What code requests from another service, at a step where the value comes from the response. */
export interface SentRequest {
  /**
   * The literal parts of the URL in the code, in order, without what is inserted between them; empty when there are
   * none.
   */
  readonly urlParts: readonly string[];
  /** Whether the step takes in the response of an HTTP client, rather than the result of any call. */
  readonly isHttp: boolean;
  /** Whether the code accepts a response of any status, as far as the function shows. */
  readonly takesAnyStatus: boolean;
}
