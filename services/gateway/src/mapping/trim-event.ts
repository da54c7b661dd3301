import { type Frame, limits, type TelemetryEvent } from "@whence/protocol";

/** What is given up of an event that is too large, in this order, until it fits. */
const steps: readonly ((event: TelemetryEvent) => TelemetryEvent)[] = [
  ({ contexts: _contexts, ...event }) => event,
  (event) => withFrames(event, (frame) => (frame.in_app === false ? withoutData(frame) : frame)),
  ({ breadcrumbs: _breadcrumbs, ...event }) => event,
  (event) => withFrames(event, withoutData),
  (event) => ({ ...event, exceptions: event.exceptions?.map((exception) => ({ ...exception, stack: "" })) }),
  ({ tags: _tags, request: _request, ...event }) => event,
  (event) => ({ ...event, exceptions: event.exceptions?.slice(0, 1) }),
];

/** Returns an event within the size of one event, as far as leaving parts of it out can bring it there. */
export function trimEvent(event: TelemetryEvent): TelemetryEvent {
  let trimmed = event;
  for (const step of steps) {
    if (Buffer.byteLength(JSON.stringify(trimmed)) <= limits.eventBytesMax) break;
    trimmed = step(trimmed);
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
