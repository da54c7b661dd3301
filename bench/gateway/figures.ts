/** The route under load. */
export const path = "/api/telemetry/events";

/** A server's figures since the last query. */
export interface ServerFigures {
  readonly loopP99Ms: number;
  readonly residentBytes: number;
  /** CPU time of all its threads since its start. */
  readonly cpuMs: number;
}

/** The settings of the load generator. */
export interface LoadOrder {
  readonly port: number;
  readonly events: number;
  readonly encoding: "plain" | "gzip";
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
  /** Answers other than 202, by status. */
  readonly refused: Readonly<Record<string, number>>;
}
