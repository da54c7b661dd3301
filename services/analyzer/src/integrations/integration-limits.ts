import { hourMs } from "@whence/protocol";

/** Limits of queries to integrations and of their answers, each with its unit last. */
export const integrationLimits = {
  /** Time limit for one integration in one investigation. They are queried in parallel, and reports wait no longer. */
  askedWithinMs: 7_000,
  /** Length of the account name that a vendor returns for credentials. */
  belongsToLengthMax: 200,
  /** Connections of one kind that an organization may have. */
  connectionsPerKindMax: 10,
  /** Findings of one integration in a report. */
  findingsMax: 30,
  findingTextLengthMax: 500,
  /** Length of a finding's address in the vendor's application. */
  findingUrlLengthMax: 2_000,
  /** The queried span: before the failure, and after it. */
  beforeMs: hourMs,
  afterMs: 300_000,
  /** Time limit for authorizing at the vendor. */
  authorizedWithinMs: 600_000,
  /** How long one process holds the right to renew a token. */
  renewalMs: 10_000,
  /** How often the other processes check whether it was renewed. */
  renewalLookMs: 100,
  /** Time limit for reading code at a host, per investigation. */
  codeReadWithinMs: 15_000,
} as const;
