import { vitalReadingSchema } from "@whence/protocol";
import { z } from "zod";
import { bytes, count, duration } from "../../words/prose.ts";
import { factKind } from "./fact-kind.ts";

export const vitalSigns = factKind({
  name: "vital-signs",
  means: "What one heartbeat reported of its process",
  data: z.object({ instance: z.string(), reading: vitalReadingSchema }),
  example: {
    instance: "instance-1",
    reading: {
      at: "2026-03-01T10:00:00.000Z",
      rssBytes: 310_000_000,
      heapUsedBytes: 245_000_000,
      heapLimitBytes: 256_000_000,
      memoryLimitBytes: null,
      eventLoopDelayMs: 12,
      mainThreadBlockedMs: null,
      requests: 120,
      failedRequests: 48,
    },
  },
  evidence: ({ reading }) => {
    const { heapUsedBytes, heapLimitBytes, rssBytes, memoryLimitBytes, eventLoopDelayMs, mainThreadBlockedMs } =
      reading;
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
  },
  figures: ({ reading }) =>
    Object.values(reading).flatMap((one) =>
      typeof one === "number" ? [bytes(one), duration(one), Math.round(one)] : [],
    ),
  isComputed: true,
});
