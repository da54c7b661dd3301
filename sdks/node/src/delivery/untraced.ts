/** The part of OpenTelemetry's context that is used. */
interface OtelContext {
  setValue(key: symbol, value: unknown): OtelContext;
}

interface OtelContextManager {
  active(): OtelContext;
  with<Result>(context: OtelContext, run: () => Result): Result;
}

/** The key under which every copy of `@opentelemetry/api` of major version 1 keeps its registrations. */
const registry = Symbol.for("opentelemetry.js.api.1");
/** The key that `suppressTracing` of `@opentelemetry/core` sets, and its instrumentations check. */
const suppressed = Symbol.for("OpenTelemetry SDK Context Key SUPPRESS_TRACING");

/** Runs the client's own traffic without creating spans in the program's OpenTelemetry, if it has one. */
export function untraced<Result>(run: () => Result): Result {
  const manager = contextManager();
  return manager ? manager.with(manager.active().setValue(suppressed, true), run) : run();
}

function contextManager(): OtelContextManager | undefined {
  const api: { context?: OtelContextManager } | undefined = Reflect.get(globalThis, registry);
  return api?.context;
}
