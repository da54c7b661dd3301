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

/** How often a place was reached, and for which requests each time was seen. */
interface PlaceCount {
  hits: number;
  isComplete: boolean;
  /** How many stops outside of requests there were by the last one here. */
  strays: number;
}

/** Keeps what was seen at the places of an order, by request. */
export class SeenHits {
  readonly #order: WatchOrder;
  readonly #thread: string;
  readonly #armedAt: number;
  #kept: { readonly hit: ReadHit; readonly context: WeakRef<RequestContext> }[] = [];
  readonly #counts: readonly PlaceCount[];
  #strays = 0;
  /** The requests and jobs that no stop was missed in, and how many stops outside of requests there were before each. */
  #whole = new WeakMap<RequestContext, number>();

  /** `armedAt` is in milliseconds since 1970. */
  constructor(order: WatchOrder, thread: string, armedAt: number) {
    this.#order = order;
    this.#thread = thread;
    this.#armedAt = armedAt;
    this.#counts = order.places.map(() => ({ hits: 0, isComplete: false, strays: 0 }));
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
    count.isComplete = false;
    return true;
  }

  /** Whether so many stops were spent on a place that the others are kept for requests which probably fail. */
  get isHalfSpent(): boolean {
    return this.#counts.some(({ hits }) => hits >= sdkLimits.watchStopsPerPlaceMax / 2);
  }

  /**
   * Says that a request or job begins that is watched. Of a job within a request, or another job, what it got from there
   * isn't known.
   */
  begin(context: RequestContext): void {
    if (!context.within) this.#whole.set(context, this.#strays);
  }

  /** Says that stops of all requests and jobs are missed from now on. */
  miss(): void {
    this.#whole = new WeakMap();
  }

  /** Keeps a stop of the watched request or job. */
  keep(hit: ReadHit, context: RequestContext): void {
    this.#kept.push({ hit, context: new WeakRef(context) });
  }

  /** Counts a stop of another one. One outside of requests may belong to any under way that Node lost track of. */
  pass(context: RequestContext | undefined, places: readonly number[]): void {
    if (!context) {
      this.#strays += 1;
      for (const place of places) this.#strayAt(place);
    }
    // What a job sees, the request that it is within may have got as well.
    for (let outer = context?.within?.deref(); outer !== undefined; outer = outer.within?.deref())
      this.#whole.delete(outer);
  }

  /**
   * Returns how to write what was seen of a request or job by `now`; undefined where nothing was, or a part of it was
   * missed.
   */
  of(context: RequestContext | undefined, now: number): (() => Watched) | undefined {
    const strays = context && this.#whole.get(context);
    if (strays === undefined) return undefined;
    // A request that is gone has no failure any longer.
    this.#kept = this.#kept.filter((one) => one.context.deref() !== undefined);
    const hits = this.#kept
      .filter((one) => one.context.deref() === context)
      .map(({ hit }) => hit)
      .slice(-sdkLimits.watchHitsPerEventMax);
    if (hits.length === 0) return undefined;
    const places = this.#counts.map((count, place) => ({
      place,
      hits: count.hits,
      is_complete: count.isComplete && count.strays <= strays,
    }));
    return () => ({
      order: this.#order.id,
      at_ms: this.#sinceArmed(now),
      places,
      hits: hits.map((hit) => this.#written(hit)),
    });
  }

  #strayAt(place: number): void {
    const count = this.#counts[place];
    if (count) count.strays = this.#strays;
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
