import { randomUUID } from "node:crypto";
import { type Failure, type Incident, incidentSchema } from "@whence/protocol";
import type { StoredEvent } from "@whence/storage";
import { storedEvent } from "../stored-event.ts";
import type { TestOrganization, TestService } from "../test-service.ts";

/** The service's clock is set to a time long ago. */
const retentionDays = 3_650;
/** Long enough ago that the other services have reported. */
export const settledMs = 10_000;

export interface FailureEvent {
  readonly service: string;
  readonly release?: string;
  readonly trace?: string;
  /** How long before now. */
  readonly ago?: number;
  /** The service that was called just before and failed; with `error`, it gave no answer. */
  readonly called?: string;
  readonly error?: string;
  /** What it answered, if it did. */
  readonly status?: number;
  /** Its message. */
  readonly message?: string;
  readonly kind?: string;
  /** The line of its own code that threw, and where in it. */
  readonly line?: number;
  /** The route of the request that it was serving. */
  readonly route?: string;
  readonly column?: number;
}

/** An error of a service as its client would send it. */
export function failureEvent(
  { clock }: Pick<TestService, "clock">,
  scopeId: string,
  {
    service: name,
    release = "1.0",
    trace,
    ago = settledMs,
    called,
    error,
    status = 500,
    message = "boom",
    kind,
    line,
    route,
    column = 5,
  }: FailureEvent,
) {
  const at = new Date(clock.now - ago).toISOString();
  const [timestamp, url] = [new Date(clock.now - ago - 50).toISOString(), `http://${called}:8080/x`];
  const answer = error === undefined ? { status_code: status, duration_ms: 20 } : { error, error_code: "ECONNREFUSED" };
  const http = { timestamp, category: "http", data: { method: "POST", url, ...answer } };
  return storedEvent(scopeId, {
    ...{ service: name, release, fingerprint: `v2:${name}${kind ?? ""}`, receivedAt: at, retentionDays },
    event: {
      ...{ id: randomUUID(), seq: 1, type: "exception", timestamp: at, level: "error", message },
      mechanism: { type: "express", handled: true },
      exceptions: [
        {
          type: "Error",
          message,
          stack: "",
          ...(line ? { frames: [{ file: "/srv/read.js", line, column, in_app: true }] } : {}),
        },
      ],
      ...(route === undefined ? {} : { request: { method: "GET", path: route, route, headers: {} } }),
      ...(trace === undefined ? {} : { trace: { trace_id: trace, span_id: "s" } }),
      ...(called === undefined ? {} : { breadcrumbs: [http] }),
    },
  });
}

/** A heartbeat with what a service answered in the minute before now. */
export function answered(
  { clock }: Pick<TestService, "clock">,
  scopeId: string,
  name: string,
  requests: number,
  failed: number,
) {
  const at = new Date(clock.now).toISOString();
  return storedEvent(scopeId, {
    ...{ service: name, fingerprint: "", receivedAt: at, retentionDays },
    event: {
      ...{ id: randomUUID(), seq: 2, type: "heartbeat", timestamp: at, level: "info", message: "" },
      mechanism: { type: "heartbeat", handled: true },
      attributes: { requests, failed_requests: failed },
    },
  });
}

/** The heartbeat of a process that runs a release, for so many seconds before now. */
export function running(
  { clock }: Pick<TestService, "clock">,
  scopeId: string,
  { service: name, release, seconds }: { readonly service: string; readonly release: string; readonly seconds: number },
) {
  const at = new Date(clock.now).toISOString();
  return storedEvent(scopeId, {
    ...{ service: name, release, instance: `${name} ${release}`, fingerprint: "", receivedAt: at, retentionDays },
    event: {
      ...{ id: randomUUID(), seq: 3, type: "heartbeat", timestamp: at, level: "info", message: "" },
      mechanism: { type: "heartbeat", handled: true },
      attributes: { uptime_seconds: seconds },
    },
  });
}

export function failureOf({ event, fingerprint, service: name, env, release, receivedAt: at }: StoredEvent): Failure {
  return {
    ...{ event_id: event.id, fingerprint, service: name, env, release, at, type: event.type, level: event.level },
    ...{ title: event.message, mechanism: event.mechanism.type, handled: event.mechanism.handled },
    ...{ traced: event.trace !== undefined, has_failed_calls: event.breadcrumbs !== undefined },
  };
}

/** The incidents of an organization as the API returns them, oldest first. */
export async function incidentsOf({ app }: TestService, { key }: TestOrganization): Promise<Incident[]> {
  const get = (url: string) => app.inject({ url, headers: { "x-api-key": key } });
  const { incidents } = (await get("/api/incidents")).json();
  const whole = incidents.map(async ({ id }: Incident) =>
    incidentSchema.parse((await get(`/api/incidents/${id}`)).json()),
  );
  return (await Promise.all(whole)).toReversed();
}

/** What each incident is named after, and whose failures joined it. */
export async function shown(service: TestService, of: TestOrganization): Promise<Record<string, string[]>> {
  const incidents = await incidentsOf(service, of);
  return Object.fromEntries(
    incidents.map(({ fingerprint, joined_failures: joined = [] }) => [
      fingerprint?.replace("v2:", "") ?? "",
      joined.map((one) => one.fingerprint.replace("v2:", "")).toSorted(),
    ]),
  );
}
