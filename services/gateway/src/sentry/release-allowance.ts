import { hourMs } from "@whence/protocol";
import { sentryLimits } from "./sentry-limits.ts";

/** A release in an environment, as they are stored. */
export interface SessionsOwner {
  readonly env: string;
  /** Empty for what names none. */
  readonly release: string;
}

export interface OwningProject {
  readonly scopeId: string;
  readonly projectId: string;
}

interface Known {
  readonly current: Set<string>;
  readonly last: ReadonlySet<string>;
}

const none: ReadonlySet<string> = new Set();

/**
 * Limits the releases whose sessions count, of each project: a row of counts is kept for every hour and release, and the
 * key of a page is public. A release that counted in this hour or the one before keeps its place, whatever names others
 * invent, until the process ends.
 */
export class ReleaseAllowance {
  readonly #clock: () => number;
  #hour = 0;
  #current = new Map<string, Set<string>>();
  #last: ReadonlyMap<string, ReadonlySet<string>> = new Map();

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** Whether sessions of this release of the project count. */
  takes({ scopeId, projectId }: OwningProject, { env, release }: SessionsOwner): boolean {
    this.#turn();
    const { current, last } = this.#knownOf(`${scopeId} ${projectId}`);
    const name = JSON.stringify([env, release]);
    if (current.has(name)) return true;
    if (!last.has(name) && new Set([...current, ...last]).size >= sentryLimits.releasesMax) return false;
    current.add(name);
    return true;
  }

  #knownOf(project: string): Known {
    const current = this.#current.get(project) ?? new Set();
    this.#current.set(project, current);
    return { current, last: this.#last.get(project) ?? none };
  }

  #turn(): void {
    const hour = Math.floor(this.#clock() / hourMs);
    if (hour === this.#hour) return;
    this.#last = hour === this.#hour + 1 ? this.#current : new Map();
    [this.#hour, this.#current] = [hour, new Map()];
  }
}
