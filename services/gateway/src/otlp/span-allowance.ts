import { minuteMs } from "@whence/protocol";
import { otlpLimits } from "./otlp-limits.ts";

/**
 * Limits the spans that are kept of an organization in a minute. Those that are kept only as a sample may use half of
 * it, so that many of them leave room for failures.
 */
export class SpanAllowance {
  readonly #clock: () => number;
  #minute = 0;
  #kept = new Map<string, number>();

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** Whether one more span of the organization may be kept. If so, it is counted. */
  takes(organizationId: string, isSample: boolean): boolean {
    const minute = Math.floor(this.#clock() / minuteMs);
    if (minute !== this.#minute) [this.#minute, this.#kept] = [minute, new Map()];
    const kept = this.#kept.get(organizationId) ?? 0;
    const max = isSample ? otlpLimits.otlpSpansPerMinuteMax / 2 : otlpLimits.otlpSpansPerMinuteMax;
    if (kept >= max) return false;
    this.#kept.set(organizationId, kept + 1);
    return true;
  }
}
