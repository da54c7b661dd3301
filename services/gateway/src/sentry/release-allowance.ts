import { hash } from "node:crypto";
import { hourMs } from "@whence/protocol";
import { RecentNames } from "./recent-names.ts";
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

/**
 * Limits the sessions that count, of each project, by what is stored: a row of counts for every release and hour. The key
 * of a page is public, and clients say in which hour of the last days a session began. A release that counted in this
 * hour or the one before keeps its place, whatever names and hours others invent, until the process ends.
 */
export class ReleaseAllowance {
  readonly #clock: () => number;
  readonly #releases: RecentNames;
  /** Of hours before the last one: the number of releases limits the others. */
  readonly #rows: RecentNames;

  constructor(clock: () => number) {
    this.#clock = clock;
    this.#releases = new RecentNames(clock, sentryLimits.releasesMax);
    this.#rows = new RecentNames(clock, sentryLimits.sessionRowsMax);
  }

  /** Whether sessions of this release of the project count, which began in these hours since 1970. */
  takes({ scopeId, projectId }: OwningProject, { env, release }: SessionsOwner, hours: ReadonlySet<number>): boolean {
    const project = `${scopeId} ${projectId}`;
    const name = hash("sha256", JSON.stringify([env, release]));
    const lastHour = Math.floor(this.#clock() / hourMs) - 1;
    const rows = [...hours].filter((hour) => hour < lastHour).map((hour) => `${hour} ${name}`);
    if (!this.#releases.hasRoom(project, [name]) || !this.#rows.hasRoom(project, rows)) return false;
    this.#releases.add(project, [name]);
    this.#rows.add(project, rows);
    return true;
  }
}
