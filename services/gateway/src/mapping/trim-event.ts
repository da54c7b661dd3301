import { type Frame, limits, type TelemetryEvent } from "@whence/protocol";
import type { WrittenEvent } from "../telemetry/validate.ts";

/** The parts removed from an event that is too large, in this order, until it fits. */
const steps: readonly ((event: TelemetryEvent) => TelemetryEvent)[] = [
  ({ contexts: _contexts, ...event }) => event,
  (event) => withFrames(event, (frame) => (frame.in_app === false ? withoutData(frame) : frame)),
  ({ breadcrumbs: _breadcrumbs, ...event }) => event,
  (event) => withFrames(event, withoutData),
  (event) => ({ ...event, exceptions: event.exceptions?.map((exception) => ({ ...exception, stack: "" })) }),
  ({ tags: _tags, request: _request, ...event }) => event,
  (event) => ({ ...event, exceptions: event.exceptions?.slice(0, 1) }),
];

/** Returns an event within the size of one event, as far as leaving parts of it out can bring it there, and as JSON. */
export function trimEvent(event: TelemetryEvent): WrittenEvent {
  let trimmed = { event, text: JSON.stringify(event) };
  for (const step of steps) {
    if (Buffer.byteLength(trimmed.text) <= limits.eventBytesMax) break;
    const less = step(trimmed.event);
    trimmed = { event: less, text: JSON.stringify(less) };
  }
  return trimmed;
}

function withFrames(event: TelemetryEvent, change: (frame: Frame) => Frame): TelemetryEvent {
  if (!event.exceptions) return event;
  return {
    ...event,
    exceptions: event.exceptions.map((exception) =>
      exception.frames ? { ...exception, frames: exception.frames.map(change) } : exception,
    ),
  };
}

function withoutData({ context: _context, vars: _vars, ...frame }: Frame): Frame {
  return frame;
}
