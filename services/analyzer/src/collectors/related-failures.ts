import type { Observation, RelatedFailure } from "@whence/engine";
import { firstLine, observeData } from "@whence/engine";
import type { Location } from "@whence/protocol";
import type { Circumstances, ScopedEvents, StoredEvent } from "@whence/storage";

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
    return stored ? [observe(stored, related, name)] : [];
  });
}

function observe({ event, service }: StoredEvent, related: FoundFailure, name: string): Observation {
  const innermost = event.exceptions?.at(-1);
  const location = placeOfFailure(event);
  const message = firstLine(innermost ? `${innermost.type}: ${innermost.message}` : event.message);
  const code = innermost?.properties?.code;
  const failure: RelatedFailure = {
    ...{ service, message, at: event.timestamp, location, category: null },
    ...{ link: related.link, role: related.role, traces: related.traces, wasThere: related.wasThere },
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

function placeOfFailure(event: StoredEvent["event"]): Location | null {
  const frame = event.exceptions
    ?.at(-1)
    ?.frames?.find(({ in_app: own, file }) => own !== false && file !== undefined && !file.startsWith("node:"));
  if (frame?.file === undefined) return null;
  return { file: frame.file, line: frame.line && frame.line > 0 ? frame.line : null, function: frame.function ?? null };
}
