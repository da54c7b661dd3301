import type { Breadcrumb as WireBreadcrumb } from "@whence/protocol";
import type { Level } from "@whence/protocol/level";
import { limits } from "@whence/protocol/limits";

/** Something that happened, kept until an event needs it. */
export interface Breadcrumb {
  /** Milliseconds since 1970. */
  readonly timestamp: number;
  readonly category: string;
  readonly level?: Level | undefined;
  readonly message?: string | undefined;
  readonly data?: Record<string, unknown> | undefined;
  /** Set when it was recorded outside of any request or job. */
  scope?: "process" | undefined;
  /** Whether `data` is final. False while an outgoing request is in progress. */
  readonly settled: boolean;
  /** Whether the program dropped it when it was settled. */
  readonly isDropped?: boolean | undefined;
}

/** The breadcrumbs of an event, oldest first. Immutable. */
export interface Trail {
  readonly breadcrumbs: readonly Breadcrumb[];
  /** Created when the first of the events that share it is sent. */
  wire?: WireBreadcrumb[];
}

/** Keeps the newest {@link limits.breadcrumbsMax} breadcrumbs. */
export class BreadcrumbRing {
  readonly #scope: Breadcrumb["scope"];
  readonly #kept: Breadcrumb[] = [];
  /** The current trail; events captured with no new breadcrumb between them share it. */
  #trail: Trail | undefined;

  /** `scope` is set on each of its breadcrumbs. */
  constructor(scope?: Breadcrumb["scope"]) {
    this.#scope = scope;
  }

  add(breadcrumb: Breadcrumb): void {
    if (this.#scope !== undefined) breadcrumb.scope = this.#scope;
    if (this.#kept.length === limits.breadcrumbsMax) this.#kept.shift();
    this.#kept.push(breadcrumb);
    this.#trail = undefined;
  }

  /** Completes a breadcrumb that was added unsettled; earlier trails keep its previous state. */
  settle(breadcrumb: Breadcrumb, changes: Partial<Breadcrumb>): void {
    Object.assign(breadcrumb, changes, { settled: true });
    this.#trail = undefined;
  }

  /** Returns the current breadcrumbs. */
  trail(): Trail {
    this.#trail ??= trailOf(this.#kept);
    return this.#trail;
  }
}

/** Returns the trail of a request's event: the newest of `earlier` up to `until`, then all of `own`. */
export function joinTrails(earlier: Trail, until: number, own: Trail): Trail {
  const before = earlier.breadcrumbs.filter(({ timestamp }) => timestamp <= until);
  if (before.length === 0) return own;
  return trailOf([...before, ...own.breadcrumbs].slice(-limits.breadcrumbsMax));
}

/** Returns a trail in its wire format. */
export function toWireTrail(trail: Trail): WireBreadcrumb[] {
  if (!trail.wire) {
    trail.wire = trail.breadcrumbs.map(toWireBreadcrumb);
    // A frozen list's JSON is cached.
    Object.freeze(trail.wire);
  }
  return trail.wire;
}

function toWireBreadcrumb({ timestamp, category, level, message, data, scope }: Breadcrumb): WireBreadcrumb {
  const wire: WireBreadcrumb = { timestamp: new Date(timestamp).toISOString(), category };
  if (level !== undefined) wire.level = level;
  if (message !== undefined) wire.message = message;
  if (data !== undefined) wire.data = data;
  if (scope !== undefined) wire.scope = scope;
  return wire;
}

function trailOf(breadcrumbs: readonly Breadcrumb[]): Trail {
  const taken = breadcrumbs
    .filter(({ isDropped }) => isDropped !== true)
    .map((breadcrumb) => (breadcrumb.settled ? breadcrumb : { ...breadcrumb }));
  return { breadcrumbs: taken };
}
