import { limits } from "@whence/protocol/limits";
import { lifecycleEvent } from "../core/create-event.ts";
import type { WhenceEvent } from "../core/event.ts";
import type { Redaction } from "../core/redact.ts";
import { HeartbeatBreadcrumbs } from "./heartbeat-breadcrumbs.ts";
import { RequestCounter } from "./request-counter.ts";
import { VitalsMonitor } from "./vitals.ts";

const ticksPerHeartbeat = limits.heartbeatIntervalMs / limits.flushIntervalMs;

/** What only the client knows of itself. */
export interface ClientState {
  /** Failures of the client's own code since it started. */
  readonly internalErrors: number;
  /** How often the spool's disk could not be used; undefined without a spool. */
  readonly spoolErrors: number | undefined;
  /** Where events wait on disk now, or why they wait in memory only. */
  readonly spoolState: () => { readonly spool_folder: string } | { readonly spool_off: string };
}

/** Collects what a heartbeat carries, knows when the next is due, and makes the `exit` that ends them. */
export class Heartbeats {
  readonly requests = new RequestCounter();
  readonly breadcrumbs = new HeartbeatBreadcrumbs();
  readonly #vitals = new VitalsMonitor();
  readonly #clock: () => number;
  readonly #redaction: Redaction;
  #ticks = 0;
  #heartbeatAtTick = 0;

  constructor(clock: () => number, redaction: Redaction) {
    this.#clock = clock;
    this.#redaction = redaction;
  }

  /** Another flush interval has passed. */
  tick(): void {
    this.#ticks += 1;
    this.#vitals.watch();
  }

  stop(): void {
    this.#vitals.stop();
  }

  /**
   * Returns the heartbeat that is due, if one is: vitals, request counts and breadcrumbs since the last one. The next
   * is due in a minute.
   */
  takeDue({ internalErrors, spoolErrors, spoolState }: ClientState): WhenceEvent | undefined {
    if (this.#ticks < this.#heartbeatAtTick && !this.#vitals.isFilling()) return undefined;
    this.#heartbeatAtTick = this.#ticks + ticksPerHeartbeat;
    const vitals = this.#vitals.read(internalErrors, spoolErrors);
    const attributes = { ...vitals, ...spoolState(), ...this.requests.take() };
    return lifecycleEvent("heartbeat", attributes, this.breadcrumbs.take(), this.#clock(), this.#redaction);
  }

  exit(attributes: object): WhenceEvent {
    return lifecycleEvent("exit", attributes, { breadcrumbs: [] }, this.#clock(), this.#redaction);
  }
}
