/** What a run of a writer on a full queue came to. */
export interface FullQueueFigures {
  readonly rows: number;
  readonly writerMs: number;
  readonly cpuMs: number;
  readonly inserts: number;
  /** The same rows, as prebuilt bytes, inserted by the engine alone. */
  readonly engineMs: number;
  readonly loopP99Ms: number;
  readonly residentBytesMax: number;
}

/** What the load is to be. */
export interface LoadOrder {
  readonly port: number;
  readonly batchesPerSecond: number;
  readonly seconds: number;
}

/** Moments are milliseconds since 1970, of one clock for all processes; the key is the id of a batch's first event. */
export type Moments = readonly (readonly [firstId: string, at: number])[];

export interface LoadFigures {
  /** When its 202 came. */
  readonly acknowledged: Moments;
  /** Answers other than 202. */
  readonly refused: number;
}

export interface ServerFigures {
  /** When it could be found in the store. */
  readonly queryable: Moments;
  readonly inserts: number;
  readonly cpuMs: number;
  readonly loopP99Ms: number;
  readonly residentBytesMax: number;
}
