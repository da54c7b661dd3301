import type { SourceFiles } from "@whence/engine";

/** Code that is wanted: of a service, at the release that failed. */
export interface WantedSources {
  readonly scopeId: string;
  readonly service: string;
  readonly release: string;
}

/** Reports that a place that was asked failed: whose it is, and why. */
export type PlaceFailed = (vendor: string, why: string) => void;

/** A place where a service's code may be. */
export interface SourceProvider {
  /** Null when it isn't there. Reports to `failed` when the place failed, also later, while files are read. */
  open(wanted: WantedSources, failed: PlaceFailed): Promise<SourceFiles | null>;
}

/** Asks the providers in order, and takes the first that has the code. */
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
