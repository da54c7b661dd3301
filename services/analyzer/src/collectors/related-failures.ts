import type { Observation, RelatedFailure } from "@whence/engine";
import { firstLine, observeData, parseEvent } from "@whence/engine";
import type { Location } from "@whence/protocol";
import type { Circumstances, ScopedEvents, StoredEvent } from "@whence/storage";
import { isStep } from "./failed-steps.ts";

/** The number of failures shown as evidence. */
export const relatedFailuresMax = 5;
/** A failure had occurred before when its earlier rate was at least this share of the current one. */
export const thereBeforeShare = 0.5;

/** A failure related to the investigated one, before its event is read. */
export interface FoundFailure {
  /** One of its events. */
  readonly example: Circumstances;
  readonly link: RelatedFailure["link"];
  readonly role: RelatedFailure["role"];
  readonly traces: RelatedFailure["traces"];
  readonly wasThere: boolean;
}

/** Reads the events of the first of them, found until shortly after `until` (RFC 3339), as evidence. */
export async function observeRelatedFailures(
  events: ScopedEvents,
  related: readonly FoundFailure[],
  { until, name }: { readonly until: string; readonly name: string },
): Promise<Observation[]> {
  const shown = related.slice(0, relatedFailuresMax);
  if (shown.length === 0) return [];
  const times = shown.map(({ example }) => Date.parse(example.at));
  const from = new Date(Math.min(...times)).toISOString();
  const to = new Date(Math.max(...times, Date.parse(until)) + 1).toISOString();
  const found = await events.find({ from, to, limit: shown.length, ids: shown.map(({ example }) => example.id) });
  return shown.flatMap((related) => {
    const stored = found.find((one) => one.event.id === related.example.id);
    if (stored) return [observe(stored, related, name)];
    return isStep(related.example) ? [observeStep(related, name)] : [];
  });
}

/** Describes a failure that only a span shows, which says neither what was thrown nor where. */
function observeStep({ example, link, role, traces, wasThere }: FoundFailure, name: string): Observation {
  const { id, service, at, message } = example;
  const failure: RelatedFailure = {
    service,
    message,
    at,
    location: null,
    category: null,
    link,
    role,
    traces,
    wasThere,
    error: { type: "", message, code: null },
  };
  return observeData(
    { kind: "telemetry", name },
    { id, service, timestamp: at, message, traces },
    { observed_at: at, fact: { kind: "related-failure", failure } },
  );
}

function observe({ event, service, host }: StoredEvent, related: FoundFailure, name: string): Observation {
  const innermost = event.exceptions?.at(-1);
  const location = placeOfFailure(event, host.runtime.name);
  const message = firstLine(innermost ? `${innermost.type}: ${innermost.message}` : event.message);
  const code = innermost?.properties?.code;
  const failure: RelatedFailure = {
    service,
    message,
    at: event.timestamp,
    location,
    category: null,
    link: related.link,
    role: related.role,
    traces: related.traces,
    wasThere: related.wasThere,
    error: {
      type: innermost?.type ?? "",
      message: innermost?.message ?? event.message,
      code: typeof code === "string" ? code : null,
    },
  };
  return {
    ...observeData(
      { kind: "telemetry", name },
      { id: event.id, service, timestamp: event.timestamp, message, location, traces: related.traces },
      { observed_at: event.timestamp, fact: { kind: "related-failure", failure } },
    ),
    location,
  };
}

/** Returns the innermost call in the service's own code, of an error whose client sent no frames by its printed stack. */
function placeOfFailure(event: StoredEvent["event"], runtime: string): Location | null {
  const isPlace = (file: string | null | undefined): file is string => Boolean(file) && !file?.startsWith("node:");
  const innermost = event.exceptions?.at(-1);
  const frame = innermost?.frames?.find(({ in_app: own, file }) => own !== false && isPlace(file));
  if (frame?.file !== undefined) {
    const { file, line = 0, function: name = null } = frame;
    return { file, line: line > 0 ? line : null, function: name };
  }
  if (!innermost || innermost.frames) return null;
  const printed = parseEvent(event, runtime).exceptions.at(-1)?.frames ?? [];
  const call = printed.find(({ origin, file }) => origin === "app" && isPlace(file));
  return call?.file ? { file: call.file, line: call.line, function: call.function } : null;
}
