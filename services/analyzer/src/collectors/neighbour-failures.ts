import type { NeighbourFailure, Observation } from "@whence/engine";
import { firstLine, observeData } from "@whence/engine";
import type { Location } from "@whence/protocol";
import type { ScopedEvents, StoredEvent } from "@whence/storage";

/** Failures that evidence shows. */
export const neighboursMax = 5;
/** A failure had occurred before when its earlier rate was at least this share of the current one. */
export const thereBeforeShare = 0.5;

/** A failure beside the investigated one, before its event is read. */
export interface Neighbour {
  readonly eventId: string;
  readonly service: string;
  readonly at: string;
  readonly link: NeighbourFailure["link"];
  readonly role: NeighbourFailure["role"];
  readonly traces: NeighbourFailure["traces"];
  readonly wasThere: boolean;
}

/** Reads the events of the first of them, which were found until shortly after `until` (RFC 3339), as evidence. */
export async function observeNeighbours(
  events: ScopedEvents,
  neighbours: readonly Neighbour[],
  { until, name }: { readonly until: string; readonly name: string },
): Promise<Observation[]> {
  const shown = neighbours.slice(0, neighboursMax);
  if (shown.length === 0) return [];
  const times = shown.map(({ at }) => Date.parse(at));
  const from = new Date(Math.min(...times)).toISOString();
  const to = new Date(Math.max(...times, Date.parse(until)) + 1).toISOString();
  const found = await events.find({ from, to, limit: shown.length, ids: shown.map(({ eventId }) => eventId) });
  return shown.flatMap((neighbour) => {
    const stored = found.find((one) => one.event.id === neighbour.eventId);
    return stored ? [observe(stored, neighbour, name)] : [];
  });
}

function observe({ event, service }: StoredEvent, neighbour: Neighbour, name: string): Observation {
  const innermost = event.exceptions?.at(-1);
  const location = placeOfFailure(event);
  const message = firstLine(innermost ? `${innermost.type}: ${innermost.message}` : event.message);
  const code = innermost?.properties?.code;
  const failure: NeighbourFailure = {
    ...{ service, message, at: event.timestamp, location, category: null },
    ...{ link: neighbour.link, role: neighbour.role, traces: neighbour.traces, wasThere: neighbour.wasThere },
    error: {
      type: innermost?.type ?? "",
      message: innermost?.message ?? event.message,
      code: typeof code === "string" ? code : null,
    },
  };
  return {
    ...observeData(
      { kind: "telemetry", name },
      { id: event.id, service, timestamp: event.timestamp, message, location, traces: neighbour.traces },
      { observed_at: event.timestamp, fact: { kind: "neighbour-failure", failure } },
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
