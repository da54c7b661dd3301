import { queryOptions } from "@tanstack/react-query";
import {
  type KeyedMonitor,
  keyedMonitorSchema,
  type Monitor,
  type MonitorChange,
  type MonitorResult,
  monitorListSchema,
  monitorResultListSchema,
  monitorResultSchema,
  monitorSchema,
} from "@whence/protocol";
import { z } from "zod";
import { request } from "../../../lib/api-client.ts";

const base = "/api/monitors";
const pathOf = (id: string, part = ""): string => `${base}/${encodeURIComponent(id)}${part}`;
/** Polling interval, so that the page shows checks as they are made. */
const everyMs = 5_000;

/** The organization's monitors. */
export const monitorsQuery = queryOptions({
  queryKey: ["settings", "monitors"],
  queryFn: ({ signal }) => request(monitorListSchema, base, { signal }),
  refetchInterval: everyMs,
});

/** The latest results of a monitor. */
export const monitorResultsQuery = (id: string) =>
  queryOptions({
    queryKey: ["settings", "monitors", id],
    queryFn: ({ signal }) => request(monitorResultListSchema, pathOf(id, "/results"), { signal }),
    refetchInterval: everyMs,
  });

/** Only this response contains the key of the monitor's check-ins. */
export function createMonitor(change: MonitorChange): Promise<KeyedMonitor> {
  return request(keyedMonitorSchema, base, { method: "POST", body: change });
}

export function replaceMonitor(id: string, change: MonitorChange): Promise<Monitor> {
  return request(monitorSchema, pathOf(id), { method: "PUT", body: change });
}

export function pauseMonitor(id: string): Promise<Monitor> {
  return request(monitorSchema, pathOf(id, "/pause"), { method: "POST" });
}

export function resumeMonitor(id: string): Promise<Monitor> {
  return request(monitorSchema, pathOf(id, "/resume"), { method: "POST" });
}

/** Checks now. The result counts for nothing. */
export function testMonitor(id: string): Promise<MonitorResult> {
  return request(monitorResultSchema, pathOf(id, "/test"), { method: "POST" });
}

/** Only this response contains the new key. */
export function replaceCheckInKey(id: string): Promise<KeyedMonitor> {
  return request(keyedMonitorSchema, pathOf(id, "/key"), { method: "POST" });
}

export async function deleteMonitor(id: string): Promise<void> {
  await request(z.unknown(), pathOf(id), { method: "DELETE" });
}
