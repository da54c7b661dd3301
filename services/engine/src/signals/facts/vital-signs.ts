import { vitalReadingSchema } from "@whence/protocol";
import { z } from "zod";
import { bytes, count, duration } from "../../words/prose.ts";
import { factKind } from "./fact-kind.ts";

export const vitalSigns = factKind({
  name: "vital-signs",
  means: "What one heartbeat reported of its process",
  data: z.object({ instance: z.string(), reading: vitalReadingSchema }),
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
