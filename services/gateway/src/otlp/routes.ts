import type { IncomingMessage } from "node:http";
import { telemetryTopic } from "@whence/storage";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { gatewayErrors } from "../errors.ts";
import type { ForeignRoutesOptions } from "../foreign-routes.ts";
import type { GatewayMetrics } from "../metrics.ts";
import { authenticate } from "../plugins/authenticate.ts";
import { receiveWhole } from "../plugins/receive.ts";
import { senderOf } from "../plugins/sender.ts";
import type { BodySizes } from "../plugins/shed-load.ts";
import { Turns } from "../plugins/turns.ts";
import { acceptedEncodings, isPacked, type UnpackLimits, unpackBody } from "../plugins/unpack-body.ts";
import { UnpackQueue } from "../plugins/unpack-queue.ts";
import { type BatchFrame, frameOf } from "../telemetry/batch-frame.ts";
import { contentTypes, errorResponse, exportResponse, type Signal } from "./answers.ts";
import { malformed } from "./codec.ts";
import { MinuteReadings } from "./minute-readings.ts";
import { otlpLimits } from "./otlp-limits.ts";
import { PointAllowance } from "./point-allowance.ts";
import { type Encoding, logRequest, metricRequest, readRequest, traceRequest } from "./requests.ts";
import type { SpanAllowance } from "./span-allowance.ts";
import { type MetricAllowances, takeMetrics } from "./take-metrics.ts";
import { type TakenRequest, takeLogs, takeTraces } from "./take-request.ts";

type Exported = FastifyRequest<{ Body: Buffer | undefined }>;

const sizes: BodySizes = {
  wireBytesMax: otlpLimits.otlpBytesMax,
  unpackedBytesMax: otlpLimits.otlpUnpackedBytesMax,
  unknownBytes: otlpLimits.otlpBytesMax,
  isPacked: (request) => isPacked(request) === true,
};

const unpacked: UnpackLimits = {
  bytesMax: otlpLimits.otlpUnpackedBytesMax,
  tooLarge: () => tooLarge(otlpLimits.otlpUnpackedBytesMax, "unpacked"),
  corrupt: (cause) => malformed("it can't be unpacked", cause),
};

type TakeBody = (body: Buffer, encoding: Encoding, frame: BatchFrame) => TakenRequest;

function takers(allowance: SpanAllowance, ofMetrics: MetricAllowances): Readonly<Record<Signal, TakeBody>> {
  return {
    traces: (body, encoding, frame) => takeTraces(readRequest(traceRequest, body, encoding), frame, allowance),
    logs: (body, encoding, frame) => takeLogs(readRequest(logRequest, body, encoding), frame),
    metrics: (body, encoding, frame) => takeMetrics(readRequest(metricRequest, body, encoding), frame, ofMetrics),
  };
}

/**
 * `POST /v1/traces`, `/v1/logs`, and `/v1/metrics` of the OpenTelemetry protocol over HTTP, as a plugin: what exporters
 * send becomes batches of the telemetry queue. Answers as the protocol says, in the encoding of the request.
 */
export function otlpRoutes(options: ForeignRoutesOptions): (app: FastifyInstance) => Promise<void> {
  const { metrics, find, isOpen, isWithinLimits, takePlace } = options;
  return async (app) => {
    app.addHook("onSend", answerErrors);
    takeBodies(app, metrics);
    const turns = new Turns();
    const readings = new MinuteReadings(options.clock);
    const points = new PointAllowance(options.clock);
    const take = takers(options.allowance, { readings, points });
    const route = {
      bodyLimit: otlpLimits.otlpBytesMax,
      logLevel: "warn" as const,
      onRequest: [...isOpen, authenticate(find, keyOf), ...isWithinLimits, refuseUnknown, takePlace(sizes)],
      onResponse: async (_request: FastifyRequest, reply: FastifyReply) => {
        metrics.duration.observe({ status: reply.statusCode }, reply.elapsedTime / 1_000);
      },
    };
    for (const signal of ["traces", "logs", "metrics"] as const) {
      app.post<{ Body: Buffer | undefined }>(`/v1/${signal}`, route, async (request, reply) => {
        const body = await answer(signal, request, { ...options, turns, readings, points, take: take[signal] });
        return reply.type(contentTypes[encodingOf(request) ?? "json"]).send(body);
      });
    }
  };
}

