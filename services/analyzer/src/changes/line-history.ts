import type { LastChange } from "@whence/engine";
import type { PlaceFailed } from "../sources/source-provider.ts";

/** A file of a release whose lines are queried. */
export interface AskedFile {
  /** The path below the service's folder. */
  readonly path: string;
  readonly lines: number;
}

/** The code whose history is queried. */
export interface AskedHistory {
  readonly scopeId: string;
  readonly service: string;
  readonly release: string;
  readonly files: readonly AskedFile[];
}

/** Finds the commits that last changed the lines of a release's files. */
export interface LineHistory {
  /** Null when it doesn't know the release, or failed, which it reports. */
  lastChanges(asked: AskedHistory, signal: AbortSignal, failed: PlaceFailed): Promise<readonly LastChange[] | null>;
}

/** Queries the places in order, and uses the first that knows the release. */
export function firstLineHistory(places: readonly LineHistory[]): LineHistory {
  return {
    async lastChanges(asked, signal, failed) {
      for (const place of places) {
        const found = await place.lastChanges(asked, signal, failed);
        if (found) return found;
      }
      return null;
    },
  };
}
