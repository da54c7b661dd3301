/** Every number of the requests to third parties, once, with its unit last. */
export const integrationLimits = {
  /** From a request's first byte to the last of its answer. */
  requestTimeoutMs: 5_000,
  /** Of one integration, in one investigation. It answers beside the others, and reports don't wait for longer. */
  askedWithinMs: 7_000,
  /** How long connecting waits for the vendor. */
  verifiedWithinMs: 15_000,
  /** Of what a vendor says that credentials belong to. */
  belongsToLengthMax: 200,
  /** Of an answer, where its request names no other number. */
  answerBytesMax: 2_097_152,
  /** Of all paths of a repository, a file, a comparison, a cluster's objects, and lines of a log. */
  listBytesMax: 5_242_880,
  /** Of a refusal, which is searched for a reason alone. */
  refusalBytesMax: 65_536,
  /** Of a grant of tokens. */
  grantBytesMax: 262_144,
  /** Tries of one request, the first one included. */
  triesMax: 3,
  backOffMs: 250,
  /** A longer wait that a vendor asks for fails the request at once. */
  retryAfterMaxMs: 2_000,
  redirectsMax: 3,
  /** Pages of one list. */
  pagesMax: 5,
  connectionsMax: 4,
  /** Findings of one integration that a report gets. */
  findingsMax: 30,
  findingTextLengthMax: 500,
  /** The time that is asked for: before the failure, and after it. */
  beforeMs: 3_600_000,
  afterMs: 300_000,
  /** How long a person has at the vendor to authorize. */
  authorizedWithinMs: 600_000,
  /** Access tokens are renewed when they expire within this time. */
  renewedBeforeMs: 60_000,
  /** How long one process has the right to renew. */
  renewalMs: 10_000,
  /** How often the others look whether it did. */
  renewalLookMs: 100,
  /** Repositories that are assigned to services. */
  repositoriesMax: 200,
  /** Paths of a repository that are listed. */
  repositoryPathsMax: 20_000,
  /** Pages of a list of paths, where a vendor lists it in pages. */
  treePagesMax: 20,
  /** How long one investigation reads code at a host. */
  codeReadWithinMs: 15_000,
  /** Commits and files of a comparison. */
  comparedCommitsMax: 100,
  comparedFilesMax: 100,
} as const;
