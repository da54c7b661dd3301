import { type BatchHeader, limits } from "@whence/protocol";
import type { NewMessage } from "@whence/storage";
import { cutText } from "../mapping/bounded-data.ts";
import type { BatchFrame } from "../telemetry/batch-frame.ts";
import type { KeptMeasure } from "../telemetry/batch-message.ts";
import type { Attributes } from "./any-value.ts";
import { measureMessages, readingMessage } from "./beside-messages.ts";
import { isOfSeries, measuredSeries } from "./measured-series.ts";
import type { MinuteReadings, ReadingOfProcess } from "./minute-readings.ts";
import { otlpLimits } from "./otlp-limits.ts";
import type { PointAllowance } from "./point-allowance.ts";
import { isRead, processReading } from "./process-reading.ts";
import type { Metric, MetricRequest } from "./requests.ts";
import { batchHeaderOf } from "./resource.ts";
import { limited, noResource, sumOf, type TakenRequest, tooManyResources } from "./take-request.ts";

/** What bounds the metrics that are kept. */
export interface MetricAllowances {
  readonly readings: Pick<MinuteReadings, "keep">;
  readonly points: Pick<PointAllowance, "takes">;
}

const tooManyReadings = `the organization has more than ${otlpLimits.otlpReadingsPerMinuteMax} processes`;
const tooManyPoints = `a service has more than ${otlpLimits.otlpPointsPerServiceMax} points of series in a minute, or the organization more than ${otlpLimits.otlpPointsPerMinuteMax}`;
const tooManyServices = `the points of the request name more than ${otlpLimits.otlpNamedServicesMax} services`;

/**
 * Takes the state of processes, one reading a minute, and the series that count, within their allowances, and counts the
 * data points.
 */
export function takeMetrics(
  { resourceMetrics }: MetricRequest,
  frame: BatchFrame,
  allowances: MetricAllowances,
): TakenRequest {
  const taking = new TakingMetrics(frame, allowances);
  const [first, surplus] = limited(resourceMetrics);
  for (const { resource, scopeMetrics } of first) {
    const metrics = scopeMetrics.flatMap((scope) => scope.metrics);
    const header = batchHeaderOf(resource?.attributes ?? noResource, frame.receivedAt);
    taking.addState(header, metrics);
    taking.addSeries(header, resource?.attributes ?? noResource, metrics);
    taking.count(metrics.filter((metric) => !isRead(metric) && !isOfSeries(metric)));
  }
  const beyond = surplus.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
  taking.reject(tooManyResources, sumOf(beyond, pointsOf));
  return taking.taken();
}

class TakingMetrics {
  readonly #frame: BatchFrame;
  readonly #allowances: MetricAllowances;
  readonly #messages: NewMessage[] = [];
  readonly #readings: ReadingOfProcess[] = [];
  readonly #points = new Map<string, number>();
  /** Services that points name, those of each resource counted. */
  #named = 0;
  readonly #items = { stored: 0, counted: 0, rejected: 0 };
  #reason = "";

  constructor(frame: BatchFrame, allowances: MetricAllowances) {
    this.#frame = frame;
    this.#allowances = allowances;
  }

  /** Adds the state of the process that a resource is. */
  addState(header: BatchHeader, metrics: readonly Metric[]): void {
    const read = metrics.filter(isRead);
    const points = sumOf(read, pointsOf);
    const reading = processReading(read);
    if (!reading) {
      this.#items.counted += points;
      return;
    }
    const process = JSON.stringify([header.service, header.instance]);
    const kept = this.#allowances.readings.keep(this.#frame.scopeId, process, reading);
    if (kept === "surplus") {
      this.reject(tooManyReadings, points);
      return;
    }
    this.#items.stored += points;
    if (!kept) return;
    this.#messages.push(readingMessage(this.#frame, header, kept));
    this.#readings.push({ process, reading: kept });
  }

  /** Adds what the metrics of a resource count. Points of theirs that say nothing are counted only. */
  addSeries(header: BatchHeader, resource: Attributes, metrics: readonly Metric[]): void {
    const series = measuredSeries(resource, metrics);
    const byService = new Map<string, KeptMeasure[]>();
    for (const { service: named, measure } of series) {
      const service = named === undefined ? header.service : cutText(named, limits.serviceLengthMax);
      const ofService = byService.get(service) ?? [];
      const isNamed = named !== undefined && ofService.length === 0;
      const surplus = this.#surplusOf(service, isNamed);
      if (surplus !== undefined) {
        this.reject(surplus, 1);
        continue;
      }
      this.#items.stored += 1;
      this.#points.set(service, (this.#points.get(service) ?? 0) + 1);
      if (isNamed) this.#named += 1;
      byService.set(service, ofService);
      ofService.push(measure);
    }
    this.#items.counted += sumOf(metrics.filter(isOfSeries), pointsOf) - series.length;
    for (const [service, measures] of byService) {
      this.#messages.push(...measureMessages(this.#frame, { ...header, service }, measures));
    }
  }

  /** Returns why one more point of a service isn't kept; undefined if it is, which counts it. */
  #surplusOf(service: string, isNamed: boolean): string | undefined {
    if (isNamed && this.#named >= otlpLimits.otlpNamedServicesMax) return tooManyServices;
    return this.#allowances.points.takes(this.#frame.scopeId, service) ? undefined : tooManyPoints;
  }

  /** Counts metrics that aren't kept. */
  count(metrics: readonly Metric[]): void {
    this.#items.counted += sumOf(metrics, pointsOf);
  }

  reject(reason: string, points: number): void {
    this.#items.rejected += points;
    if (points > 0) this.#reason ||= reason;
  }

  taken(): TakenRequest {
    const [messages, readings, points] = [this.#messages, this.#readings, this.#points];
    return { messages, events: 0, spans: 0, readings, points, items: this.#items, reason: this.#reason };
  }
}

function pointsOf({ name: _name, ...kinds }: Metric): number {
  return Object.values(kinds).reduce((sum, kind) => sum + (kind?.dataPoints.length ?? 0), 0);
}
