import { benchKey } from "../child-server.ts";

/** What the clients send: batches of our own, an event in each envelope of Sentry's, or spans of OpenTelemetry. */
export const formats = ["whence", "sentry", "otlp"] as const;
export type Format = (typeof formats)[number];

/** The project of the DSN that clients of Sentry's send with. */
export const sentryProject = { id: "1", service: "checkout-api", env: "PROD", origins: [] };
/** The key of its DSN. */
export const sentryKey = `${benchKey}_sentry`;

/** The routes under load, by what they take. */
export const routes: Readonly<
  Record<Format, { readonly path: string; readonly type: string; readonly key: string; readonly accepted: number }>
> = {
  whence: {
    ...{ path: "/api/telemetry/events", type: "application/json" },
    ...{ key: `x-api-key: ${benchKey}`, accepted: 202 },
  },
  sentry: {
    ...{ path: `/api/${sentryProject.id}/envelope/`, type: "application/x-sentry-envelope" },
    ...{ key: `x-sentry-auth: Sentry sentry_version=7, sentry_key=${sentryKey}`, accepted: 200 },
  },
  otlp: {
    ...{ path: "/v1/traces", type: "application/x-protobuf" },
    ...{ key: `x-api-key: ${benchKey}`, accepted: 200 },
  },
};

/** A server's figures since the last query. */
export interface ServerFigures {
  readonly loopP99Ms: number;
  readonly residentBytes: number;
  /** CPU time of all its threads since its start. */
  readonly cpuMs: number;
}

export type Encoding = "plain" | "gzip";

/** The settings of the load generator. */
export interface LoadOrder {
  readonly port: number;
  readonly format: Format;
  readonly events: number;
  readonly encoding: Encoding;
  /** Of spans of OpenTelemetry, how many fail. */
  readonly failingPercent: number;
  readonly connections: number;
  readonly warmUpMs: number;
  readonly measuredMs: number;
  /** Undefined for as many as are answered. */
  readonly batchesPerSecond?: number | undefined;
}

/** The results, without the warm-up. */
export interface LoadFigures {
  readonly batchesPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers other than the route's, by status. */
  readonly refused: Readonly<Record<string, number>>;
}
