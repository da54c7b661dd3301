import type { VitalReading } from "@whence/protocol";
import { bytes, count, duration } from "../../words/prose.ts";

/** What one heartbeat reports, as a clause. */
export function vitalsText(reading: VitalReading): string {
  const { heapUsedBytes, heapLimitBytes, rssBytes, memoryLimitBytes, eventLoopDelayMs, mainThreadBlockedMs } = reading;
  const { requests, failedRequests } = reading;
  const limit = heapLimitBytes === null ? "" : ` of ${bytes(heapLimitBytes)}`;
  const parts = [
    ...(mainThreadBlockedMs === null ? [] : [`main thread blocked for ${duration(mainThreadBlockedMs)}`]),
    ...(heapUsedBytes === null ? [] : [`heap ${bytes(heapUsedBytes)}${limit}`]),
    ...(rssBytes === null ? [] : [`process ${bytes(rssBytes)}`]),
    ...(memoryLimitBytes === null ? [] : [`container limit ${bytes(memoryLimitBytes)}`]),
    ...(eventLoopDelayMs === null ? [] : [`event loop ${Math.round(eventLoopDelayMs)} ms late`]),
    ...(requests === null ? [] : [count(requests, "request")]),
    ...(failedRequests === null ? [] : [`${failedRequests} failed`]),
  ];
  return parts.length === 0 ? "heartbeat without readings" : `heartbeat: ${parts.join(", ")}`;
}
