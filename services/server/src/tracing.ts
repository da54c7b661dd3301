import { context, propagation, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Role } from "./config.ts";

/** Remaining spans are sent within this time or dropped. */
const shutdownTimeoutMs = 3_000;

export interface Tracing {
  /** Sends the remaining spans. */
  stop(): Promise<void>;
}

/**
 * Sends the spans of the service's parts to an OpenTelemetry collector (OTLP over HTTP). Without it, the same spans
 * cost nothing, because the API is a no-op. The libraries are loaded only here.
 */
export async function startTracing(endpoint: string, role: Role): Promise<Tracing> {
  const [{ NodeTracerProvider, BatchSpanProcessor }, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await Promise.all([
      import("@opentelemetry/sdk-trace-node"),
      import("@opentelemetry/exporter-trace-otlp-http"),
      import("@opentelemetry/resources"),
    ]);
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, "")}/v1/traces` });
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ "service.name": `whence-${role}`, "service.namespace": "whence" }),
    spanProcessors: [new BatchSpanProcessor(exporter, { exportTimeoutMillis: shutdownTimeoutMs })],
  });
  provider.register();
  return { stop: () => provider.shutdown() };
}

/**
 * Creates a server span for each request, in the caller's trace if it has one. Named by route, which keeps the number
 * of names small.
 */
export function traceRequests(app: FastifyInstance): void {
  const tracer = trace.getTracer("whence");
  const spans = new WeakMap<FastifyRequest, Span>();
  app.addHook("onRequest", (request, _reply, done) => {
    const parent = propagation.extract(context.active(), request.headers);
    const { method, routeOptions } = request;
    const route = routeOptions.url ?? "unknown";
    const attributes = { "http.request.method": method, "http.route": route };
    const span = tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent);
    spans.set(request, span);
    context.with(trace.setSpan(parent, span), done);
  });
  app.addHook("onResponse", async (request, { statusCode }) => {
    const span = spans.get(request);
    span?.setAttribute("http.response.status_code", statusCode);
    if (statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
  });
}
