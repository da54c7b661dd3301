import type { SourceFiles } from "@whence/engine";

/** The requested code: of a service, at the release that failed. */
export interface WantedSources {
  readonly scopeId: string;
  readonly service: string;
  readonly release: string;
  /** The debug IDs of the built files that failed, keyed by their names in the stack; none when absent. */
  readonly debugIds?: ReadonlyMap<string, string>;
  /** Until when files may be read; by default as long as one investigation may read code. */
  readonly readUntil?: AbortSignal | undefined;
}

/** Reports that a provider failed: its vendor, and why. */
export type PlaceFailed = (vendor: string, why: string) => void;

/** A place that may have a service's code. */
export interface SourceProvider {
  /**
   * Returns null when it doesn't have the code. Reports to `failed` when the place fails, including later, while files
   * are read.
   */
  open(wanted: WantedSources, failed: PlaceFailed): Promise<SourceFiles | null>;
}

/** The repository that an issue is in. */
export interface WantedRepository {
  readonly scopeId: string;
  /** The address of the issue's page. */
  readonly page: string;
  /** When the failure began. RFC 3339. */
  readonly at: string;
  /** As of {@link WantedSources}. */
  readonly readUntil?: AbortSignal | undefined;
}

/** A place that may have the code around an issue. */
export interface IssueSources {
  /** As {@link SourceProvider.open}. */
  open(wanted: WantedRepository, failed: PlaceFailed): Promise<SourceFiles | null>;
}

/** Queries the providers in order, and uses the first one that has the code. */
export function firstProvider(providers: readonly SourceProvider[]): SourceProvider {
  return {
    async open(wanted, failed) {
      for (const provider of providers) {
        const sources = await provider.open(wanted, failed);
        if (sources) return sources;
      }
      return null;
    },
  };
}
