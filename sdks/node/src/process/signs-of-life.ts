import { limits } from "@whence/protocol/limits";
import { signOfLife } from "../core/capture.ts";
import type { WhenceEvent } from "../core/event.ts";
import type { Redaction } from "../core/redact.ts";
import { AnsweredRequests } from "./answered-requests.ts";
import { VitalsMonitor } from "./heartbeat.ts";
import { RecentBreadcrumbs } from "./recent-breadcrumbs.ts";

const ticksPerHeartbeat = limits.heartbeatIntervalMs / limits.flushIntervalMs;

/** What only the client knows of itself. */
export interface OwnFailures {
  /** Failures of the client's own code since it started. */
  readonly internalErrors: number;
  /** How often the spool's disk could not be used; undefined without a spool. */
  readonly spoolErrors: number | undefined;
}

/** What heartbeats are made of, and when the next is due; `exit`, which ends them. */
export class SignsOfLife {
  readonly answers = new AnsweredRequests();
  readonly breadcrumbs = new RecentBreadcrumbs();
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

  get isHeartbeatDue(): boolean {
    return this.#ticks >= this.#heartbeatAtTick || this.#vitals.isFilling();
  }

  /** How the process is, what it answered and what it did since the last one; the next is due in a minute. */
  heartbeat({ internalErrors, spoolErrors }: OwnFailures): WhenceEvent {
    this.#heartbeatAtTick = this.#ticks + ticksPerHeartbeat;
    const vitals = this.#vitals.read(internalErrors, spoolErrors);
    const attributes = { ...vitals, ...this.answers.take() };
    return signOfLife("heartbeat", attributes, this.breadcrumbs.take(), this.#clock(), this.#redaction);
  }

  exit(attributes: object): WhenceEvent {
    return signOfLife("exit", attributes, { breadcrumbs: [] }, this.#clock(), this.#redaction);
  }
}
