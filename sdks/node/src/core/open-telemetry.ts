import { readProperty } from "../runtime/read-property.ts";
import type { Trace } from "./trace.ts";

/** The key under which `@opentelemetry/api` 1.x keeps its registrations (its `internal/global-utils`). */
const registered = Symbol.for("opentelemetry.js.api.1");
/** The key under which a context holds its span (its `trace/context-utils`). */
const spanKey = Symbol.for("OpenTelemetry Context Key SPAN");

/** Whether the program uses an OpenTelemetry SDK, which then propagates traces. */
export function hasOpenTelemetry(): boolean {
  return contextManager() !== undefined;
}

/** Returns the active span of the running code; undefined without an OpenTelemetry SDK, and outside of any span. */
export function activeSpan(): Trace | undefined {
  const manager = contextManager();
  if (manager === undefined) return undefined;
  const span = call(call(manager, "active"), "getValue", spanKey);
  const context = call(span, "spanContext");
  const traceId = readProperty(context, "traceId");
  const spanId = readProperty(context, "spanId");
  if (!isId(traceId, 32) || !isId(spanId, 16)) return undefined;
  const flags = Number(readProperty(context, "traceFlags")) & 0xff;
  return { traceId, spanId, flags: flags.toString(16).padStart(2, "0") };
}

function contextManager(): unknown {
  return readProperty(readProperty(globalThis, registered), "context");
}

function call(target: unknown, method: string, ...args: readonly unknown[]): unknown {
  const found = readProperty(target, method);
  try {
    return typeof found === "function" ? Reflect.apply(found, target, args) : undefined;
  } catch {
    // OpenTelemetry's code threw: treated as no span.
    return undefined;
  }
}

/** Whether a value is a valid id. An id of zeros stands for none (W3C Trace Context). */
function isId(value: unknown, length: number): value is string {
  return typeof value === "string" && value.length === length && /^[0-9a-f]*[1-9a-f][0-9a-f]*$/.test(value);
}
