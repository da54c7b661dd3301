import { type DefinedErrors, defineErrors, type ErrorTable } from "@whence/protocol";

const table = {
  WHENCE_ERR_TELEMETRY_KEY_UNKNOWN: {
    status: 401,
    message: "the API key is not known: check the client's API key or DSN",
  },
  WHENCE_ERR_TELEMETRY_KEY_REVOKED: {
    status: 401,
    message: "the API key was revoked: give the client another key or DSN",
  },
  WHENCE_ERR_TELEMETRY_KEY_EXPIRED: { status: 401, message: "the API key has expired: give the client another" },
  WHENCE_ERR_TELEMETRY_AGENT_KEY: {
    status: 403,
    message: "an agent's key sends no telemetry: give the client an organization's key",
  },
  WHENCE_ERR_TELEMETRY_KEY_SCOPE: {
    status: 403,
    message:
      "sending telemetry needs an API key with the scope send or full, and this one has %s: an owner can make one under Settings → API keys",
  },
  WHENCE_ERR_SENTRY_KEY_MISSING: {
    status: 401,
    message: "the request has no key: send X-Sentry-Auth, sentry_key in the query, or the DSN in the envelope",
  },
  WHENCE_ERR_SENTRY_KEY: {
    status: 403,
    message:
      "a key with the scope %s is no DSN: an owner can make one under Settings → API keys, with the scope sentry",
  },
  WHENCE_ERR_SENTRY_PROJECT: {
    status: 403,
    message: "the key belongs to another project than %s: copy the DSN again",
  },
  WHENCE_ERR_SENTRY_ORIGIN: {
    status: 403,
    message: "pages of this origin may not send with this DSN: an owner can make one that allows %s",
  },
  WHENCE_ERR_SENTRY_ENVELOPE: { status: 400, message: "the envelope can't be read: %s" },
  WHENCE_ERR_SENTRY_TOO_LARGE: { status: 413, message: "%s is over %d bytes %s: send less with it" },
  WHENCE_ERR_SENTRY_ENCODING: {
    status: 415,
    message: "this content encoding is not taken: send gzip, deflate, br, or zstd, or don't compress",
  },
  WHENCE_ERR_OTLP_KEY_MISSING: {
    status: 401,
    message: "the request has no key: set OTEL_EXPORTER_OTLP_HEADERS to x-api-key=<your key>",
  },
  WHENCE_ERR_OTLP_BODY: { status: 400, message: "the request can't be read: %s" },
  WHENCE_ERR_OTLP_TOO_LARGE: { status: 413, message: "the request is over %d bytes %s: export less at a time" },
  WHENCE_ERR_OTLP_TYPE: {
    status: 415,
    message: "%s is not taken: send application/x-protobuf or application/json, plain or gzip",
  },
  WHENCE_ERR_BATCH_TOO_LARGE: { status: 413, message: "the batch is over %d bytes %s: send fewer events" },
  WHENCE_ERR_BATCH_TYPE: { status: 415, message: "%s is not taken: send application/json, plain or gzip" },
  WHENCE_ERR_BATCH_CORRUPT: { status: 400, message: "the batch is no valid gzip stream: compress it again" },
  WHENCE_ERR_TELEMETRY_RATE: { status: 429, message: "too many batches: send the next in %d seconds" },
  WHENCE_ERR_TELEMETRY_QUOTA: {
    status: 429,
    message: "the organization's %d events of the day (UTC) are used up: send again in %d seconds, or raise the quota",
  },
  WHENCE_ERR_TELEMETRY_OVERLOADED: {
    status: 503,
    message: "the gateway has as much in hand as it can take: send the batch again in %d seconds",
  },
  WHENCE_ERR_TELEMETRY_DISK_FULL: {
    status: 503,
    message: "the service's disk is full: send the batch again in %d seconds, and have an operator free space",
  },
  WHENCE_ERR_TELEMETRY_UNAVAILABLE: {
    status: 503,
    message: "the batch could not be stored: send it again in %d seconds",
  },
} as const satisfies ErrorTable;

/** Every error that ingestion raises. */
export const gatewayErrors: DefinedErrors<typeof table> = defineErrors(table);
