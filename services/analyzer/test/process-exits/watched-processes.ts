import { randomUUID } from "node:crypto";
import { hourMs, secondMs, type TelemetryEvent } from "@whence/protocol";
import type { StoredEvent } from "@whence/storage";
import { afterAll, beforeAll, beforeEach, vi } from "vitest";
import { startExitWatch } from "../../src/process-exits/heartbeat-watch.ts";
import { storedEvent } from "../stored-event.ts";
import { silent as logger, startTestService, type TestService } from "../test-service.ts";

const mebibyte = 1_048_576;
/** How long a process may be silent. */
export const exitAfterMs = 150_000;

/** What differs in an event of a process. */
export type Beat = Partial<Omit<StoredEvent, "event">> & { event?: Partial<TelemetryEvent> };

/** The memory of a process, in a heartbeat. */
export const memory = (mib: number, changes: object = {}) => ({
  ...{ heap_used_bytes: mib * mebibyte, heap_limit_bytes: 512 * mebibyte, rss_bytes: (mib + 60) * mebibyte },
  ...{ event_loop_delay_ms: 3, ...changes },
});

/** Sets up a service for the tests of a file, and for each of them processes that it watches, which this returns. */
export function watchedInEachTest(): WatchedProcesses {
  const watched = new WatchedProcesses();
  beforeAll(() => watched.start());
  afterAll(() => watched.service.close());
  beforeEach(() => watched.startOver());
  return watched;
}

/** Processes of one scope, and the watch that looks for those that stopped. */
class WatchedProcesses {
  scope = "";
  #service: TestService | undefined;

  get service(): TestService {
    if (!this.#service) throw new Error("the service hasn't started");
    return this.#service;
  }

  async start(): Promise<void> {
    this.#service = await startTestService();
    // The store uses its own clock for retention.
    this.service.clock.now = Date.now();
  }

  async startOver(): Promise<void> {
    this.service.clock.now += 7 * hourMs;
    this.takeOtherScope();
    await this.pulse(-7_200 * secondMs);
  }

  takeOtherScope(): void {
    this.scope = `org_${randomUUID()}`;
  }

  readonly at = (ms: number): string => new Date(this.service.clock.now + ms).toISOString();

  /** A gateway takes telemetry now, and has done so since then. */
  readonly pulse = (sinceMs: number) => {
    const { control, clock } = this.service;
    return control.pulses.beat({
      ...{ id: "gateway", takingSince: new Date(clock.now + sinceMs), now: new Date(clock.now) },
      forgetBefore: new Date(clock.now - 1),
    });
  };

  /** One event of a process, `ms` from now. */
  readonly said = (instance: string, ms: number, { event, ...changes }: Beat = {}): StoredEvent => {
    const timestamp = this.at(ms);
    const stored = storedEvent(this.scope, { instance, receivedAt: timestamp, fingerprint: "", ...changes });
    const { exceptions: _, ...rest } = stored.event;
    const mechanism = { type: "heartbeat", handled: true };
    return { ...stored, event: { ...rest, type: "heartbeat", level: "info", timestamp, mechanism, ...event } };
  };

  readonly beat = (instance: string, ms: number, attributes: object, changes: Beat = {}) =>
    this.said(instance, ms, { ...changes, event: { attributes: { ...attributes }, ...changes.event } });

  /** What one look leads to. */
  readonly look = async (): Promise<void> => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    try {
      const { control, events, queue, metrics, clock } = this.service;
      const watch = startExitWatch({
        ...{ control, events, queue, metrics, logger, exitAfterMs, ownHost: "ours" },
        ...{ clock: () => clock.now, relayOutbox: () => undefined },
      });
      vi.advanceTimersByTime(exitAfterMs / 5);
      await watch.stop();
    } finally {
      vi.useRealTimers();
    }
  };

  readonly opened = async () =>
    (await this.service.control.scope(this.scope).incidents.list({ limit: 50 })).map(
      ({ trigger, service: name, severity }) => ({
        ...{ name, severity, kind: trigger.kind === "process-exit" ? trigger.exit : trigger.kind },
      }),
    );

  readonly rules = async () =>
    (await this.service.control.scope(this.scope).failures.list({ limit: 50 }))
      .map(({ decision }) => decision.rule)
      .toSorted();
}
