import { eventSubject, exception, frameAt, investigated, reportedEvent } from "@whence/engine/testing";
import type { Report, TelemetryEvent } from "@whence/protocol";
import { before, fingerprint, type Kept, keptTelemetry } from "./kept-telemetry.ts";

const program = { "/srv/orders/src/a.js": "function f(order) {\n  return order.total;\n}\n" };
export const exceptions = [
  exception("TypeError", "Cannot read properties of undefined (reading 'total')", [
    frameAt(program, "/srv/orders/src/a.js", "total", "f"),
  ]),
];

export const trace = (id: string) => ({ trace_id: id.padEnd(32, "0"), span_id: "00f067aa0ba902b7" });

/** This failure, so many seconds before the one that is investigated, in a trace of its own. */
export function failed(secondsBefore: number, more: Kept = {}, event: Partial<TelemetryEvent> = {}): Kept {
  return { fingerprint, secondsBefore, ...more, event: { exceptions, trace: trace(`a${secondsBefore}`), ...event } };
}

export const called = (secondsBefore: number, data: Record<string, unknown>) => ({
  timestamp: before(secondsBefore + 0.1),
  category: "http",
  data,
});

/** The telemetry of `orders`, which fails, and the report on its failure. */
export function failingOrders() {
  const telemetry = keptTelemetry();
  return {
    ...telemetry,
    async reported(kept: readonly Kept[], event: Partial<Parameters<typeof reportedEvent>[0]> = {}): Promise<Report> {
      const subject = eventSubject(reportedEvent({ exceptions, ...event }));
      return (await investigated(subject, await telemetry.withStored(...kept))).report;
    },
  };
}

/** What the report cites, a line for each piece of evidence. */
export const said = ({ evidence }: Report): string => evidence.map(({ summary }) => summary).join("\n");
