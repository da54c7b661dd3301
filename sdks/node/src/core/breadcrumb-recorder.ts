import { limits } from "@whence/protocol/limits";
import { asText, readProperty } from "../runtime/read-property.ts";
import { detach, trimText } from "../runtime/text.ts";
import * as sdkLimits from "../sdk-limits.ts";
import type { BreadcrumbReview } from "./before-breadcrumb.ts";
import { boundedRecord } from "./bounded-data.ts";
import { type Breadcrumb, BreadcrumbRing, type Trail } from "./breadcrumbs.ts";
import { preview } from "./cause-chain.ts";
import { DatabaseCall, type DatabaseQuery } from "./database-call.ts";
import { isLevel, type Level } from "./level.ts";
import type { LogRecord } from "./log-record.ts";
import { OutgoingCall } from "./outgoing-call.ts";
import type { Redaction } from "./redact.ts";
import { type RequestContext, type RequestContexts, ringOf } from "./request-context.ts";

/** A breadcrumb as passed to {@link addBreadcrumb}. */
export interface BreadcrumbInput {
  /** Groups breadcrumbs of one kind, such as `cache` or `auth`. */
  readonly category: string;
  readonly message?: string | undefined;
  readonly level?: Level | undefined;
  /** JSON values, trimmed to 4 kB. */
  readonly data?: Readonly<Record<string, unknown>> | undefined;
}

export interface BreadcrumbRecorderParts {
  readonly requests: RequestContexts;
  readonly redaction: Redaction;
  readonly review: Pick<BreadcrumbReview, "ask">;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** The breadcrumbs of all requests, for the next heartbeat. */
  readonly ofHeartbeat: { add(breadcrumb: Breadcrumb): void };
}

/** Records breadcrumbs in the request that the running code serves or, outside of any, in the process. */
export class BreadcrumbRecorder {
  readonly #parts: BreadcrumbRecorderParts;
  readonly #processRing = new BreadcrumbRing("process");

  constructor(parts: BreadcrumbRecorderParts) {
    this.#parts = parts;
  }

  /** Adds a breadcrumb that the program created. */
  add(input: BreadcrumbInput): void {
    this.record(manualBreadcrumb(input, this.#parts.clock(), this.#parts.redaction));
  }

  record(breadcrumb: Breadcrumb): void {
    const kept = this.#parts.review.ask(breadcrumb);
    if (!kept) return;
    this.#currentRing().add(kept);
    this.#parts.ofHeartbeat.add(kept);
  }

  /** Records that an outgoing request has started. */
  beginCall(method: string, url: string): OutgoingCall {
    const { review, clock, ofHeartbeat } = this.#parts;
    const call = new OutgoingCall({ ring: this.#currentRing(), review }, clock(), method, url);
    ofHeartbeat.add(call.breadcrumb);
    return call;
  }

  /** Records that a database call has started, for the given request or for none. */
  beginQuery(query: DatabaseQuery, context: RequestContext | undefined): DatabaseCall {
    const { review, clock, ofHeartbeat } = this.#parts;
    const ring = context ? ringOf(context) : this.#processRing;
    const call = new DatabaseCall({ ring, review }, clock(), query);
    ofHeartbeat.add(call.breadcrumb);
    return call;
  }

  /** Returns the breadcrumbs recorded outside of any request. */
  processTrail(): Trail {
    return this.#processRing.trail();
  }

  #currentRing(): BreadcrumbRing {
    const context = this.#parts.requests.current();
    return context ? ringOf(context) : this.#processRing;
  }
}

/** Returns the breadcrumb of a log record that isn't an event. */
export function logBreadcrumb(record: LogRecord, now: number, redaction: Redaction): Breadcrumb {
  const { level, error, fields } = record;
  const message = trimText(record.message || asText(readProperty(error, "message")), sdkLimits.logLineCharactersMax);
  return manualBreadcrumb({ category: "log", level, message, data: fields }, now, redaction);
}

function manualBreadcrumb(input: BreadcrumbInput, now: number, redaction: Redaction): Breadcrumb {
  // Read one at a time: a property that can't be read is left out, and the others are kept.
  const [category, message, level, data] = (["category", "message", "level", "data"] as const).map((name) =>
    readProperty(input, name),
  );
  return {
    timestamp: now,
    category: trimText(preview(category), limits.textLengthMax),
    level: isLevel(level) ? level : undefined,
    message: message === undefined ? undefined : detach(trimText(preview(message), sdkLimits.breadcrumbCharactersMax)),
    data: boundedRecord(data, sdkLimits.breadcrumbCharactersMax, redaction.data)?.data,
    settled: true,
  };
}