/** Returns the key in `X-API-Key`, or in `Authorization` as a bearer's token. */
function keyOf({ headers }: FastifyRequest): string {
  const key = headers["x-api-key"] ?? /^Bearer\s+(\S+)$/i.exec(headers.authorization ?? "")?.[1];
  if (key === undefined) throw gatewayErrors.create("WHENCE_ERR_OTLP_KEY_MISSING");
  return String(key);
}

/** Returns undefined for a type that isn't taken. */
function encodingOf({ headers }: FastifyRequest): Encoding | undefined {
  const type = (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase();
  return (["protobuf", "json"] as const).find((encoding) => contentTypes[encoding] === type);
}

async function refuseUnknown(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (encodingOf(request) === undefined) {
    throw gatewayErrors.create("WHENCE_ERR_OTLP_TYPE", ["this content type"]);
  }
  if (isPacked(request) !== undefined) return;
  reply.header("accept-encoding", acceptedEncodings);
  throw gatewayErrors.create("WHENCE_ERR_OTLP_TYPE", ["this content encoding"]);
}

function takeBodies(app: FastifyInstance, { bytes }: GatewayMetrics): void {
  const queue = new UnpackQueue();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", async (request: FastifyRequest, stream: IncomingMessage) => {
    const body = await receiveWhole(request, stream);
    bytes.inc({ form: "wire" }, body.length);
    return queue.run(async () => {
      const whole = await unpackBody(request, body, unpacked);
      bytes.inc({ form: "unpacked" }, whole.length);
      request.place?.resize(whole.length);
      return whole;
    });
  });
}

async function answer(
  signal: Signal,
  request: Exported,
  options: ForeignRoutesOptions & {
    readonly turns: Turns;
    readonly readings: MinuteReadings;
    readonly points: PointAllowance;
    readonly take: TakeBody;
  },
): Promise<string | Buffer> {
  const { queue, clock, metrics, quota, turns, allowance, readings, points, take } = options;
  const leave = request.place?.share();
  try {
    const frame = frameOf(senderOf(request), clock());
    const { scopeId } = frame;
    const body = request.body ?? Buffer.alloc(0);
    request.body = undefined;
    const encoding = encodingOf(request) ?? "json";
    await turns.take(body.length);
    const { messages, events, items, reason, ...kept } = take(body, encoding, frame);
    // Everything of a request is in the queue, or nothing is answered as taken.
    await queue.publish(telemetryTopic, messages).catch((error: unknown) => {
      allowance.giveBack(scopeId, kept.spans);
      for (const one of kept.readings) readings.giveBack(scopeId, one);
      for (const [service, count] of kept.points) points.giveBack(scopeId, service, count);
      throw error;
    });
    quota.count(request, events);
    metrics.events.inc({ outcome: "accepted" }, events);
    for (const [outcome, count] of Object.entries(items)) metrics.otlpItems.inc({ signal, outcome }, count);
    return exportResponse(signal, { count: items.rejected, reason }, encoding);
  } finally {
    leave?.();
  }
}

/** Errors are a `google.rpc.Status`, in the encoding of the request. */
async function answerErrors(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  if (reply.statusCode < 400 || typeof payload !== "string") return payload;
  const encoding = encodingOf(request) ?? "json";
  reply.type(contentTypes[encoding]);
  return errorResponse(reply.statusCode, payload, encoding);
}

function tooLarge(bytesMax: number, where: string): Error {
  return gatewayErrors.create("WHENCE_ERR_OTLP_TOO_LARGE", [bytesMax, where]);
}
