import rateLimit from "@fastify/rate-limit";
import { limits, RateWindows } from "@whence/protocol";
import type {
  DiskReserve,
  KeyDirectory,
  PlaceWatchScope,
  Queue,
  Scoped,
  SecretScope,
  SentSourceScope,
  UsageLedger,
} from "@whence/storage";
import type { FastifyInstance } from "fastify";
import type { GatewayMetrics } from "./metrics.ts";
import { otlpRoutes } from "./otlp/routes.ts";
import { SpanAllowance } from "./otlp/span-allowance.ts";
import { authenticate, keyInHeader, senderFinder } from "./plugins/authenticate.ts";
import { answerErrors } from "./plugins/error-handler.ts";
import { refuseWhenFull } from "./plugins/full-disk.ts";
import { limitQuota } from "./plugins/quota.ts";
import { limitGuesses, limitRatePerKey } from "./plugins/rate-limit.ts";
import { shedLoad } from "./plugins/shed-load.ts";
import { batchSizes, refuseUnknownEncoding, takeJson } from "./plugins/unpack.ts";
import { sentryRoutes } from "./sentry/routes.ts";
import { telemetryRoute } from "./telemetry/route.ts";
import { sourcesRoute } from "./telemetry/sources-route.ts";
import { type HasCode, WantedFiles } from "./telemetry/wanted-files.ts";
import { WatchOrders } from "./telemetry/watch-orders.ts";

export interface GatewayOptions {
  readonly queue: Queue;
  readonly keys: KeyDirectory;
  readonly usage: UsageLedger;
  /** Where the keys are that hash the users of organizations. */
  readonly secrets: Scoped<SecretScope>;
  /** Where the files that investigations lack, and the places that are to be watched, are asked for. Without it, they aren't. */
  readonly control?: Scoped<SentSourceScope & PlaceWatchScope>;
  /** By default, no service's code can be read without its processes, except for what is stored. */
  readonly hasCode?: HasCode;
  readonly metrics: GatewayMetrics;
  /** The disk that holds the queue. Without it, no request is refused for lack of space. */
  readonly disk?: DiskReserve;
  readonly clock?: () => number;
  readonly telemetryPerMinutePerKey?: number;
}

/**
 * Telemetry ingestion as a Fastify plugin, mounted next to others by the composition root: what it sets applies to its
 * own routes only. Closing the app writes pending usage counts.
 */
export function gatewayRoutes({
  queue,
  keys,
  usage,
  secrets,
  control,
  hasCode = async () => false,
  metrics,
  disk,
  clock = Date.now,
  telemetryPerMinutePerKey = limits.telemetryPerMinutePerKey,
}: GatewayOptions): (app: FastifyInstance) => Promise<void> {
  return async (app) => {
    app.decorateRequest("sender", null);
    app.setErrorHandler(answerErrors(metrics));
    await app.register(rateLimit, { global: false, store: RateWindows });
    takeJson(app, metrics);
    const { refuseWhenLate, takePlace } = shedLoad(app, metrics);
    const quota = limitQuota(app, { usage, clock, metrics });
    const find = senderFinder({ keys, secrets, clock, guesses: limitGuesses(app) });
    const isOpen = [refuseWhenLate, ...(disk ? [refuseWhenFull(disk, metrics)] : [])];
    const isWithinLimits = [limitRatePerKey(app, telemetryPerMinutePerKey), quota.refuseWhenSpent];
    const admission = [
      ...isOpen,
      authenticate(find, keyInHeader),
      ...isWithinLimits,
      refuseUnknownEncoding,
      takePlace(batchSizes),
    ];
    const allowance = new SpanAllowance(clock);
    const wanted = control && new WantedFiles(control, hasCode, clock);
    const orders = control && new WatchOrders(control, clock);
    telemetryRoute(app, { queue, clock, metrics, quota, wanted, orders, admission });
    const foreign = { queue, clock, metrics, quota, find, allowance, isOpen, isWithinLimits, takePlace };
    await app.register(sentryRoutes({ ...foreign, keyless: limitGuesses(app) }));
    await app.register(otlpRoutes(foreign));
    if (control && wanted) sourcesRoute(app, { control, wanted, quota, clock, admission });
  };
}
