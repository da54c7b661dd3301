import { MinuteCounts } from "./minute-counts.ts";
import { otlpLimits } from "./otlp-limits.ts";

const { otlpSpansPerMinuteMax: max } = otlpLimits;
const sampleMax = max / 2;

/**
 * Limits the spans that are kept of an organization in a minute. Those that are kept only as a sample may use half of
 * it, so that many of them leave room for failures.
 */
export class SpanAllowance {
  readonly #counts: MinuteCounts;

  constructor(clock: () => number) {
    this.#counts = new MinuteCounts(clock);
  }

  /** Whether one more span of the organization may be kept. If so, it is counted. */
  takes(organizationId: string, isSample: boolean): boolean {
    return this.#counts.add(organizationId, isSample ? sampleMax : max);
  }

  /** Whether one more span of the sample may be kept. */
  hasRoomForSample(organizationId: string): boolean {
    return this.#counts.of(organizationId) < sampleMax;
  }

  /** Gives spans back that were taken, but not kept. */
  giveBack(organizationId: string, spans: number): void {
    this.#counts.subtract(organizationId, spans);
  }
}
