/** Every limit of the client, once, with its unit last. */
export const clientLimits = {
  /** Time for one attempt, from the first byte sent to the last one received. */
  requestTimeoutMs: 30_000,
  /** Attempts per request, including the first. */
  triesMax: 4,
  backOffFirstMs: 250,
  backOffMaxMs: 4_000,
  /** After a longer Retry-After, the call fails at once and says when to try again. */
  retryAfterMaxMs: 30_000,
  /** Generous: an incident with its report is about 100 kB. */
  answerBytesMax: 33_554_432,
  /** The service sends something every 15 s, so a stream that is silent for longer is dead. */
  streamSilenceMaxMs: 45_000,

  /** Other processes hold the lock while they register. */
  lockWaitMaxMs: 60_000,
  lockPollMs: 25,
  /** How often the holder of a lock refreshes it, and the age at which it counts as abandoned. */
  lockRefreshMs: 2_000,
  lockStaleMs: 20_000,
  /** Former agents remembered per service. */
  historyMax: 20,
  credentialsBytesMax: 1_048_576,

  /** Files searched for a name in the stack that isn't a path. */
  walkedEntriesMax: 20_000,
  /**
   * Files reserved for installed packages in the stack, which imports can't use up: known bugs of packages are found
   * there.
   */
  packagedFilesKept: 5,
} as const;
