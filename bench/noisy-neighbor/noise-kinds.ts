/** The kinds of noise. */
export const noiseKinds = ["agents", "analyses", "files", "bodies", "streams", "previews", "telemetry"] as const;
export type NoiseKind = (typeof noiseKinds)[number];

/** The settings of a process that makes noise. */
export interface NoiseOrder {
  readonly url: string;
  /** A key of the other organization. */
  readonly key: string;
  readonly kinds: readonly NoiseKind[];
}

/** The number of answers by request and status. */
export type NoiseTally = Readonly<Record<string, number>>;
