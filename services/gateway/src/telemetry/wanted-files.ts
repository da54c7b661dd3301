import { limits } from "@whence/protocol";
import type { ReleaseName, Scoped, SentSourceScope } from "@whence/storage";
import { LRUCache } from "lru-cache";

/** How long an answer is cached for batches, so that they don't each cost a query. */
const rememberedMs = 30_000;
/** The same for requests that only ask. */
const askedAgainMs = 500;
const rememberedReleasesMax = 10_000;

/** A release of a service, and the organization that it belongs to. */
export interface OwnedRelease extends ReleaseName {
  readonly scopeId: string;
}

interface Entry {
  readonly files: readonly string[];
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The files of releases that investigations lack, as last read from the control database. */
export class WantedFiles {
  readonly #control: Scoped<SentSourceScope>;
  readonly #clock: () => number;
  readonly #entries = new LRUCache<string, Entry>({ max: rememberedReleasesMax });
  readonly #lookups = new Map<string, Promise<readonly string[]>>();

  constructor(control: Scoped<SentSourceScope>, clock: () => number) {
    this.#control = control;
    this.#clock = clock;
  }

  /** Returns what is known without waiting: a stale answer is renewed in the background. */
  known(of: OwnedRelease): readonly string[] {
    const entry = this.#entries.get(keyOf(of));
    if (!this.#isFresh(entry, rememberedMs)) void this.#lookUp(of);
    return entry?.files ?? [];
  }

  /** Resolves with what is wanted now. Never rejects: without an answer of the database, with what was known. */
  async ask(of: OwnedRelease): Promise<readonly string[]> {
    const entry = this.#entries.get(keyOf(of));
    return entry && this.#isFresh(entry, askedAgainMs) ? entry.files : this.#lookUp(of);
  }

  /** Forgets an answer, because files arrived. */
  forget(of: OwnedRelease): void {
    this.#entries.delete(keyOf(of));
  }

  #isFresh(entry: Entry | undefined, forMs: number): boolean {
    return entry !== undefined && this.#clock() - entry.at < forMs;
  }

  #lookUp(of: OwnedRelease): Promise<readonly string[]> {
    const key = keyOf(of);
    const running = this.#lookups.get(key);
    if (running !== undefined) return running;
    const lookup = this.#read(of).finally(() => this.#lookups.delete(key));
    this.#lookups.set(key, lookup);
    return lookup;
  }

  async #read(of: OwnedRelease): Promise<readonly string[]> {
    const now = this.#clock();
    const key = keyOf(of);
    try {
      const { sentSources } = this.#control.scope(of.scopeId);
      const files = await sentSources.wanted(of, new Date(now - limits.filesWantedMs));
      this.#entries.set(key, { files, at: now });
      return files;
    } catch {
      // Readiness reports a database that doesn't answer. Until it does, it is asked no more often than otherwise.
      const files = this.#entries.get(key)?.files ?? [];
      this.#entries.set(key, { files, at: now });
      return files;
    }
  }
}

function keyOf({ scopeId, service, release }: OwnedRelease): string {
  return JSON.stringify([scopeId, service, release]);
}
