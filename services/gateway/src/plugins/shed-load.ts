import { monitorEventLoopDelay } from "node:perf_hooks";
import { finished } from "node:stream";
import { limits } from "@whence/protocol";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { gatewayErrors } from "../errors.ts";
import type { GatewayMetrics, RefusalReason } from "../metrics.ts";
import { Load, type Place } from "./load.ts";
import { encodingOf } from "./unpack.ts";

/** When a client that was shed is to come again. */
const retryAfterSeconds = 5;
/** How JSON of telemetry shrinks under gzip, about: assumed until it is unpacked. */
const gzipRatio = 8;

const loopResolutionMs = 20;
const loopWindowMs = 500;
/** With an average delay above this, a new request would wait for every request before it. */
const loopDelayMsMax = 200;
/** In so many windows in a row: one long pause, of a collection or of a stopped machine, is over when it is seen. */
const lateWindowsMin = 3;

type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

declare module "fastify" {
  interface FastifyRequest {
    /** Null until the request was let in. */
    place: Place | null;
  }
}

/** Hooks that answer 503 with `Retry-After` before memory or latency go. */
export interface LoadShedding {
  /** Refuses every request while the event loop is late. */
  readonly refuseWhenLate: Hook;
  /** While as much is under way as may be. The last before the body is read, so that a stranger takes no place. */
  readonly takePlace: Hook;
}

export function shedLoad(app: FastifyInstance, metrics: GatewayMetrics): LoadShedding {
  const load = new Load(metrics);
  const isLate = watchLoop(app);
  const shed = (reply: FastifyReply, reason: RefusalReason): never => {
    metrics.refusedBatches.inc({ reason });
    reply.header("retry-after", retryAfterSeconds);
    throw gatewayErrors.create("WHENCE_ERR_TELEMETRY_OVERLOADED", [retryAfterSeconds]);
  };
  app.decorateRequest("place", null);
  return {
    async refuseWhenLate(_request, reply) {
      if (isLate()) shed(reply, "shed_late");
    },
    async takePlace(request, reply) {
      const place = load.enter(expectedBytes(request));
      if (typeof place === "string") return shed(reply, place);
      request.place = place;
      // Also when the client goes away before it is answered.
      finished(reply.raw, place.leave);
    },
  };
}

/** What the body takes up unpacked: known for a plain one that says its length. */
function expectedBytes(request: FastifyRequest): number {
  const wire = Math.min(Number(request.headers["content-length"] ?? Number.POSITIVE_INFINITY), limits.batchBytesMax);
  return encodingOf(request) === "gzip" ? Math.min(wire * gzipRatio, limits.batchUnpackedBytesMax) : wire;
}

/** Whether the event loop has been late for some time. */
function watchLoop(app: FastifyInstance): () => boolean {
  const histogram = monitorEventLoopDelay({ resolution: loopResolutionMs });
  let lateWindows = 0;
  const timer = setInterval(() => {
    const delayMs = histogram.mean / 1e6 - loopResolutionMs;
    lateWindows = delayMs > loopDelayMsMax ? lateWindows + 1 : 0;
    histogram.reset();
  }, loopWindowMs).unref();
  histogram.enable();
  app.addHook("onClose", async () => {
    clearInterval(timer);
    histogram.disable();
  });
  return () => lateWindows >= lateWindowsMin;
}
