import type { VendorHttp } from "../http/vendor-http.ts";
import type { FailureQuestion } from "../integrations/integration.ts";

/** What a query of one Grafana needs. */
export interface GrafanaQuestion {
  readonly http: VendorHttp;
  /** Without a trailing slash; for links. */
  readonly address: string;
  readonly about: FailureQuestion;
  /** The end of the span, or now if that is earlier. RFC 3339. */
  readonly until: string;
  readonly signal: AbortSignal;
}
