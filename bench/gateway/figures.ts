/** The route that is loaded. */
export const path = "/api/telemetry/events";

/** What a server says of itself since it was asked last. */
export interface ServerFigures {
  readonly loopP99Ms: number;
  readonly residentBytes: number;
  /** Of all its threads, since its start. */
  readonly cpuMs: number;
}

/** What the load generator is to do. */
export interface LoadOrder {
  readonly port: number;
  readonly events: number;
  readonly encoding: "plain" | "gzip";
  readonly connections: number;
  readonly warmUpMs: number;
  readonly measuredMs: number;
  /** Undefined: as many as are answered. */
  readonly batchesPerSecond?: number | undefined;
}

/** What came of it, the warm-up left out. */
export interface LoadFigures {
  readonly batchesPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers other than 202, by status. */
  readonly refused: Readonly<Record<string, number>>;
}
