import type { Watched, WatchOrder } from "@whence/protocol";
import type { RequestContext } from "../core/request-context.ts";
import * as sdkLimits from "../sdk-limits.ts";
import type { ReadValue } from "./read-value.ts";
import { cut, valueText } from "./value-text.ts";

type Hit = Watched["hits"][number];

/** A stop as it was read: its texts are written, and their credentials masked, when an event is sent. */
export interface ReadHit extends Pick<Hit, "file" | "line" | "function" | "starts" | "kind" | "nth" | "callers"> {
  readonly values: readonly (readonly [name: string, value: ReadValue])[];
  readonly returned?: ReadValue;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** How often a place was reached, and whether each time was seen. */
interface PlaceCount {
  hits: number;
  isComplete: boolean;
}

/** Keeps what was seen at the places of an order, by request. */
export class SeenHits {
  readonly #order: WatchOrder;
  readonly #thread: string;
  readonly #armedAt: number;
  #kept: { readonly hit: ReadHit; readonly context: WeakRef<RequestContext> }[] = [];
  readonly #counts: readonly PlaceCount[];
  /** The requests and jobs that no stop was missed in. */
  #whole = new WeakSet<RequestContext>();

  /** `armedAt` is in milliseconds since 1970. */
  constructor(order: WatchOrder, thread: string, armedAt: number) {
    this.#order = order;
    this.#thread = thread;
    this.#armedAt = armedAt;
    this.#counts = order.places.map(() => ({ hits: 0, isComplete: false }));
  }

  /** Says that the program stops wherever it should for a place. */
  watched(place: number): void {
    const count = this.#counts[place];
    if (count) count.isComplete = true;
  }

  /** Counts a stop; returns whether the place isn't to be watched any longer. */
  count(place: number): boolean {
    const count = this.#counts[place];
    if (!count) return true;
    count.hits += 1;
    if (count.hits < sdkLimits.watchStopsPerPlaceMax) return false;
    this.#missAt(place);
    return true;
  }

  /** Whether so many stops were spent on a place that the others are kept for requests which probably fail. */
  get isHalfSpent(): boolean {
    return this.#counts.some(({ hits }) => hits >= sdkLimits.watchStopsPerPlaceMax / 2);
  }

  /**
   * Says that a request or job begins while the program is stopped at the places. Of a job within a request, or another
   * job, what it got from there isn't known.
   */
  begin(context: RequestContext): void {
    if (!context.within) this.#whole.add(context);
  }

  /** Says that stops of all requests and jobs are missed from now on. */
  miss(): void {
    this.#whole = new WeakSet();
  }

  /** Keeps a stop at some places. One outside of requests may belong to any that Node lost track of. */
  keep(hit: ReadHit, context: RequestContext | undefined, places: readonly number[]): void {
    if (context) this.#kept.push({ hit, context: new WeakRef(context) });
    else for (const place of places) this.#missAt(place);
    // What a job sees, the request that it is within may have got as well.
    for (let outer = context?.within?.deref(); outer !== undefined; outer = outer.within?.deref())
      this.#whole.delete(outer);
  }

  /**
   * Returns how to write what was seen of a request or job by `now`; undefined where nothing was, or a part of it was
   * missed.
   */
  of(context: RequestContext | undefined, now: number): (() => Watched) | undefined {
    if (!context || !this.#whole.has(context)) return undefined;
    // A request that is gone has no failure any longer.
    this.#kept = this.#kept.filter((one) => one.context.deref() !== undefined);
    const hits = this.#kept
      .filter((one) => one.context.deref() === context)
      .map(({ hit }) => hit)
      .slice(-sdkLimits.watchHitsPerEventMax);
    if (hits.length === 0) return undefined;
    const places = this.#counts.map(({ hits: count, isComplete }, place) => ({
      place,
      hits: count,
      is_complete: isComplete,
    }));
    return () => ({
      order: this.#order.id,
      at_ms: this.#sinceArmed(now),
      places,
      hits: hits.map((hit) => this.#written(hit)),
    });
  }

  #missAt(place: number): void {
    const count = this.#counts[place];
    if (count) count.isComplete = false;
  }

  #written({ values, returned, at, function: name, ...rest }: ReadHit): Hit {
    return {
      ...rest,
      function: name,
      thread: this.#thread,
      at_ms: this.#sinceArmed(at),
      values: Object.fromEntries(values.map(([key, value]) => [cut(key), valueText(value, key)])),
      ...(returned && { returned: valueText(returned, name ?? "") }),
    };
  }

  #sinceArmed(at: number): number {
    return Math.max(0, at - this.#armedAt);
  }
}
