/** Why a vendor returned nothing. */
export type VendorFailureReason =
  | "unauthorized"
  | "forbidden"
  | "not-found"
  | "rate-limited"
  | "unavailable"
  | "too-slow"
  | "unexpected-answer"
  | "refused-address"
  /** The model doesn't answer such a request. */
  | "declined"
  /** The answer ends in the middle. */
  | "cut-off"
  | "too-long"
  | "invalid-input";

/** A vendor returned nothing. The message is for people of the organization, and contains no credential. */
export class VendorFailure extends Error {
  readonly reason: VendorFailureReason;
  /** How long the vendor asked to wait; null when it didn't. */
  readonly retryAfterMs: number | null;

  constructor(reason: VendorFailureReason, message: string, retryAfterMs: number | null = null) {
    super(message);
    this.name = "VendorFailure";
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The failure of a connection whose application the operator no longer registers. */
export function applicationNotConfigured(): VendorFailure {
  return new VendorFailure("unauthorized", "the application for this integration is no longer configured");
}
