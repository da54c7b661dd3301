import { secondMs } from "@whence/protocol";

/** The bounds of requests to third parties, and of what they answer, once, each with its unit last. */
export const vendorLimits = {
  /** From a request's first byte to the last of its answer. */
  requestTimeoutMs: 5_000,
  /** How long a vendor may take to confirm what was entered. */
  verifiedWithinMs: 15_000,
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
  /** Access tokens are renewed when they expire within this time. */
  renewedBeforeMs: 60 * secondMs,
  /** Repositories that are assigned to services. */
  repositoriesMax: 200,
  /** Paths of a repository that are listed. */
  repositoryPathsMax: 20_000,
  /** Pages of a list of paths, where a vendor lists it in pages. */
  treePagesMax: 20,
  /** Commits and files of a comparison. */
  comparedCommitsMax: 100,
  comparedFilesMax: 100,
  /** Of a text that is read from a sender of webhooks, such as its certificate. */
  senderTextBytesMax: 65_536,
} as const;
