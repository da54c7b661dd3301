import type { Watched, WatchNote } from "@whence/protocol";
import type { RequestContext } from "../core/request-context.ts";
import { fromJson } from "../runtime/json.ts";
import { loadBuiltin } from "../runtime/load-builtin.ts";
import { readProperty } from "../runtime/read-property.ts";
import { FailedRequests } from "./failed-requests.ts";
import type { OrderFollower, OrderFollowerParts } from "./order-follower.ts";

export interface PlaceWatchingParts extends Omit<OrderFollowerParts, "failed"> {
  readonly onInternalError: (error: unknown) => void;
}

/** Lets the service order to watch places, in a program that allows it. What follows orders is loaded with the first. */
export class PlaceWatching {
  readonly #parts: PlaceWatchingParts;
  readonly #failed = new FailedRequests();
  #follower: OrderFollower | undefined;
  #isLoading = false;
  #isStopped = false;

  constructor(parts: PlaceWatchingParts) {
    this.#parts = parts;
  }

  /** What the header of a batch says. */
  get note(): WatchNote {
    return this.#follower?.note ?? {};
  }

  /** Handles the service's answer to an accepted batch. */
  answered(body: string): void {
    if (this.#isStopped) return;
    const answer = readProperty(fromJson(body), "watch");
    if (this.#follower) this.#follower.answered(answer);
    else if (answer !== undefined) this.#load(answer);
  }

  /** Returns what was seen on the way to an event; undefined while nothing is watched. */
  seen(context: RequestContext | undefined): (() => Watched) | undefined {
    if (context) this.#failed.add(context);
    return this.#follower?.seen(context);
  }

  /** A request or job begins. */
  begin(context: RequestContext): void {
    this.#follower?.begin(context);
  }

  /** A request was answered. */
  end(context: RequestContext): void {
    this.#follower?.end(context);
  }

  tick(): void {
    this.#follower?.tick();
  }

  stop(): void {
    this.#isStopped = true;
    this.#follower?.stop();
  }

  #load(answer: unknown): void {
    if (this.#isLoading) return;
    this.#isLoading = true;
    try {
      // Not by import(), which fails in scripts.
      const { createRequire }: typeof import("node:module") = loadBuiltin("node:module");
      const load = createRequire(typeof __filename === "string" ? __filename : import.meta.url);
      const { OrderFollower: Follower }: typeof import("./order-follower.ts") = load("./watch/order-follower.cjs");
      this.#follower = new Follower({ ...this.#parts, failed: this.#failed });
      this.#follower.answered(answer);
    } catch (error) {
      // It isn't tried again: nothing is watched.
      this.#parts.onInternalError(error);
    }
  }
}
