import { setTimeout } from "node:timers/promises";
import { limits } from "@whence/protocol";
import type { ReleaseName, Scoped, SentSourceScope } from "@whence/storage";
import { LRUCache } from "lru-cache";

/** How long an answer is cached for batches, so that they don't each cost a query. */
const rememberedMs = 30_000;
/** The same for requests that only ask. */
const askedAgainMs = 500;
const rememberedReleasesMax = 10_000;
/** How long the answer to a batch waits for the control database. */
const answeredWithinMs = 500;

/** A release of a service, and the organization that it belongs to. */
export interface OwnedRelease extends ReleaseName {
  readonly scopeId: string;
}

/** Whether the code of a service can be read without its processes. */
export type HasCode = (of: OwnedRelease) => Promise<boolean>;

interface Entry {
  readonly files: readonly string[];
  /** Failing files that were asked for, or that needn't be. */
  readonly asked: ReadonlySet<string>;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The files of releases that investigations lack, as last read from the control database. */
export class WantedFiles {
  readonly #control: Scoped<SentSourceScope>;
  readonly #hasCode: HasCode;
  readonly #clock: () => number;
  readonly #entries = new LRUCache<string, Entry>({ max: rememberedReleasesMax });
  readonly #lookups = new Map<string, Promise<readonly string[]>>();

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
    const entry = this.#entries.get(keyOf(of));
    const fresh = entry && this.#isFresh(entry, rememberedMs) ? entry : undefined;
    const known = entry?.files ?? [];
    if (!isAsked(failing, fresh?.asked)) {
      return Promise.race([this.#askFor(of, failing), setTimeout(answeredWithinMs, known, { ref: false })]);
    }
    if (!fresh) void this.#lookUp(of);
    return known;
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

  #isFresh({ at }: Entry, forMs: number): boolean {
    return this.#clock() - at < forMs;
  }

  async #askFor(of: OwnedRelease, failing: readonly string[]): Promise<readonly string[]> {
    const asked = this.#entries.get(keyOf(of))?.asked ?? [];
    try {
      if (!(await this.#hasCode(of))) {
        const { sentSources } = this.#control.scope(of.scopeId);
        await sentSources.wantFirst({ ...of, paths: failing, now: new Date(this.#clock()) });
      }
    } catch {
      // As below. The investigation asks for them.
    }
    const entry = { ...(await this.#read(of)), asked: new Set([...asked, ...failing]) };
    this.#entries.set(keyOf(of), entry);
    return entry.files;
  }

  #lookUp(of: OwnedRelease): Promise<readonly string[]> {
    const key = keyOf(of);
    const running = this.#lookups.get(key);
    if (running !== undefined) return running;
    const lookup = this.#renew(of).finally(() => this.#lookups.delete(key));
    this.#lookups.set(key, lookup);
    return lookup;
  }

  async #renew(of: OwnedRelease): Promise<readonly string[]> {
    const entry = { ...(await this.#read(of)), asked: new Set<string>() };
    this.#entries.set(keyOf(of), entry);
    return entry.files;
  }

  async #read(of: OwnedRelease): Promise<Omit<Entry, "asked">> {
    const at = this.#clock();
    try {
      const { sentSources } = this.#control.scope(of.scopeId);
      return { files: await sentSources.wanted(of, new Date(at - limits.filesWantedMs)), at };
    } catch {
      // Readiness reports a database that doesn't answer. Until it does, it is asked no more often than otherwise.
      return { files: this.#entries.get(keyOf(of))?.files ?? [], at };
    }
  }
}

/** Whether no failing file needs to be asked for. More than may be wanted aren't. */
function isAsked(failing: readonly string[], asked: ReadonlySet<string> = new Set()): boolean {
  return asked.size >= limits.wantedFilesMax || failing.every((file) => asked.has(file));
}

function keyOf({ scopeId, service, release }: OwnedRelease): string {
  return JSON.stringify([scopeId, service, release]);
}
