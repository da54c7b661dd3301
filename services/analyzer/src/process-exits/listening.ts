import { secondMs } from "@whence/protocol";
import { type LivenessStore, type Queue, telemetryTopic } from "@whence/storage";

/** How long a gateway's pulse counts, which matches the gateway's interval. */
const pulseFreshMs = 30 * secondMs;
/** When telemetry has waited this long, the writer is behind, and processes only look as if they had stopped. */
const backlogMaxMs = 20 * secondMs;

/** Where it is seen whether telemetry arrives. */
export interface TelemetryArrival {
  readonly control: LivenessStore;
  readonly queue: Pick<Queue, "depth">;
}

/**
 * Returns since when gateways have taken telemetry without a break, in milliseconds since 1970. Null while none does, or
 * what they took isn't stored yet: then the absence of telemetry says nothing.
 */
export async function listeningSince({ control, queue }: TelemetryArrival, now: number): Promise<number | null> {
  const since = await control.pulses.takingSince(new Date(now - pulseFreshMs));
  const { oldestAt } = await queue.depth(telemetryTopic);
  const isBehind = oldestAt !== null && now - Date.parse(oldestAt) > backlogMaxMs;
  return since === null || isBehind ? null : since.getTime();
}
