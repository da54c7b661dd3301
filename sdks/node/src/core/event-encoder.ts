import type { TelemetryEvent } from "@whence/protocol";
import type { OnInternalError } from "../runtime/guard.ts";
import type { SourceContexts } from "../source/source-context.ts";
import { askBeforeSend, isSignOfLife, withoutData } from "./before-send.ts";
import type { NumberedEvent } from "./event.ts";
import type { BeforeSend } from "./outgoing-event.ts";
import { receiptsOf } from "./receipts.ts";
import type { Redaction } from "./redact.ts";
import { encodeEvent } from "./trim.ts";
import { bareEvent, toWireEvent } from "./wire-event.ts";

export interface EventEncoderParts {
  readonly sources: SourceContexts;
  readonly redaction: Redaction;
  readonly beforeSend: BeforeSend | undefined;
  readonly onInternalError: OnInternalError;
}

/** The only way of an event out of the process, whoever sends or stores it: its last form, with the program's consent. */
export class EventEncoder {
  readonly #parts: EventEncoderParts;
  /** What `beforeSend` made of the events that wait: it is asked once, however often an event has to be sent. */
  readonly #settled = new WeakMap<NumberedEvent, string | null>();

  constructor(parts: EventEncoderParts) {
    this.#parts = parts;
  }

  /** The event as JSON, with source around its frames if asked for; null when the program keeps it back. */
  encode(event: NumberedEvent, withSource: boolean): string | null {
    const known = this.#settled.get(event);
    if (known !== undefined) return known;
    try {
      return this.#encode(event, withSource);
    } catch (error) {
      // An event that can't be made whole must not keep those behind it from leaving.
      this.#parts.onInternalError(error);
      return encodeEvent(withoutData(bareEvent(event)));
    }
  }

  #encode(event: NumberedEvent, withSource: boolean): string | null {
    const { sources, beforeSend } = this.#parts;
    const wire = toWireEvent(event, sources, withSource);
    const isShown = !isSignOfLife(event) || wire.breadcrumbs !== undefined;
    if (beforeSend === undefined || !isShown) return encodeEvent(this.#withReceipts(wire));
    const settled = isSignOfLife(event) ? this.#askOfTrail(beforeSend, wire) : this.#ask(beforeSend, wire);
    if (settled === null) sources.lost(event.seq);
    this.#settled.set(event, settled);
    return settled;
  }

  #ask(beforeSend: BeforeSend, wire: TelemetryEvent): string | null {
    try {
      const answer = askBeforeSend(beforeSend, this.#copyOf(wire));
      return answer && encodeEvent(this.#withReceipts(answer));
    } catch (error) {
      // Most of them take out what must not leave: what it did not look at is not sent.
      this.#parts.onInternalError(error);
      return encodeEvent(withoutData(wire));
    }
  }

  /** Of a sign of life only what the program did is the program's: without the sign it would be taken for dead. */
  #askOfTrail(beforeSend: BeforeSend, wire: TelemetryEvent): string {
    const { breadcrumbs: _shown, ...sign } = wire;
    try {
      const breadcrumbs = askBeforeSend(beforeSend, this.#copyOf(wire))?.breadcrumbs;
      return encodeEvent(this.#withReceipts({ ...sign, breadcrumbs }));
    } catch (error) {
      this.#parts.onInternalError(error);
      return encodeEvent(this.#withReceipts(sign));
    }
  }

  /** Of the trimmed event: frames and breadcrumbs are shared among events, and the program may change all of it. */
  #copyOf(wire: TelemetryEvent): TelemetryEvent {
    return JSON.parse(encodeEvent(this.#withReceipts(wire)));
  }

  #withReceipts(event: TelemetryEvent): TelemetryEvent {
    const redactions = receiptsOf(event, this.#parts.redaction);
    if (redactions.length === 0 && event.redactions === undefined) return event;
    return { ...event, redactions: redactions.length > 0 ? redactions : undefined };
  }
}
