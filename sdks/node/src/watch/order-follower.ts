import { threadId } from "node:worker_threads";
import type { Watched, WatchNote, WatchOrder } from "@whence/protocol";
import type { Redaction } from "../core/redact.ts";
import type { RequestContext } from "../core/request-context.ts";
import type { Guard } from "../runtime/guard.ts";
import { isDebugged } from "../runtime/is-debugged.ts";
import { isObject } from "../runtime/is-object.ts";
import { nativeTimers } from "../runtime/native-timers.ts";
import { readProperty } from "../runtime/read-property.ts";
import { runtimeName } from "../runtime/runtime-name.ts";
import * as sdkLimits from "../sdk-limits.ts";
import { acceptOrder, type OrderedProgram } from "./accepted-order.ts";
import { hasCustomStacks } from "./custom-stacks.ts";
import type { FailedRequests } from "./failed-requests.ts";
import { ValueReader } from "./read-value.ts";
import { SeenHits } from "./seen-hits.ts";
import { debuggable, WatchedPlaces } from "./watched-places.ts";

const customStacks = "the program sets Error.prepareStackTrace";

export interface OrderFollowerParts {
  readonly program: () => OrderedProgram;
  readonly current: () => RequestContext | undefined;
  readonly redaction: Redaction;
  readonly failed: FailedRequests;
  readonly guard: Guard;
  /** Tells the program's log, in one line. */
  readonly tell: (message: string) => void;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

interface Watch {
  readonly order: WatchOrder;
  readonly places: WatchedPlaces;
  readonly seen: SeenHits;
  readonly expiresAt: number;
  readonly timer: NodeJS.Timeout;
  busy: ReturnType<typeof performance.eventLoopUtilization>;
}

/** Follows the service's orders to watch places, one at a time, and each only once. */
export class OrderFollower {
  readonly #parts: OrderFollowerParts;
  /** The orders that were refused or have ended. */
  readonly #over = new Set<string>();
  #watch: Watch | undefined;
  #trusted: string | undefined;
  #answered: string | undefined;
  #note: WatchNote = {};
  /** That a newer order was refused: said when the one that is followed ends. */
  #refused: WatchNote | undefined;

  constructor(parts: OrderFollowerParts) {
    this.#parts = parts;
  }

  /** What became of the last order. */
  get note(): WatchNote {
    this.#check();
    return this.#note;
  }

  /** Handles what the service answered to a batch: an order, or that there is none. Another answer says neither. */
  answered(answer: unknown): void {
    const text = readProperty(answer, "order");
    if (isObject(answer) && (text === null || text === undefined)) this.#end("the service stopped it");
    if (typeof text !== "string" || text === this.#answered) return;
    this.#answered = text;
    const { program, clock } = this.#parts;
    const asked = program();
    const accepted = acceptOrder(answer, { ...asked, trusted: this.#trusted ?? asked.trusted }, clock());
    if ("refused" in accepted) {
      this.#refuse(accepted.id, accepted.refused);
      return;
    }
    this.#trusted = accepted.key;
    if (!this.#over.has(accepted.order.id)) this.#follow(accepted.order);
  }

  /** Returns what was seen on the way to an event of a request or job; undefined while nothing is watched. */
  seen(context: RequestContext | undefined): (() => Watched) | undefined {
    const seen = this.#watch?.seen.of(context, this.#parts.clock());
    this.#watch?.places.end(context, true);
    return seen;
  }

  begin(context: RequestContext): void {
    this.#watch?.places.begin(context);
  }

  end(context: RequestContext | undefined): void {
    this.#watch?.places.end(context);
  }

  /** Called once per flush interval. */
  tick(): void {
    const watch = this.#watch;
    if (!watch) return;
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, watch.busy);
    watch.busy = now;
    if (utilization > sdkLimits.watchBusyMax) this.#end("the process is overloaded");
  }

  stop(): void {
    this.#end("the client was stopped");
  }

  #follow(order: WatchOrder): void {
    this.#end("another order came");
    const obstacle = obstacleHere() ?? this.#arm(order);
    if (obstacle !== undefined) this.#refuse(order.id, obstacle);
  }

  #arm(order: WatchOrder): string | undefined {
    const { redaction, failed, guard, current, clock, tell } = this.#parts;
    const seen = new SeenHits(order, `${process.pid}-${threadId}`, clock());
    let places: WatchedPlaces | undefined;
    try {
      places = new WatchedPlaces({
        order,
        seen,
        failed,
        current,
        clock,
        isDebugged,
        reader: new ValueReader(redaction.named),
        guard: (run) => guard(run, undefined),
      });
      const obstacle = places.start();
      if (obstacle !== undefined) {
        places.close();
        return obstacle;
      }
    } catch {
      places?.close();
      return "this process can't use Node's inspector";
    }
    const check = guard(() => this.#check(), undefined);
    const timer = nativeTimers.setInterval(check, sdkLimits.watchCheckMs).unref();
    const expiresAt = Date.parse(order.expires_at);
    this.#watch = { order, places, seen, expiresAt, timer, busy: performance.eventLoopUtilization() };
    this.#note = { order: order.id, state: "armed" };
    const where = order.places.map(({ file, line }) => `${file}:${line}`).join(", ");
    tell(`watching ${where} until ${order.expires_at}, as ordered by ${order.organization} (${order.id})`);
    return undefined;
  }

  #check(): void {
    const watch = this.#watch;
    if (!watch) return;
    if (this.#parts.clock() >= watch.expiresAt) this.#end("its time is over");
    else if (isDebugged()) this.#end(debuggable);
    else if (hasCustomStacks()) this.#end(customStacks);
    else if (watch.places.ended !== undefined) this.#end(watch.places.ended);
    else watch.places.check();
  }

  #refuse(id: string | undefined, reason: string): void {
    // A refused order doesn't end the one that is followed.
    if (id !== undefined && id === this.#watch?.order.id) return;
    this.#remember(id);
    const note = { ...(id !== undefined && { order: id }), state: "refused", reason } as const;
    if (this.#watch) this.#refused = note;
    else this.#note = note;
  }

  #end(reason: string): void {
    const watch = this.#watch;
    if (!watch) return;
    this.#watch = undefined;
    nativeTimers.clearInterval(watch.timer);
    this.#remember(watch.order.id);
    this.#note = this.#refused ?? { order: watch.order.id, state: "ended", reason };
    this.#refused = undefined;
    watch.places.close();
  }

  #remember(id: string | undefined): void {
    if (id === undefined) return;
    this.#over.add(id);
    if (this.#over.size > sdkLimits.watchOrdersKeptMax)
      for (const first of [...this.#over].slice(0, 1)) this.#over.delete(first);
  }
}

function obstacleHere(): string | undefined {
  if (runtimeName() !== "node") return "only Node.js can watch places";
  if (hasCustomStacks()) return customStacks;
  return isDebugged() ? debuggable : undefined;
}
