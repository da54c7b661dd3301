import { randomUUID } from "node:crypto";
import { minuteMs, type TelemetryEvent, type Watch } from "@whence/protocol";
import type { StoredEvent } from "@whence/storage";
import { storedEvent } from "../stored-event.ts";

/** When the reports of these tests were made. */
export const reportedAt = Date.parse("2026-03-01T12:00:00.000Z");
export const fingerprint = "v1:1111111111111111";

/** What all watches of these tests have in common. */
export const failure: Pick<Watch, "fingerprint" | "service" | "env" | "from"> = {
  ...{ fingerprint, service: "orders", env: "PROD" },
  from: at(0),
};

/** Minutes before (negative) or after the report, as a time. */
export function at(minutes: number): string {
  return new Date(reportedAt + minutes * minuteMs).toISOString();
}

/** Who sent something: as {@link storedEvent} unless told. */
export type Sender = Partial<Pick<StoredEvent, "release" | "instance" | "service" | "env">> & {
  readonly host?: string;
};

/** Makes events of one scope. */
export class Telemetry {
  readonly scopeId: string;
  readonly events: StoredEvent[] = [];

  constructor(scopeId: string = `org_${randomUUID()}`) {
    this.scopeId = scopeId;
  }

  /** One heartbeat a minute, from and to in minutes from the report. */
  beats(from: number, to: number, sender: Sender = {}, heap: (minute: number) => number = () => 1_000_000): this {
    for (let minute = from; minute < to; minute += 1) {
      const attributes = { heap_used_bytes: heap(minute), uptime_seconds: (minute - from) * 60 };
      this.#add(minute, sender, "", { type: "heartbeat", level: "info", message: "", exceptions: [], attributes });
    }
    return this;
  }

  /** One event of the failure at each of these minutes. */
  fails(minutes: readonly number[], sender: Sender = {}, changes: Partial<TelemetryEvent> = {}): this {
    for (const minute of minutes) this.#add(minute, sender, fingerprint, changes);
    return this;
  }

  /** A line in the log that is no failure. */
  logs(minute: number, changes: Partial<TelemetryEvent>): this {
    this.#add(minute, {}, "", { type: "log", level: "info", message: "done", exceptions: [], ...changes });
    return this;
  }

  /** Any event of a process that is no failure with a fingerprint. */
  says(minute: number, sender: Sender, changes: Partial<TelemetryEvent>): this {
    this.#add(minute, sender, "", { message: "", exceptions: [], ...changes });
    return this;
  }

  #add(minute: number, { host, ...sender }: Sender, print: string, changes: Partial<TelemetryEvent>): void {
    const stored = storedEvent(this.scopeId, { ...sender, fingerprint: print, ...kept(minute) });
    const event = { ...stored.event, id: randomUUID(), timestamp: at(minute), ...changes };
    this.events.push({ ...stored, event, host: { ...stored.host, ...(host === undefined ? {} : { name: host }) } });
  }
}

/** Received when it happened, and kept however long that is ago. */
function kept(minute: number): Pick<StoredEvent, "receivedAt" | "retentionDays"> {
  return { receivedAt: at(minute), retentionDays: 36_500 };
}

/** A breadcrumb of an outgoing call. */
export function call(minute: number, host: string, status: number): { breadcrumbs: TelemetryEvent["breadcrumbs"] } {
  const data = { method: "GET", url: `http://${host}/prices`, status_code: status, duration_ms: 5 };
  return { breadcrumbs: [{ timestamp: at(minute), category: "http", data }] };
}

/** The request that an event was handling. */
export function onRoute(route: string): Partial<TelemetryEvent> {
  return { request: { method: "GET", path: route, route, headers: {} } };
}
