import { secondMs } from "@whence/protocol";

/** The limits of requests to third parties, and of their responses, once, each with its unit last. */
export const vendorLimits = {
  /** From a request's first byte to the last of its response. */
  requestTimeoutMs: 5_000,
  /** How long a vendor may take to confirm entered credentials. */
  verifiedWithinMs: 15_000,
  /** A response, unless its request sets another limit. */
  answerBytesMax: 2_097_152,
  /** All paths of a repository, a file, a comparison, a cluster's objects, or lines of a log. */
  listBytesMax: 5_242_880,
  /** A refusal, which is only searched for a reason. */
  refusalBytesMax: 65_536,
  /** A token response. */
  grantBytesMax: 262_144,
  /** Attempts at one request, including the first one. */
  triesMax: 3,
  backOffMs: 250,
  /** A request fails at once when the vendor asks for a longer wait. */
  retryAfterMaxMs: 2_000,
  redirectsMax: 3,
  /** Pages of one list. */
  pagesMax: 5,
  connectionsMax: 4,
  /** Access tokens are renewed when they expire within this time. */
  renewedBeforeMs: 60 * secondMs,
  /** Repositories assigned to services. */
  repositoriesMax: 200,
  /** Listed paths of a repository. */
  repositoryPathsMax: 20_000,
  /** Pages of a list of paths, for vendors that return it in pages. */
  treePagesMax: 20,
  /** Commits and files of a comparison. */
  comparedCommitsMax: 100,
  comparedFilesMax: 100,
  /** One answer of a language model; a large one on one's own machine takes its time. */
  model: {
    answerWithinMs: 120 * secondMs,
    answerBytesMax: 8_388_608,
    checkedWithinMs: 60 * secondMs,
    outputTokensOfCheckMax: 256,
  },
  /** A text read from a sender of webhooks, such as its certificate. */
  senderTextBytesMax: 65_536,
} as const;
