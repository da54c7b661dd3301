import rateLimit from "@fastify/rate-limit";
import { limits } from "@whence/protocol";
import type { KeyDirectory, Queue } from "@whence/storage";
import type { FastifyInstance } from "fastify";
import { authenticate } from "./plugins/authenticate.ts";
import { answerError } from "./plugins/error-handler.ts";
import { limitGuesses, limitRatePerKey } from "./plugins/rate-limit.ts";
import { refuseUnknownEncoding, takeJson } from "./plugins/unpack.ts";
import { telemetryRoute } from "./telemetry/route.ts";

export interface GatewayOptions {
  readonly queue: Queue;
  readonly keys: KeyDirectory;
  readonly clock?: () => number;
  readonly telemetryPerMinutePerKey?: number;
}

/**
 * The ingestion of telemetry, as a Fastify plugin that the composition root mounts beside others: what it sets holds
 * for its own route alone.
 */
export function gatewayRoutes({
  queue,
  keys,
  clock = Date.now,
  telemetryPerMinutePerKey = limits.telemetryPerMinutePerKey,
}: GatewayOptions): (app: FastifyInstance) => Promise<void> {
  return async (app) => {
    app.decorateRequest("sender", null);
    app.setErrorHandler(answerError);
    await app.register(rateLimit, { global: false });
    takeJson(app);
    const admission = [
      authenticate({ keys, clock, guesses: limitGuesses(app) }),
      limitRatePerKey(app, telemetryPerMinutePerKey),
      refuseUnknownEncoding,
    ];
    telemetryRoute(app, { queue, clock, admission });
  };
}
