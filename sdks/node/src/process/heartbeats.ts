import { limits } from "@whence/protocol/limits";
import { lifecycleEvent } from "../core/create-event.ts";
import type { WhenceEvent } from "../core/event.ts";
import type { Redaction } from "../core/redact.ts";
import { HeartbeatBreadcrumbs } from "./heartbeat-breadcrumbs.ts";
import { RequestCounter } from "./request-counter.ts";
import { VitalsMonitor } from "./vitals.ts";

const ticksPerHeartbeat = limits.heartbeatIntervalMs / limits.flushIntervalMs;

/** The client's own state. */
export interface ClientState {
  /** Failures of the client's own code since it started. */
  readonly internalErrors: number;
  /** The number of the spool's disk failures; undefined without a spool. */
  readonly spoolErrors: number | undefined;
  /** Files of the program sent to the service; undefined when none may be. */
  readonly sentFiles: number | undefined;
  /** Returns where events are spooled, or why they are in memory only. */
  readonly spoolState: () => { readonly spool_folder: string } | { readonly spool_off: string };
}

/** Collects the content of heartbeats, knows when the next one is due, and creates the final `exit` event. */
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

  /** Called once per flush interval. */
  tick(): void {
    this.#ticks += 1;
    this.#vitals.watch();
  }

  stop(): void {
    this.#vitals.stop();
  }

  /**
   * Returns the due heartbeat, if any: vitals, request counts, and breadcrumbs since the last one. The next is due in a
   * minute.
   */
  takeDue({ internalErrors, spoolErrors, spoolState, sentFiles }: ClientState): WhenceEvent | undefined {
    if (this.#ticks < this.#heartbeatAtTick && !this.#vitals.isFilling()) return undefined;
    this.#heartbeatAtTick = this.#ticks + ticksPerHeartbeat;
    const vitals = this.#vitals.read(internalErrors, spoolErrors);
    const files = sentFiles ? { sent_files: sentFiles } : {};
    const attributes = { ...vitals, ...files, ...spoolState(), ...this.requests.take() };
    return lifecycleEvent("heartbeat", attributes, this.breadcrumbs.take(), this.#clock(), this.#redaction);
  }

  exit(attributes: object): WhenceEvent {
    return lifecycleEvent("exit", attributes, { breadcrumbs: [] }, this.#clock(), this.#redaction);
  }
}
