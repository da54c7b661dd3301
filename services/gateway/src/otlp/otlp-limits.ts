/** Limits of what OpenTelemetry's clients send. `docs/limits.md` lists them. */
export const otlpLimits = {
  /** Bytes of one request, on the wire and unpacked. */
  otlpBytesMax: 4_194_304,
  otlpUnpackedBytesMax: 8_388_608,
  /** Values of one request, each field of each message counted, and their levels of nesting. */
  otlpValuesMax: 500_000,
  otlpLevelsMax: 32,
  /** Resources of one request: as many as the items of a Collector's batch, by our documentation. */
  otlpResourcesMax: 2_048,
  /** Errors of one request. */
  otlpErrorsMax: 5_000,
  /** Errors of one span, the last ones. */
  otlpErrorsPerSpanMax: 20,
  /** Attributes that one event keeps. */
  otlpAttributesMax: 100,
  /** Spans that are kept of an organization in a minute, by each gateway. */
  otlpSpansPerMinuteMax: 6_000,
  /** Readings of processes that are kept of an organization in a minute, by each gateway. */
  otlpReadingsPerMinuteMax: 2_000,
  /**
   * Points of series that are kept of an organization, and of each of its services, in a minute, by each gateway: 20,000
   * and 5,000 series that are exported every 10 seconds.
   */
  otlpPointsPerMinuteMax: 120_000,
  otlpPointsPerServiceMax: 30_000,
  /** Services that points of one request name, those of each resource counted, since each costs a message of its own. */
  otlpNamedServicesMax: 1_000,
  /** Characters of the name of a route, a destination, or a queue. */
  otlpSeriesNameLengthMax: 256,
  /** One in this many traces is kept regardless of its content. */
  otlpSampledOf: 10,
  /** From here on, a span is slow, and kept like one that failed. */
  otlpSlowSpanMs: 1_000,
  /** Characters of a text of a span. */
  otlpSpanTextLengthMax: 512,
  /** Characters of the name of a pool of connections. */
  otlpPoolNameLengthMax: 128,
} as const;
