/** The bounds of what integrations are asked and tell, once, each with its unit last. */
export const integrationLimits = {
  /** Of one integration, in one investigation. It answers beside the others, and reports don't wait for longer. */
  askedWithinMs: 7_000,
  /** Of what a vendor says that credentials belong to. */
  belongsToLengthMax: 200,
  /** Findings of one integration that a report gets. */
  findingsMax: 30,
  findingTextLengthMax: 500,
  /** The time that is asked for: before the failure, and after it. */
  beforeMs: 3_600_000,
  afterMs: 300_000,
  /** How long a person has at the vendor to authorize. */
  authorizedWithinMs: 600_000,
  /** How long one process has the right to renew. */
  renewalMs: 10_000,
  /** How often the others look whether it did. */
  renewalLookMs: 100,
  /** How long one investigation reads code at a host. */
  codeReadWithinMs: 15_000,
} as const;
