import { limits } from "@whence/protocol";
import type { ReleaseName, Scoped, SentSourceScope } from "@whence/storage";
import { LRUCache } from "lru-cache";
import { settleWithin } from "./settle-within.ts";

/** How long an answer is cached for batches, so that they don't each cost a query. */
const rememberedMs = 30_000;
/** The same for requests that only ask. */
const askedAgainMs = 500;
const rememberedReleasesMax = 10_000;
/** Characters of the names that are cached. */
const rememberedCharactersMax = 8 * 1_048_576;
/** How long the answer to a batch waits for the control database. */
const answeredWithinMs = 500;

/** A release of a service, and the organization that it belongs to. */
export interface OwnedRelease extends ReleaseName {
  readonly scopeId: string;
}

/** Whether the code of a service can be read without its processes. */
export type HasCode = (of: OwnedRelease) => Promise<boolean>;

/** Files, as stacks name them, and when they were read or asked for. */
interface Entry {
  readonly files: readonly string[];
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The files of releases that investigations lack, as last read from the control database. */
export class WantedFiles {
  readonly #control: Scoped<SentSourceScope>;
  readonly #hasCode: HasCode;
  readonly #clock: () => number;
  readonly #entries = newEntries();
  /** Files of failing stacks that were asked for, or needn't be. */
  readonly #asked = newEntries();
  readonly #lookups: Running = new Map();
  readonly #asking: Running = new Map();

  constructor(control: Scoped<SentSourceScope>, hasCode: HasCode, clock: () => number) {
    this.#control = control;
    this.#hasCode = hasCode;
    this.#clock = clock;
  }

  /**
   * Answers a batch with what is known, without waiting: a stale answer is renewed in the background. If the batch
   * reports errors, asks at once for the files of their stacks, unless the service has code of the release: the process
   * may end before an investigation asks. Never rejects.
   */
  async answer(of: OwnedRelease, failing: readonly string[]): Promise<readonly string[]> {
    const known = this.#entries.get(keyOf(of));
    const files = known?.files ?? [];
    if (!this.#isAsked(of, failing)) return settleWithin(answeredWithinMs, this.#askFor(of, failing), files);
    if (!this.#isFresh(known, rememberedMs)) void this.#lookUp(of);
    return files;
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

  /** Whether no failing file needs to be asked for. More than may be wanted aren't. */
  #isAsked(of: OwnedRelease, failing: readonly string[]): boolean {
    const asked = this.#freshlyAsked(of);
    return asked.length >= limits.wantedFilesMax || failing.every((file) => asked.includes(file));
  }

  #freshlyAsked(of: OwnedRelease): readonly string[] {
    const asked = this.#asked.get(keyOf(of));
    return asked && this.#isFresh(asked, rememberedMs) ? asked.files : [];
  }

  /** Asks for files of failing stacks. While it does, those of other batches wait for a later one. */
  #askFor(of: OwnedRelease, failing: readonly string[]): Promise<readonly string[]> {
    return once(this.#asking, keyOf(of), async () => {
      const asked = this.#freshlyAsked(of);
      const now = this.#clock();
      try {
        if (!(await this.#hasCode(of))) {
          const { sentSources } = this.#control.scope(of.scopeId);
          await sentSources.wantFirst({ ...of, paths: failing, now: new Date(now) });
        }
      } catch {
        // As below. The investigation asks for them.
      }
      this.#asked.set(keyOf(of), { files: [...new Set([...asked, ...failing])], at: now });
      return this.#read(of);
    });
  }

  #lookUp(of: OwnedRelease): Promise<readonly string[]> {
    return once(this.#lookups, keyOf(of), () => this.#read(of));
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

/** What is being asked of the database now, by release. */
type Running = Map<string, Promise<readonly string[]>>;

/** Starts something unless it is running already. */
function once(running: Running, key: string, start: () => Promise<readonly string[]>): Promise<readonly string[]> {
  const known = running.get(key);
  if (known !== undefined) return known;
  const started = start().finally(() => running.delete(key));
  running.set(key, started);
  return started;
}

function newEntries(): LRUCache<string, Entry> {
  return new LRUCache<string, Entry>({
    max: rememberedReleasesMax,
    maxSize: rememberedCharactersMax,
    sizeCalculation: ({ files }, key) => files.reduce((sum, file) => sum + file.length, key.length),
  });
}

function keyOf({ scopeId, service, release }: OwnedRelease): string {
  return JSON.stringify([scopeId, service, release]);
}
