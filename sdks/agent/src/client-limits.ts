/** Every number of the client, once, with its unit last. */
export const clientLimits = {
  /** From the first byte sent to the last one received, of one try. */
  requestTimeoutMs: 30_000,
  /** Tries of one request, the first one included. */
  triesMax: 4,
  backOffFirstMs: 250,
  backOffMaxMs: 4_000,
  /** A longer Retry-After isn't waited for: the call fails at once and says when to try again. */
  retryAfterMaxMs: 30_000,
  /** An incident with its report is some 100 kB. */
  answerBytesMax: 33_554_432,
  /** The service says something every 15 s: a stream that is silent for longer is dead. */
  streamSilenceMaxMs: 45_000,

  /** Other processes hold the lock for as long as a registration takes. */
  lockWaitMaxMs: 60_000,
  lockPollMs: 25,
  /** How often the holder of a lock shows that it lives, and after how long it is taken for dead. */
  lockRefreshMs: 2_000,
  lockStaleMs: 20_000,
  /** Earlier agents of one address that are remembered. */
  historyMax: 20,
  credentialsBytesMax: 1_048_576,

  /** Files looked at for a name of the stack that no path leads to. */
  walkedEntriesMax: 20_000,
  /** Room that imports leave for files of installed packages on the stack: published bugs are in those. */
  packagedFilesKept: 5,
} as const;
