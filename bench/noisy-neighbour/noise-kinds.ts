/** What may be made noise of. */
export const noiseKinds = ["agents", "analyses", "files", "bodies", "streams", "previews", "telemetry"] as const;
export type NoiseKind = (typeof noiseKinds)[number];

/** The order to a process that makes noise. */
export interface NoiseOrder {
  readonly url: string;
  /** Of the other organization. */
  readonly key: string;
  readonly kinds: readonly NoiseKind[];
}

/** How often what was answered how. */
export type NoiseTally = Readonly<Record<string, number>>;
