import { monitorEventLoopDelay } from "node:perf_hooks";
import { finished } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { gatewayErrors } from "../errors.ts";
import type { GatewayMetrics, RefusalReason } from "../metrics.ts";
import { keylessLoadLimits, Load, type Place } from "./load.ts";

/** When a shed client should retry. */
const retryAfterSeconds = 5;
/** The typical compression ratio of telemetry, assumed until a body is unpacked. */
const packedRatio = 8;

const loopResolutionMs = 20;
const loopWindowMs = 500;
/** Above this average delay, a new request would wait for every request before it. */
const loopDelayMsMax = 200;
/**
 * Consecutive late windows: a single long pause, of a garbage collection or a suspended machine, is over when it is
 * noticed.
 */
const lateWindowsMin = 3;

/**
 * Bodies that are read in parts at a time. Each may hold the window of its compression besides what is kept of it, and
 * one that arrives slowly keeps its place, so an organization has half of them at most.
 */
const inPartsAtOnceMax = 6;
const inPartsOfOrganizationMax = 3;

/** The sizes of a route's bodies. */
export interface BodySizes {
  readonly wireBytesMax: number;
  readonly unpackedBytesMax: number;
  /** Assumed for a body that doesn't announce its length, until it is read. */
  readonly unknownBytes: number;
  readonly isPacked: (request: FastifyRequest) => boolean;
}

/** The place of a request, which is refused with 503 when its actual size doesn't fit. */
export interface AdmittedPlace extends Omit<Place, "resize"> {
  resize(bytes: number): void;
  /** Reads a body in parts, and keeps so many bytes of it. Refused with 503 while too many are read that way. */
  readInParts<Body>(bytesKept: number, read: () => Promise<Body>): Promise<Body>;
}

/** A check before the body of a request is read. */
export type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

declare module "fastify" {
  interface FastifyRequest {
    /** Null until the request is admitted. */
    place: AdmittedPlace | null;
  }
}

/** Hooks that answer 503 with `Retry-After` before memory runs out or latency grows. */
export interface LoadShedding {
  /** Refuses every request while the event loop is late. */
  readonly refuseWhenLate: Hook;
  /**
   * Returns a hook that refuses a request when the limits of concurrent work are reached. The last hook before the body
   * is read, so that requests with an invalid key take no place; those that have their key in the body have limits of
   * their own.
   */
  takePlace(sizes: BodySizes): Hook;
}

export function shedLoad(app: FastifyInstance, metrics: GatewayMetrics): LoadShedding {
  const load = new Load(metrics);
  const keyless = new Load(metrics, keylessLoadLimits);
  const isLate = watchLoop(app);
  const shed = (reply: FastifyReply, reason: RefusalReason): never => {
    metrics.refusedBatches.inc({ reason });
    reply.header("retry-after", retryAfterSeconds);
    throw gatewayErrors.create("WHENCE_ERR_TELEMETRY_OVERLOADED", [retryAfterSeconds]);
  };
  /** The organizations of the bodies that are being read in parts. */
  const inParts: (string | undefined)[] = [];
  app.decorateRequest("place", null);
  return {
    async refuseWhenLate(_request, reply) {
      if (isLate()) shed(reply, "shed_late");
    },
    takePlace: (sizes) => async (request, reply) => {
      const bytes = expectedBytes(request, sizes);
      const place = request.sender ? load.enter(bytes, request.sender.organizationId) : keyless.enter(bytes);
      if (typeof place === "string") return shed(reply, place);
      const resize = (bytes: number): void => {
        if (!place.resize(bytes)) shed(reply, "shed_bytes");
      };
      request.place = {
        ...place,
        resize,
        async readInParts(bytesKept, read) {
          const organization = request.sender?.organizationId;
          const own = inParts.filter((one) => one === organization).length;
          if (inParts.length >= inPartsAtOnceMax || own >= inPartsOfOrganizationMax) shed(reply, "shed_bytes");
          resize(bytesKept);
          inParts.push(organization);
          try {
            return await read();
          } finally {
            inParts.splice(inParts.indexOf(organization), 1);
          }
        },
      };
      // Also called when the client disconnects before the answer.
      finished(reply.raw, place.leave);
    },
  };
}

/** Returns the place that the request was given. */
export function placeOf({ place }: FastifyRequest): AdmittedPlace {
  if (!place) throw new TypeError("the route runs without a place for its request");
  return place;
}

/** Returns the unpacked size of the body, which is known for a plain one with a length. */
function expectedBytes(
  request: FastifyRequest,
  { wireBytesMax, unpackedBytesMax, unknownBytes, isPacked }: BodySizes,
): number {
  const wire = Math.min(Number(request.headers["content-length"] ?? unknownBytes), wireBytesMax);
  return isPacked(request) ? Math.min(wire * packedRatio, unpackedBytesMax) : wire;
}

/** Returns a function that says whether the event loop has been late for a while. */
function watchLoop(app: FastifyInstance): () => boolean {
  const histogram = monitorEventLoopDelay({ resolution: loopResolutionMs });
  let lateWindows = 0;
  const timer = setInterval(() => {
    // Nothing is sampled in a window in which the loop turned only once: it is as late as the window is long.
    const delayMs = histogram.count === 0 ? loopWindowMs : histogram.mean / 1e6 - loopResolutionMs;
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
