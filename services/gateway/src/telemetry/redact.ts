import {
  type Breadcrumb,
  type Exception,
  isRedactedName,
  redactedValue,
  redactFields,
  type TelemetryEvent,
} from "@whence/protocol";

type Fields = Readonly<Record<string, unknown>>;

/**
 * A copy of the event with the values of redacted names replaced: in headers, wherever a client put them, in local
 * variables and in errors' own properties (specification, Events, rule 5). The client has done it already; this holds
 * for one that did not. Other fields and free text are left as they are.
 */
export function redactEvent(event: TelemetryEvent): TelemetryEvent {
  const { exceptions, breadcrumbs, request, attributes } = event;
  return {
    ...event,
    ...(exceptions && { exceptions: exceptions.map(redactException) }),
    ...(breadcrumbs && { breadcrumbs: breadcrumbs.map(redactBreadcrumb) }),
    ...(request && { request: { ...request, headers: redactFields(request.headers) } }),
    ...(attributes && { attributes: redactHeaders(attributes) }),
  };
}

function redactException(exception: Exception): Exception {
  const { frames, properties } = exception;
  return {
    ...exception,
    ...(frames && { frames: frames.map((frame) => (frame.vars ? { ...frame, vars: redactAll(frame.vars) } : frame)) }),
    ...(properties && { properties: redactAll(properties) }),
  };
}

function redactBreadcrumb(breadcrumb: Breadcrumb): Breadcrumb {
  return breadcrumb.data ? { ...breadcrumb, data: redactHeaders(breadcrumb.data) } : breadcrumb;
}

/** Redacts inside `headers`, `request_headers`, `responseHeaders`, … at any depth. */
function redactHeaders(fields: Fields): Record<string, unknown> {
  return mapFields(fields, (name, value) => mapObjects(value, /headers$/i.test(name) ? redactAll : redactHeaders));
}

/** Redacts at any depth. */
function redactAll(fields: Fields): Record<string, unknown> {
  return mapFields(fields, (name, value) => (isRedactedName(name) ? redactedValue : mapObjects(value, redactAll)));
}

function mapFields(fields: Fields, change: (name: string, value: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, change(name, value)]));
}

function mapObjects(value: unknown, change: (fields: Fields) => Fields): unknown {
  if (Array.isArray(value)) return value.map((item) => mapObjects(item, change));
  if (typeof value !== "object" || value === null) return value;
  return change({ ...value });
}
