import { MinuteCounts } from "./minute-counts.ts";
import { otlpLimits } from "./otlp-limits.ts";

/**
 * Limits the stored points per minute, for an organization and for each of its services. Points rather than series:
 * each export of a series adds one.
 */
export class PointAllowance {
  readonly #all: MinuteCounts;
  readonly #ofServices: MinuteCounts;

  constructor(clock: () => number) {
    this.#all = new MinuteCounts(clock);
    this.#ofServices = new MinuteCounts(clock);
  }

  /** Whether one more point of a service may be kept. If so, it is counted. */
  takes(organizationId: string, service: string): boolean {
    // The organization comes first, so that no more services are remembered than it has points.
    if (!this.#all.add(organizationId, otlpLimits.otlpPointsPerMinuteMax)) return false;
    if (this.#ofServices.add(ownerOf(organizationId, service), otlpLimits.otlpPointsPerServiceMax)) return true;
    this.#all.subtract(organizationId, 1);
    return false;
  }

  /** Gives points back that were taken, but not kept. */
  giveBack(organizationId: string, service: string, points: number): void {
    this.#all.subtract(organizationId, points);
    this.#ofServices.subtract(ownerOf(organizationId, service), points);
  }
}

function ownerOf(organizationId: string, service: string): string {
  return JSON.stringify([organizationId, service]);
}
