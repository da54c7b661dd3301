import {
  type Exception,
  type Frame,
  isRedactedName,
  redactedValue,
  redactFields,
  type TelemetryEvent,
} from "@whence/protocol";

/**
 * The event with the values of redacted names replaced, as its client should have done: request headers, own properties
 * of errors, and traceback-local variables at any depth. Free text stays as it is (specification, Events, rule 5).
 */
export function redactEvent(event: TelemetryEvent): TelemetryEvent {
  const { request, exceptions } = event;
  return {
    ...event,
    ...(request ? { request: { ...request, headers: redactFields(request.headers) } } : {}),
    ...(exceptions ? { exceptions: exceptions.map(redactException) } : {}),
  };
}

function redactException(exception: Exception): Exception {
  const { frames, properties } = exception;
  return {
    ...exception,
    ...(properties ? { properties: redactFields(properties) } : {}),
    ...(frames ? { frames: frames.map(redactFrame) } : {}),
  };
}

function redactFrame(frame: Frame): Frame {
  return frame.vars ? { ...frame, vars: redactDeep(frame.vars) } : frame;
}

function redactDeep(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, isRedactedName(name) ? redactedValue : redactValue(value)]),
  );
}

function redactValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redactValue);
  return typeof value === "object" && value !== null ? redactDeep({ ...value }) : value;
}
