import { context, propagation, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Role } from "./config.ts";

/** Unfinished business at the end is sent within this, or not at all. */
const shutdownTimeoutMs = 3_000;

export interface Tracing {
  /** Sends what is left. */
  stop(): Promise<void>;
}

/**
 * Has the spans that the parts of the service make sent to an OpenTelemetry collector (OTLP over HTTP). Without it
 * the same spans cost nothing: the API's are no-ops. The libraries are loaded only here.
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

/** A server span for each request, part of the caller's trace when it names one; named by route, so that few names are. */
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
