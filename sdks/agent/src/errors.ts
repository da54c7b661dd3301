import { type DefinedErrors, defineErrors, type ErrorTable, type ValidationError, WhenceError } from "@whence/protocol";

const table = {
  WHENCE_ERR_ADDRESS_INVALID: {
    status: 400,
    message: "%s isn't the URL of a service: expected, for example, https://whence.example.com",
  },
  WHENCE_ERR_NOT_REGISTERED: { status: 404, message: "no agent is registered at %s: run whence register" },
  WHENCE_ERR_REQUEST_INVALID: { status: 422, message: "the service rejected the request: %s" },
  WHENCE_ERR_SERVICE_ANSWER: {
    status: 502,
    message: "%s answered with %s, so it isn't a Whence service: check the address (WHENCE_URL)",
  },
  WHENCE_ERR_SERVICE_REDIRECTS: { status: 502, message: "%s redirects to %s: set WHENCE_URL to that address" },
  WHENCE_ERR_SERVICE_UNREACHABLE: {
    status: 503,
    message: "no answer from %s (%s): check the address (WHENCE_URL) and that the service is running",
  },
  WHENCE_ERR_SERVICE_TIMEOUT: { status: 504, message: "%s did not answer within %d seconds: try again later" },
  WHENCE_ERR_SOURCES_CHANGED: {
    status: 409,
    message: "files in %s changed while they were being uploaded: upload again when nothing writes there",
  },
  WHENCE_ERR_CREDENTIALS_OPEN: { status: 500, message: "others can read %s (its mode is %s): run chmod %s %s" },
  WHENCE_ERR_CREDENTIALS_FOREIGN: { status: 500, message: "%s belongs to another user: use a HOME of your own" },
  WHENCE_ERR_CREDENTIALS_DAMAGED: {
    status: 500,
    message: "%s is damaged or from a newer release: fix it, or move it away and register again",
  },
  WHENCE_ERR_CREDENTIALS_UNUSABLE: { status: 500, message: "%s can't be used: %s" },
  WHENCE_ERR_CREDENTIALS_BUSY: {
    status: 500,
    message: "another process has held %s for %d seconds: try again, or remove it if no such process is running",
  },
} as const satisfies ErrorTable;

/** Every error that the client raises. An error returned by the service is a {@link ServiceRefusal}. */
export const agentErrors: DefinedErrors<typeof table> = defineErrors(table);

/** An error returned by the service. `docs/errors.md` lists its codes. */
export class ServiceRefusal extends WhenceError {
  /** When to try again; null when the service didn't say. */
  readonly retryAfterSeconds: number | null;
  /** The violations listed in a 422 answer. */
  readonly violations: readonly ValidationError[];

  constructor(
    code: string,
    status: number,
    message: string,
    {
      retryAfterSeconds = null,
      violations = [],
    }: Partial<Pick<ServiceRefusal, "retryAfterSeconds" | "violations">> = {},
  ) {
    super(code, status, message);
    this.name = "ServiceRefusal";
    this.retryAfterSeconds = retryAfterSeconds;
    this.violations = violations;
  }
}
