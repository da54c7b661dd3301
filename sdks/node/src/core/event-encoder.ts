import type { TelemetryEvent } from "@whence/protocol";
import type { OnInternalError } from "../runtime/guard.ts";
import type { SourceContexts } from "../source/source-context.ts";
import { askBeforeSend, isLifecycleEvent, withoutData } from "./before-send.ts";
import type { NumberedEvent } from "./event.ts";
import type { BeforeSend } from "./outgoing-event.ts";
import type { Redaction } from "./redact.ts";
import { redactionLog } from "./redaction-log.ts";
import { encodeEvent } from "./trim-event.ts";
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
    const isShown = !isLifecycleEvent(event) || wire.breadcrumbs !== undefined;
    if (beforeSend === undefined || !isShown) return encodeEvent(this.#withRedactionLog(wire));
    const settled = isLifecycleEvent(event) ? this.#askAboutTrail(beforeSend, wire) : this.#ask(beforeSend, wire);
    if (settled === null) sources.lost(event.seq);
    this.#settled.set(event, settled);
    return settled;
  }

  #ask(beforeSend: BeforeSend, wire: TelemetryEvent): string | null {
    try {
      const answer = askBeforeSend(beforeSend, this.#copyOf(wire));
      return answer && encodeEvent(this.#withRedactionLog(answer));
    } catch (error) {
      // Most of them take out what must not leave: what it did not look at is not sent.
      this.#parts.onInternalError(error);
      return encodeEvent(withoutData(wire));
    }
  }

  /** `beforeSend` may keep back only the breadcrumbs: without heartbeats the service would take the process for dead. */
  #askAboutTrail(beforeSend: BeforeSend, wire: TelemetryEvent): string {
    const { breadcrumbs: _shown, ...lifecycle } = wire;
    try {
      const breadcrumbs = askBeforeSend(beforeSend, this.#copyOf(wire))?.breadcrumbs;
      return encodeEvent(this.#withRedactionLog({ ...lifecycle, breadcrumbs }));
    } catch (error) {
      this.#parts.onInternalError(error);
      return encodeEvent(this.#withRedactionLog(lifecycle));
    }
  }

  /** Of the trimmed event: frames and breadcrumbs are shared among events, and the program may change all of it. */
  #copyOf(wire: TelemetryEvent): TelemetryEvent {
    return JSON.parse(encodeEvent(this.#withRedactionLog(wire)));
  }

  #withRedactionLog(event: TelemetryEvent): TelemetryEvent {
    const redactions = redactionLog(event, this.#parts.redaction);
    if (redactions.length === 0 && event.redactions === undefined) return event;
    return { ...event, redactions: redactions.length > 0 ? redactions : undefined };
  }
}
