/** The least that is needed of OpenTelemetry's context. */
interface OtelContext {
  setValue(key: symbol, value: unknown): OtelContext;
}

interface OtelContextManager {
  active(): OtelContext;
  with<Result>(context: OtelContext, run: () => Result): Result;
}

/** Where every copy of `@opentelemetry/api` of major version 1 keeps what was registered with it. */
const registry = Symbol.for("opentelemetry.js.api.1");
/** What `suppressTracing` of `@opentelemetry/core` sets, and its instrumentations ask for. */
const suppressed = Symbol.for("OpenTelemetry SDK Context Key SUPPRESS_TRACING");

/** Runs the client's own traffic so that the program's tracing, if it has OpenTelemetry's, makes no span of it. */
export function untraced<Result>(run: () => Result): Result {
  const manager = contextManager();
  return manager ? manager.with(manager.active().setValue(suppressed, true), run) : run();
}

function contextManager(): OtelContextManager | undefined {
  const api: { context?: OtelContextManager } | undefined = Reflect.get(globalThis, registry);
  return api?.context;
}
