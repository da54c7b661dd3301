import { MinuteCounts } from "./minute-counts.ts";
import { otlpLimits } from "./otlp-limits.ts";

/** Limits the series of metrics that are kept in a minute, of an organization and of each of its services. */
export class SeriesAllowance {
  readonly #all: MinuteCounts;
  readonly #ofServices: MinuteCounts;

  constructor(clock: () => number) {
    this.#all = new MinuteCounts(clock);
    this.#ofServices = new MinuteCounts(clock);
  }

  /** Whether one more series of a service may be kept. If so, it is counted. */
  takes(organizationId: string, service: string): boolean {
    const owner = ownerOf(organizationId, service);
    if (!this.#ofServices.add(owner, otlpLimits.otlpSeriesPerServiceMax)) return false;
    if (this.#all.add(organizationId, otlpLimits.otlpSeriesPerMinuteMax)) return true;
    this.#ofServices.subtract(owner, 1);
    return false;
  }

  /** Gives series back that were taken, but not kept. */
  giveBack(organizationId: string, service: string, series: number): void {
    this.#all.subtract(organizationId, series);
    this.#ofServices.subtract(ownerOf(organizationId, service), series);
  }
}

function ownerOf(organizationId: string, service: string): string {
  return JSON.stringify([organizationId, service]);
}
