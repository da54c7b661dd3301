import type { Location } from "@whence/protocol";
import type { ScopedEvents, StoredEvent } from "@whence/storage";
import type { Collector } from "../investigation/collect/collector.ts";
import type { Findings, Observation } from "../investigation/findings.ts";
import { firstLine, observeData } from "../investigation/observe.ts";
import { inlineCode, placeText } from "../investigation/prose.ts";

const aroundMs = 30_000;
const eventsMax = 100;
const neighboursMax = 5;

/**
 * Failures of other services that belong to this one: of the same trace; without a trace, of the same half minute when
 * an outgoing call of this event failed or was refused.
 */
export function traceNeighbours(events: ScopedEvents): Collector {
  const name = "trace neighbours";
  return {
    name,
    async collect(findings) {
      const { event } = findings;
      if (!event) return [];
      const around = { from: shift(event.at, -aroundMs), to: shift(event.at, aroundMs), limit: eventsMax };
      const traceId = event.trace?.trace_id;
      if (traceId !== undefined) {
        const sameTrace = await events.find({ ...around, traceId });
        return others(sameTrace, findings).map((one) => observe(one, "trace", name));
      }
      if (!event.calls.some(({ trouble }) => trouble !== null)) return [];
      const sameTime = await events.find({ ...around, levels: ["error", "critical"] });
      return others(sameTime, findings).map((one) => observe(one, "time", name));
    },
  };
}

/** Failures of other services, one for each of their failures, the earliest first: it is the likelier cause. */
function others(found: readonly StoredEvent[], { event }: Findings): StoredEvent[] {
  const failures = found.filter(
    (one) => one.fingerprint !== "" && one.service !== event?.service && one.env === event?.env,
  );
  const oldestFirst = failures.toSorted(
    (left, right) => Date.parse(left.event.timestamp) - Date.parse(right.event.timestamp),
  );
  const distinct = oldestFirst.filter(
    (one, index) => oldestFirst.findIndex(({ fingerprint }) => fingerprint === one.fingerprint) === index,
  );
  return distinct.slice(0, neighboursMax);
}

function observe({ event, service }: StoredEvent, link: "trace" | "time", name: string): Observation {
  const innermost = event.exceptions?.at(-1);
  const frame = innermost?.frames?.find(
    ({ in_app: own, file }) => own !== false && file !== undefined && !file.startsWith("node:"),
  );
  const location: Location | null =
    frame?.file === undefined
      ? null
      : { file: frame.file, line: frame.line && frame.line > 0 ? frame.line : null, function: frame.function ?? null };
  const message = firstLine(innermost ? `${innermost.type}: ${innermost.message}` : event.message);
  const where = location ? ` at ${placeText(location)}` : "";
  return {
    ...observeData(
      { kind: "telemetry", name },
      { id: event.id, service, timestamp: event.timestamp, message, location },
      {
        observed_at: event.timestamp,
        summary: `${inlineCode(service)} failed${link === "trace" ? " in the same trace" : " at the same time"}${where}: ${inlineCode(message)}`,
        fact: { kind: "neighbour-failure", failure: { service, message, at: event.timestamp, location, link } },
      },
    ),
    location,
  };
}

function shift(at: string, ms: number): string {
  return new Date(Date.parse(at) + ms).toISOString();
}
