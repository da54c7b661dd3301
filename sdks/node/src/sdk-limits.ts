import { limits } from "@whence/protocol/limits";

/** The client's own bounds; those of the wire are protocol's `limits`. */
export const sdkLimits = {
  /**
   * Events that wait: a burst as large as a batch may be, and room for the client's own signs of life beside it. Read when
   * it is asked for, so that bundlers see that a file which asks for none of these numbers needs none.
   */
  get queueEventsMax(): number {
    return limits.batchEventsMax + 24;
  },
  /** What they may hold in memory, estimated; what they share counts once. */
  queueBytesMax: 8_388_608,
  /** Of JSON in one batch, which fits the wire however badly it compresses; a larger event goes alone. */
  batchJsonBytesMax: 1_000_000,
  /** Events are written for a batch, and stacks of causes printed, until the program has its turn. */
  packingTurnMs: 0.5,
  /** Events that are made ready for a batch; more of them once batches hold half of that. */
  batchEventsMin: 100,
  gzipFromBytes: 1_024,
  /** An event that the service finds too large is trimmed down to this and no further. */
  eventBytesMin: 8_192,
  /** One run of lost numbers in a batch, as JSON. */
  lossRunBytes: 64,

  requestTimeoutMs: 10_000,
  /** To resolve the name; and to connect, name included. */
  connectTimeoutMs: 3_000,
  /** For each address of a name that has several, such as one of IPv6 and one of IPv4. */
  addressTimeoutMs: 1_000,
  /** For each name server that has not answered yet. */
  nameServerTimeoutMs: 1_000,
  /** How often it is asked, during such attempts, whether the program has anything else to do. */
  idleCheckIntervalMs: 100,
  answerBytesMax: 1_048_576,
  backOffFirstMs: 1_000,
  backOffMaxMs: 60_000,
  retryAfterMaxMs: 3_600_000,
  flushTimeoutMs: 10_000,
  crashWaitMs: 1_500,
  exitWaitMs: 500,
  /** Before that, for the source around the frames of what else waits than a crash. */
  finalSourcesMs: 100,
  /** How often another thread looks whether the main thread still turns, which it must every flush interval. */
  hangLookIntervalMs: 5_000,
  /** A main thread that did not turn for so long is told of, and again after so long. */
  hangFirstAfterMs: 15_000,
  hangAgainAfterMs: 30_000,
  /** Calls of the stack on which it stands. */
  hangFramesMax: 30,
  /** At the end of a Lambda invocation that recorded something, and how long before its deadline at the latest. */
  lambdaFlushMs: 2_000,
  lambdaMarginMs: 200,

  /** One process's file, and all of a folder's of one service. */
  spoolFileBytesMax: 8_388_608,
  spoolBytesMax: 67_108_864,
  spoolFilesMax: 100,
  spoolAgeMaxMs: 604_800_000,
  /** From a capture until it is written, with what comes meanwhile. */
  spoolWriteDelayMs: 10,
  spoolEventsPerWriteMax: 32,
  spoolPendingMax: 1_024,
  /** After the disk failed. */
  spoolRetryMs: 30_000,
  /** Files of others are looked for so long after the start, then again and again. */
  spoolFirstLookMs: 1_000,
  spoolLookIntervalMs: 60_000,
  /** A file is touched every 5 s; one that was not for so long belongs to nobody. */
  spoolStaleMs: 60_000,

  /** Own properties of one error, keys of one record. */
  propertiesMax: 50,
  dataDepthMax: 4,
  /** Characters of one breadcrumb's data, and of one event's attributes. */
  breadcrumbCharactersMax: 4_096,
  attributesCharactersMax: 65_536,
  /** Of what a heartbeat tells that the process did last: breadcrumbs, one of their texts, and all of them as JSON. */
  heartbeatBreadcrumbsMax: 20,
  heartbeatTextCharactersMax: 512,
  heartbeatBreadcrumbsCharactersMax: 8_192,
  /** Of a log record that becomes a breadcrumb: its message, and the line that its fields are read from. */
  logLineCharactersMax: 1_024,
  logLineParsedMax: 4_096,

  /** Five are enough for a reader; the engine follows a value back to where it was made, mostly in the same function. */
  contextLinesAround: 20,
  contextLineLengthMax: 300,
  contextsPerEventMax: 16,
  /** Of the events in one batch that share a stack, those that carry its source. */
  contextsPerStackMax: 5,
  contextsCachedMax: 300,
  sourceFileBytesMax: 2_097_152,
  /** Of a compiled file, and of its map. */
  sourceMapBytesMax: 16_777_216,
  /** Characters of mappings that are read before the program has its turn: about 5 ms. */
  mappingsPerTurn: 500_000,
  mappedPlacesMax: 500,
  stacksCachedMax: 200,
} as const;
