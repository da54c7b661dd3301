import {
  type Breadcrumb,
  type Exception,
  isRedactedName,
  type Request,
  redactedValue,
  type TelemetryEvent,
} from "@whence/protocol";

type Fields = Readonly<Record<string, unknown>>;

/** A key that, assigned to, would change the object's kind instead: nobody needs it, and it is left out. */
const prototypeName = "__proto__";

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
    ...(request && { request: { ...request, headers: redactRequestHeaders(request.headers) } }),
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

function redactRequestHeaders(headers: Request["headers"]): Request["headers"] {
  return mapFields(headers, (name, value) => (isRedactedName(name) ? redactedValue : value));
}

/** Redacts inside `headers`, `request_headers`, `responseHeaders`, … at any depth. */
function redactHeaders(fields: Fields): Record<string, unknown> {
  return mapFields(fields, (name, value) => mapObjects(value, holdsHeaders(name) ? redactAll : redactHeaders));
}

/** Redacts at any depth. */
function redactAll(fields: Fields): Record<string, unknown> {
  return mapFields(fields, (name, value) => (isRedactedName(name) ? redactedValue : mapObjects(value, redactAll)));
}

function mapFields<Value>(
  fields: Readonly<Record<string, Value>>,
  change: (name: string, value: Value) => Value,
): Record<string, Value> {
  const kept = Object.entries(fields).filter(([name]) => name !== prototypeName);
  return Object.fromEntries(kept.map(([name, value]) => [name, change(name, value)]));
}

function mapObjects(value: unknown, change: (fields: Fields) => Fields): unknown {
  if (Array.isArray(value)) return value.map((item) => mapObjects(item, change));
  if (typeof value !== "object" || value === null) return value;
  return change({ ...value });
}

/**
 * Whether {@link redactEvent} would change nothing of the event, and nothing in it is nested deeper than `levels`: the
 * question without the copy.
 */
export function isRedacted({ exceptions, breadcrumbs, request, attributes }: TelemetryEvent, levels: number): boolean {
  return (
    (attributes === undefined || areRedacted(attributes, levels - 1, false)) &&
    (request === undefined || areRedacted(request.headers, levels - 2, true)) &&
    (breadcrumbs === undefined ||
      breadcrumbs.every(({ data }) => data === undefined || areRedacted(data, levels - 3, false))) &&
    (exceptions === undefined || exceptions.every((exception) => isExceptionRedacted(exception, levels - 2)))
  );
}

function isExceptionRedacted({ frames, properties }: Exception, levels: number): boolean {
  return (
    (properties === undefined || areRedacted(properties, levels - 1, true)) &&
    (frames === undefined || frames.every(({ vars }) => vars === undefined || areRedacted(vars, levels - 3, true)))
  );
}

function areRedacted(fields: Fields, levels: number, everyName: boolean): boolean {
  if (levels === 0) return false;
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    if (name === prototypeName || (everyName && value !== redactedValue && isRedactedName(name))) return false;
    if (typeof value === "object" && !isWithin(value, levels - 1, everyName || holdsHeaders(name))) return false;
  }
  return true;
}

function isWithin(value: unknown, levels: number, everyName: boolean): boolean {
  if (Array.isArray(value)) return levels > 0 && value.every((item) => isWithin(item, levels - 1, everyName));
  return !isFields(value) || areRedacted(value, levels, everyName);
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}

function holdsHeaders(name: string): boolean {
  return /headers$/i.test(name);
}
