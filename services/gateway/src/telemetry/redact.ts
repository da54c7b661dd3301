import {
  type Breadcrumb,
  type Exception,
  type Frame,
  isRedactedName,
  limits,
  type Redaction,
  type Request,
  redactedValue,
  type TelemetryEvent,
  type Watched,
} from "@whence/protocol";

type Fields = Readonly<Record<string, unknown>>;
type Contexts = NonNullable<TelemetryEvent["contexts"]>;

/** Assigning to this key would change the object's prototype. No event needs it, so it is dropped. */
const prototypeName = "__proto__";

/** The rule of redactions recorded here: the name is a default one, and the value had left the program. */
const gatewayRule = "default-name-at-gateway";

/** A place in the event, as the unescaped parts of a JSON Pointer. */
type Path = readonly (string | number)[];

/**
 * Returns a copy of the event with the values of redacted names replaced: in headers, wherever a client put them, in
 * local variables, and in errors' own properties (specification, Events, rule 5). Clients do this already; this covers
 * those that don't. Each value replaced here is added to the event's redactions. Other fields and free text don't
 * change.
 */
export function redactEvent(event: TelemetryEvent): TelemetryEvent {
  const { exceptions, breadcrumbs, request, attributes, user, contexts, watched, redactions = [] } = event;
  const found = new Redactor();
  const redacted = {
    ...event,
    ...(exceptions && {
      exceptions: exceptions.map((exception, index) => redactException(exception, found, ["exceptions", index])),
    }),
    ...(breadcrumbs && {
      breadcrumbs: breadcrumbs.map((breadcrumb, index) => redactBreadcrumb(breadcrumb, found, ["breadcrumbs", index])),
    }),
    ...(request && { request: { ...request, headers: redactRequestHeaders(request.headers, found) } }),
    ...(attributes && { attributes: found.inHeaders(attributes, ["attributes"]) }),
    ...(user && { user: found.inHeaders(user, ["user"]) }),
    ...(contexts && { contexts: redactContexts(contexts, found) }),
    ...(watched && { watched: redactWatched(watched, found) }),
  };
  if (found.receipts.length === 0) return redacted;
  return { ...redacted, redactions: [...redactions, ...found.receipts].slice(0, limits.redactionsMax) };
}

function redactException(exception: Exception, found: Redactor, path: Path): Exception {
  const { frames, properties } = exception;
  const redactFrame = (frame: Frame, index: number): Frame =>
    frame.vars ? { ...frame, vars: found.everywhere(frame.vars, [...path, "frames", index, "vars"]) } : frame;
  return {
    ...exception,
    ...(frames && { frames: frames.map(redactFrame) }),
    ...(properties && { properties: found.everywhere(properties, [...path, "properties"]) }),
  };
}

function redactBreadcrumb(breadcrumb: Breadcrumb, found: Redactor, path: Path): Breadcrumb {
  return breadcrumb.data ? { ...breadcrumb, data: found.inHeaders(breadcrumb.data, [...path, "data"]) } : breadcrumb;
}

/** Redacts contexts; one called `…headers` holds headers. */
function redactContexts(contexts: Contexts, found: Redactor): Contexts {
  return mapFields(contexts, (name, fields) =>
    holdsHeaders(name) ? found.everywhere(fields, ["contexts", name]) : found.inHeaders(fields, ["contexts", name]),
  );
}

function redactWatched(watched: Watched, found: Redactor): Watched {
  const hits = watched.hits.map((hit, index) => {
    const values = mapFields(hit.values, (name, value) =>
      isRedactedName(name) ? found.replace(value, ["watched", "hits", index, "values", name]) : value,
    );
    return { ...hit, values };
  });
  return { ...watched, hits };
}

function redactRequestHeaders(headers: Request["headers"], found: Redactor): Request["headers"] {
  return mapFields(headers, (name, value) =>
    isRedactedName(name) ? found.replace(value, ["request", "headers", name]) : value,
  );
}

/** Replaces values by the names of their fields, and records each redaction. */
class Redactor {
  readonly receipts: Redaction[] = [];

  /** Redacts fields inside `headers`, `request_headers`, `responseHeaders`, …, at any depth. */
  inHeaders(fields: Fields, path: Path): Record<string, unknown> {
    return mapFields(fields, (name, value) =>
      mapObjects(value, [...path, name], (inner, at) =>
        holdsHeaders(name) ? this.everywhere(inner, at) : this.inHeaders(inner, at),
      ),
    );
  }

  /** Redacts fields at any depth. */
  everywhere(fields: Fields, path: Path): Record<string, unknown> {
    return mapFields(fields, (name, value) =>
      isRedactedName(name)
        ? this.replace(value, [...path, name])
        : mapObjects(value, [...path, name], (inner, at) => this.everywhere(inner, at)),
    );
  }

  replace(value: unknown, path: Path): typeof redactedValue {
    if (value !== redactedValue && this.receipts.length < limits.redactionsMax) {
      this.receipts.push({ rule: gatewayRule, path: pointer(path) });
    }
    return redactedValue;
  }
}

/** Returns a JSON Pointer (RFC 6901, section 3), cut to the wire format's text limit. */
function pointer(path: Path): string {
  const parts = path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`);
  return parts.join("").slice(0, limits.textLengthMax);
}

function mapFields<Value>(
  fields: Readonly<Record<string, Value>>,
  change: (name: string, value: Value) => Value,
): Record<string, Value> {
  const kept = Object.entries(fields).filter(([name]) => name !== prototypeName);
  return Object.fromEntries(kept.map(([name, value]) => [name, change(name, value)]));
}

function mapObjects(value: unknown, path: Path, change: (fields: Fields, path: Path) => Fields): unknown {
  if (Array.isArray(value)) return value.map((item, index) => mapObjects(item, [...path, index], change));
  return isFields(value) ? change(value, path) : value;
}

/**
 * Whether {@link redactEvent} would change nothing, and nothing is nested deeper than `levels`. Answers without
 * copying.
 */
export function isRedacted(event: TelemetryEvent, levels: number): boolean {
  const { exceptions, breadcrumbs, request, attributes, user, contexts, watched } = event;
  return (
    (watched === undefined || watched.hits.every(({ values }) => areRedacted(values, levels - 4, true))) &&
    [attributes, user, contexts].every((fields) => fields === undefined || areRedacted(fields, levels - 1, false)) &&
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
