import { randomUUID } from "node:crypto";
import { hourMs } from "@whence/protocol";
import type { GatewayPulses, Queue } from "@whence/storage";
import type { Logger } from "./writer/logger.ts";

/** How often a gateway records that it accepts telemetry. */
export const pulseIntervalMs = 10_000;
/** A gateway without a pulse for this long accepts no telemetry: it stopped, was cut off, or its machine slept. */
export const pulseFreshMs = 3 * pulseIntervalMs;
/** How long the pulses of stopped gateways are kept. */
const pulseKeptMs = hourMs;

export interface PulseOptions {
  readonly pulses: GatewayPulses;
  readonly queue: Pick<Queue, "check">;
  readonly clock: () => number;
  readonly logger: Logger;
}

/**
 * Records every few seconds since when this gateway has accepted telemetry without interruption, so that a process
 * isn't considered dead when the gateway couldn't listen. A gateway accepts none while its queue is down or the process
 * is suspended. It continues the record of another running gateway, so a rolling replacement is no interruption.
 */
export function startPulse({ pulses, queue, clock, logger }: PulseOptions): { stop(): Promise<void> } {
  const id = randomUUID();
  let takingSince: number | undefined;
  let lastBeat = 0;
  let running: Promise<void> | undefined;

  async function beat(): Promise<void> {
    try {
      await queue.check();
      const now = clock();
      if (takingSince === undefined || now - lastBeat > pulseFreshMs || now < lastBeat) {
        takingSince = (await pulses.takingSince(new Date(now - pulseFreshMs)))?.getTime() ?? now;
      }
      lastBeat = now;
      const times = { takingSince: new Date(takingSince), now: new Date(now) };
      await pulses.beat({ id, ...times, forgetBefore: new Date(now - pulseKeptMs) });
    } catch (error) {
      takingSince = undefined;
      logger.warn(
        { err: error },
        "the gateway could not say that it takes telemetry; it says so again in some seconds",
      );
    }
  }

  function start(): void {
    running ??= beat().finally(() => {
      running = undefined;
    });
  }

  start();
  const beating = setInterval(start, pulseIntervalMs).unref();
  return {
    async stop() {
      clearInterval(beating);
      await running;
    },
  };
}
