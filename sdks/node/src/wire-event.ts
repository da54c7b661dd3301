import type { Exception, Frame, TelemetryEvent } from "@whence/protocol";
import { toWireTrail } from "./breadcrumbs.ts";
import type { NumberedEvent } from "./event.ts";
import type { SourceContexts } from "./source-context.ts";
import type { Thrown } from "./thrown.ts";

/** An event as the wire has it: its stacks as `sources` maps them, with lines around its frames if asked for. */
export function toWireEvent(event: NumberedEvent, sources: SourceContexts, withSource: boolean): TelemetryEvent {
  const { id, seq, type, level, message, mechanism, thrown, trail, request, trace, attributes } = event;
  return {
    id,
    seq,
    type,
    timestamp: new Date(event.timestamp).toISOString(),
    level,
    message,
    mechanism: { ...mechanism },
    ...(thrown === undefined ? {} : { exceptions: toExceptions(thrown, sources, withSource) }),
    ...(trail === undefined || trail.breadcrumbs.length === 0 ? {} : { breadcrumbs: toWireTrail(trail) }),
    ...(request === undefined ? {} : { request }),
    ...(trace === undefined ? {} : { trace }),
    ...(attributes === undefined ? {} : { attributes: { ...attributes } }),
  };
}

/** What is left of an event of which the rest can't be made: what happened, where, by number. */
export function bareEvent({
  id,
  seq,
  type,
  timestamp,
  level,
  message,
  mechanism,
  thrown,
}: NumberedEvent): TelemetryEvent {
  const bare = {
    id,
    seq,
    type,
    timestamp: new Date(timestamp).toISOString(),
    level,
    message,
    mechanism: { ...mechanism },
  };
  if (thrown === undefined) return bare;
  const exceptions = thrown.map(({ type: name, stack }) => ({
    type: name,
    message: "",
    stack: "",
    frames: [...stack.calls.frames],
  }));
  return { ...bare, exceptions };
}

function toExceptions(thrown: readonly Thrown[], sources: SourceContexts, withSource: boolean): Exception[] {
  const shown = new Set(withSource ? sources.framesShown(thrown) : []);
  return thrown.map(({ type, message, stack, properties, parent }) => {
    const { text, frames } = sources.mapped(stack.calls);
    return {
      type,
      message,
      stack: stack.header + text,
      ...(frames.length === 0 ? {} : { frames: withContexts(frames, shown, sources) }),
      ...(properties === undefined ? {} : { properties: { ...properties } }),
      ...(parent === undefined ? {} : { parent }),
    };
  });
}

/** The same list when there is nothing to add: many events share it. */
function withContexts(frames: readonly Frame[], shown: ReadonlySet<Frame>, sources: SourceContexts): Frame[] {
  if (shown.size === 0 || !frames.some((frame) => shown.has(frame))) return frames as Frame[];
  return frames.map((frame) => (shown.has(frame) ? withContext(frame, sources) : frame));
}

function withContext(frame: Frame, sources: SourceContexts): Frame {
  const context = sources.around(frame);
  return context === undefined ? frame : { ...frame, context };
}
