import { limits } from "@whence/protocol/limits";

/** The client's own bounds; those of the wire are protocol's `limits`. */
export const sdkLimits = {
  /** Events that wait: a burst as large as a batch may be, and room for the client's own signs of life beside it. */
  queueEventsMax: limits.batchEventsMax + 24,
  /** What they may hold, estimated at one byte a character. */
  queueBytesMax: 8_388_608,
  /** Of JSON in one batch: what is built and compressed without anyone noticing; a larger event goes alone. */
  batchJsonBytesMax: 524_288,
  gzipFromBytes: 1_024,

  requestTimeoutMs: 10_000,
  /** An attempt to connect holds an otherwise empty event loop; this long at most. */
  connectTimeoutMs: 3_000,
  answerBytesMax: 1_048_576,
  backOffFirstMs: 1_000,
  backOffMaxMs: 60_000,
  retryAfterMaxMs: 3_600_000,
  flushTimeoutMs: 10_000,
  crashWaitMs: 1_500,
  exitWaitMs: 500,
  /** At the end of a Lambda invocation that recorded something, and how long before its deadline at the latest. */
  lambdaFlushMs: 2_000,
  lambdaMarginMs: 200,

  /** Own properties of one error, keys of one record. */
  propertiesMax: 50,
  dataDepthMax: 4,
  /** Characters of one breadcrumb's data, and of one event's attributes. */
  breadcrumbCharactersMax: 4_096,
  attributesCharactersMax: 65_536,

  contextLinesAround: 20,
  contextLineLengthMax: 300,
  contextsPerEventMax: 16,
  /** Of the events in one batch that share a stack, those that carry its source. */
  contextsPerStackMax: 5,
  contextsCachedMax: 300,
  sourceFileBytesMax: 2_097_152,
  stacksCachedMax: 200,
} as const;
