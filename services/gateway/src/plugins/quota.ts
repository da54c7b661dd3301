import { setTimeout as delay } from "node:timers/promises";
import type { UsageLedger } from "@whence/storage";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { gatewayErrors } from "../errors.ts";
import type { GatewayMetrics } from "../metrics.ts";
import { senderOf } from "./sender.ts";
import { UsageMeter } from "./usage-meter.ts";

/** How far gateways may lag behind each other: events accepted in this time can exceed a quota. */
const flushIntervalMs = 5_000;
/** A ledger that doesn't answer must not keep the process from exiting. */
const lastFlushMsMax = 5_000;
const retryAfterSecondsMax = 3_600;

/** An organization's events of the day, always counted, and limited by its quota, if any. */
export interface Quota {
  /**
   * A hook that answers 429 with `Retry-After` once the day's events are used up. The batch that exceeds the quota is
   * accepted completely.
   */
  refuseWhenSpent(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Counts accepted events of the request's organization. */
  count(request: FastifyRequest, events: number): void;
}

export interface QuotaOptions {
  readonly usage: UsageLedger;
  readonly clock: () => number;
  readonly metrics: GatewayMetrics;
}

export function limitQuota(app: FastifyInstance, { usage, clock, metrics }: QuotaOptions): Quota {
  const meter = new UsageMeter(usage, clock, metrics);
  const timer = setInterval(() => void meter.flush(), flushIntervalMs).unref();
  app.addHook("onClose", async () => {
    clearInterval(timer);
    // Twice: a flush in progress may not include the last events.
    const lastFlush = meter.flush().then(() => meter.flush());
    await Promise.race([lastFlush, delay(lastFlushMsMax, undefined, { ref: false })]);
  });
  return {
    async refuseWhenSpent(request, reply) {
      const { organizationId, settings } = senderOf(request);
      if (settings.eventsPerDay === null || meter.used(organizationId) < settings.eventsPerDay) return;
      const untilTomorrow = Math.ceil(meter.msUntilTomorrow() / 1_000);
      const seconds = Math.min(retryAfterSecondsMax, untilTomorrow);
      reply.header("retry-after", seconds);
      throw gatewayErrors.create("WHENCE_ERR_TELEMETRY_QUOTA", [settings.eventsPerDay, seconds]);
    },
    count(request, events) {
      if (events > 0) meter.add(senderOf(request).organizationId, events);
    },
  };
}
