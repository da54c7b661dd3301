/** The results of a writer on a full queue. */
export interface FullQueueFigures {
  readonly rows: number;
  readonly writerMs: number;
  readonly cpuMs: number;
  readonly inserts: number;
  /** The time of the engine alone for the same rows as prebuilt bytes. */
  readonly engineMs: number;
  readonly loopP99Ms: number;
  readonly residentBytesMax: number;
}

/** The settings of the load. */
export interface LoadOrder {
  readonly port: number;
  readonly batchesPerSecond: number;
  readonly seconds: number;
}

/** Milliseconds since 1970, from one clock for all processes, by the id of a batch's first event. */
export type Moments = readonly (readonly [firstId: string, at: number])[];

export interface LoadFigures {
  /** When each batch's 202 arrived. */
  readonly acknowledged: Moments;
  /** Answers other than 202. */
  readonly refused: number;
}

export interface ServerFigures {
  /** When each batch could be found in the store. */
  readonly queryable: Moments;
  readonly inserts: number;
  readonly cpuMs: number;
  readonly loopP99Ms: number;
  readonly residentBytesMax: number;
}
