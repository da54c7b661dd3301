import { limits } from "@whence/protocol";
import type { KeyDirectory, Principal, Queue } from "@whence/storage";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { cachedKeys } from "./plugins/authenticate.ts";
import { answerError, InvalidBatch } from "./plugins/error-handler.ts";
import { createRateLimits } from "./plugins/rate-limit.ts";
import { unpack } from "./plugins/unpack.ts";
import { telemetryRoute } from "./telemetry/route.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Whose key sent the batch, once it is known. */
    sender: Principal | null;
  }
}

export interface GatewayOptions {
  readonly queue: Queue;
  readonly keys: Pick<KeyDirectory, "find">;
  readonly clock: () => number;
  readonly telemetryPerMinutePerKey: number;
}

/** Ingestion, as a Fastify plugin with error bodies and body parsing of its own. */
export function gatewayRoutes(options: GatewayOptions): (app: FastifyInstance) => Promise<void> {
  const { queue, clock } = options;
  return async (app) => {
    app.decorateRequest("sender", null);
    app.setErrorHandler(answerError);
    app.removeAllContentTypeParsers();
    const parsing = { parseAs: "buffer", bodyLimit: limits.batchBytesMax } as const;
    app.addContentTypeParser("application/json", parsing, async (request: FastifyRequest, body: Buffer) =>
      parseJson(await unpack(body, request.headers["content-encoding"])),
    );
    const rateLimits = await createRateLimits(app, options.telemetryPerMinutePerKey);
    telemetryRoute(app, { queue, clock, rateLimits, resolveKey: cachedKeys(options.keys, clock) });
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidBatch([{ loc: ["body"], msg: "JSON decode error", type: "json_invalid" }]);
  }
}
