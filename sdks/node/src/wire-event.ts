import type { Exception, Frame, TelemetryEvent } from "@whence/protocol";
import { toWireTrail } from "./breadcrumbs.ts";
import type { NumberedEvent } from "./event.ts";
import { sdkLimits } from "./sdk-limits.ts";
import type { SourceContexts } from "./source-context.ts";
import type { Thrown } from "./thrown.ts";

/** An event as the wire has it. `sources` gives the lines around its frames; without it, none are attached. */
export function toWireEvent(event: NumberedEvent, sources?: SourceContexts): TelemetryEvent {
  const { id, seq, type, level, message, mechanism, thrown, trail, request, trace, attributes } = event;
  return {
    id,
    seq,
    type,
    timestamp: new Date(event.timestamp).toISOString(),
    level,
    message,
    mechanism: { ...mechanism },
    ...(thrown === undefined ? {} : { exceptions: toExceptions(thrown, sources) }),
    ...(trail === undefined || trail.breadcrumbs.length === 0 ? {} : { breadcrumbs: toWireTrail(trail) }),
    ...(request === undefined ? {} : { request }),
    ...(trace === undefined ? {} : { trace }),
    ...(attributes === undefined ? {} : { attributes: { ...attributes } }),
  };
}

/**
 * The frames of a chain whose source an event carries: each place once, those nearest to a throw first, since that is
 * where a cause is looked for.
 */
export function framesWithSource(thrown: readonly Thrown[]): Frame[] {
  const places = new Map<string, Frame>();
  const deepest = Math.max(0, ...thrown.map(({ stack }) => stack.calls.frames.length));
  for (let depth = 0; depth < deepest; depth++) {
    for (const { stack } of thrown) {
      const frame = stack.calls.frames[depth];
      if (!frame?.in_app) continue;
      if (!places.has(`${frame.file}:${frame.line}`)) places.set(`${frame.file}:${frame.line}`, frame);
      if (places.size === sdkLimits.contextsPerEventMax) return [...places.values()];
    }
  }
  return [...places.values()];
}

function toExceptions(thrown: readonly Thrown[], sources: SourceContexts | undefined): Exception[] {
  const shown = new Set(sources === undefined ? [] : framesWithSource(thrown));
  return thrown.map(({ type, message, stack, properties, parent }) => ({
    type,
    message,
    stack: stack.header + stack.calls.text,
    ...(stack.calls.frames.length === 0
      ? {}
      : { frames: stack.calls.frames.map((frame) => (shown.has(frame) ? withContext(frame, sources) : frame)) }),
    ...(properties === undefined ? {} : { properties: { ...properties } }),
    ...(parent === undefined ? {} : { parent }),
  }));
}

function withContext(frame: Frame, sources: SourceContexts | undefined): Frame {
  const context = sources?.around(frame);
  return context === undefined ? frame : { ...frame, context };
}
