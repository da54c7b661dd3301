/** Limits of what OpenTelemetry's clients send. `docs/limits.md` lists them. */
export const otlpLimits = {
  /** Bytes of one request, on the wire and unpacked. */
  otlpBytesMax: 4_194_304,
  otlpUnpackedBytesMax: 8_388_608,
  /** Values of one request, each field of each message counted, and their levels of nesting. */
  otlpValuesMax: 500_000,
  otlpLevelsMax: 32,
  /** Attributes that one event keeps. */
  otlpAttributesMax: 100,
} as const;
