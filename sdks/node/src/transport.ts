import { type BatchHeader, encodeBatch, eventsWithSource } from "./batch.ts";
import type { Answer } from "./http.ts";
import type { EventQueue } from "./queue.ts";
import { sdkLimits } from "./sdk-limits.ts";
import type { SourceContexts } from "./source-context.ts";
import { framesWithSource } from "./wire-event.ts";

export interface TransportParts {
  readonly queue: EventQueue;
  readonly sources: SourceContexts;
  readonly header: () => BatchHeader;
  readonly post: (json: string) => Promise<Answer>;
  readonly clock: () => number;
  /** In [0, 1): spreads the retries of many processes. */
  readonly random: () => number;
}

/** When to send, what to do with the answer, what to give up and why. One request is under way at a time. */
export class Transport {
  readonly #parts: TransportParts;
  #draining: Promise<void> | undefined;
  #failures = 0;
  #retryAt = 0;
  #eventsMax: number = sdkLimits.queueEventsMax;
  #hasDelivered = false;

  constructor(parts: TransportParts) {
    this.#parts = parts;
  }

  /** Whether the service has taken anything from this process. */
  get hasDelivered(): boolean {
    return this.#hasDelivered;
  }

  /** Milliseconds until the service may be asked again; 0 when it may be now. */
  get retryInMs(): number {
    return Math.max(0, this.#retryAt - this.#parts.clock());
  }

  /** Sends until nothing waits or the service has to be left alone. Never rejects. */
  drain(): Promise<void> {
    this.#draining ??= this.#drain().finally(() => {
      this.#draining = undefined;
    });
    return this.#draining;
  }

  async #drain(): Promise<void> {
    const { queue } = this.#parts;
    while (queue.size > 0 && this.retryInMs === 0) await this.#sendOne();
  }

  async #sendOne(): Promise<void> {
    const { queue, sources, header, clock, post } = this.#parts;
    const events = queue.peek(this.#eventsMax);
    for (const { thrown = [] } of eventsWithSource(events)) await sources.load(framesWithSource(thrown));
    // While the sources were read the queue may have given way at its head: what is sent is what waits now.
    const dropped = queue.losses();
    const { json, count } = encodeBatch(header(), clock(), queue.peek(this.#eventsMax), dropped, sources);
    queue.take(count);
    const answer = await post(json).catch((error: unknown) => error);
    if (!isAnswer(answer)) {
      this.#retryLater(undefined);
      return;
    }
    if (answer.status >= 200 && answer.status < 300) {
      this.#succeed(answer);
      queue.lossesReported(dropped);
    } else this.#refused(answer, count);
  }

  #succeed(answer: Answer): void {
    this.#hasDelivered = true;
    this.#failures = 0;
    this.#eventsMax = Math.min(sdkLimits.queueEventsMax, this.#eventsMax * 2);
    this.#parts.queue.delivered(refusedIndexes(answer.body));
  }

  #refused({ status, retryAfter }: Answer, count: number): void {
    const { queue, clock } = this.#parts;
    if (status === 413) {
      this.#eventsMax = Math.max(1, Math.floor(count / 2));
      if (count > 1) queue.restore();
      else queue.lose("too_large");
    } else if (status >= 400 && status < 500 && status !== 408 && status !== 429) queue.lose("rejected");
    else this.#retryLater(retryAfterMs(retryAfter, clock()));
  }

  /** Exponential back-off with jitter, or what the service asked for. */
  #retryLater(asked: number | undefined): void {
    this.#parts.queue.restore();
    const ceiling = Math.min(sdkLimits.backOffMaxMs, sdkLimits.backOffFirstMs * 2 ** Math.min(this.#failures, 10));
    this.#failures += 1;
    const wait = asked ?? ceiling / 2 + (this.#parts.random() * ceiling) / 2;
    this.#retryAt = this.#parts.clock() + wait;
  }
}

function isAnswer(value: unknown): value is Answer {
  return typeof value === "object" && value !== null && "status" in value;
}

/** `Retry-After` in seconds or as a date (RFC 9110, section 10.2.3), as milliseconds from now; bounded. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const wait = /^\s*\d+\s*$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now;
  return Number.isNaN(wait) ? undefined : Math.min(sdkLimits.retryAfterMaxMs, Math.max(0, wait));
}

/** The events of a taken batch that the service refused, by index. A body that says nothing we know refuses none. */
function refusedIndexes(body: string): number[] {
  try {
    const answer: unknown = JSON.parse(body);
    const refused: unknown = typeof answer === "object" && answer !== null && Reflect.get(answer, "rejected");
    if (!Array.isArray(refused)) return [];
    return refused.map((item: { index?: unknown }) => item?.index).filter((index) => typeof index === "number");
  } catch {
    // Some proxies answer 200 with a page of their own; what was sent did arrive somewhere that takes it.
    return [];
  }
}
